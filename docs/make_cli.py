"""Write docs/cli.md: the command line, from the commands themselves.

Run ``python docs/make_cli.py`` after a change; a test compares the page with what this makes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from skate_sim.cli import CONTEXT, main

HEAD = """# The command line

Every table can be had as JSON (`--json`) or CSV (`--csv`). Colours are for terminals: pipes get plain text, and so does a
terminal where `NO_COLOR` is set. The exit code is 0 when all is well, 1 when a check or a verification failed, 2 for a
mistake, with one message that says what would be valid, and 130 after Ctrl-C.
"""


def page() -> str:
    """The whole page."""
    return HEAD + "".join(f"\n{section}" for section in _sections(main, "skate-sim"))


def _sections(group: click.Group, path: str) -> Iterator[str]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from _sections(command, f"{path} {name}")
        else:
            yield _section(command, f"{path} {name}")


def _section(command: click.Command, path: str) -> str:
    # Below the group's context: click keeps a command's help option as it was first asked for.
    context = click.Context(command, info_name=path, parent=click.Context(main, info_name="skate-sim", **CONTEXT))
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"## {path}\n", f"```text\n{path} {usage}\n```", *_help(inspect.cleandoc(command.help or ""))]
    options = [p for p in command.params if isinstance(p, click.Option)]
    if options:
        lines += ["\n| option | what it does |", "|---|---|", *(_row(option) for option in options)]
    return "\n".join(lines) + "\n"


def _help(text: str) -> Iterator[str]:
    """The help text; what click prints line by line is code."""
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith("\b"):
            yield "\n```text\n" + paragraph.removeprefix("\b").strip("\n") + "\n```"
        else:
            yield "\n" + paragraph


def _row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len))
    value = "" if option.is_flag else f" `{(option.metavar or option.name or '').upper()}`"
    shown = isinstance(option.default, int | str) and not option.is_flag and option.default not in ("", False)
    default = f" Default: `{option.default}`." if shown and not isinstance(option.default, bool) else ""
    return f"| {names}{value} | {option.help}{default} |"


if __name__ == "__main__":
    Path(__file__).with_name("cli.md").write_text(page(), encoding="utf-8")
