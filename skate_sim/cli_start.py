"""Commands to start with: a folder, a bot's file, and what makes Tab complete."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from skate_sim.cli_options import COMPLETE


@click.command(short_help="Make a folder to start from.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--game", help="Name of the game.")
def init(folder: Path, game: str | None) -> None:
    """Make FOLDER with an experiment, a bot and a notebook, all of which run at once."""
    from skate_sim import games, starter

    made = starter.new_folder(folder, games.load(game or games.DEFAULT_GAME))
    click.echo(f"Made {folder} with {', '.join(map(str, made))}. Now:")
    click.echo(f"  cd {shlex.quote(str(folder))} && skate-sim run experiment.yaml")


@click.group()
def new() -> None:
    """Make a file to start from."""


@new.command(name="bot", short_help="Make a bot's file.")
@click.argument("name")
@click.option("--game", help="Name of the game.")
def new_bot(name: str, game: str | None) -> None:
    """Make a bot's file with comments: in ./strategies if there is such a folder, else in the current folder."""
    from skate_sim import games, starter

    path = starter.new_bot(name, games.load(game or games.DEFAULT_GAME))
    click.echo(f"Made {path}. Now:\n  skate-sim check {name}\n  skate-sim rank {name}")


@click.command(short_help="Print what makes Tab complete.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that makes Tab complete commands, options, bots and experiments in a shell.

    \b
    bash: echo 'eval "$(skate-sim completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(skate-sim completion zsh)"' >> ~/.zshrc
    fish: skate-sim completion fish > ~/.config/fish/completions/skate-sim.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None
    everything = click.get_current_context().find_root().command
    click.echo(complete(everything, {}, "skate-sim", COMPLETE).source())
