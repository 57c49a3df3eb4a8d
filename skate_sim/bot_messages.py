"""What numba found wrong with a bot, in words for its author."""

from __future__ import annotations

import ast
import re

from skate_sim.games import choices_text
from skate_sim.policy import BotCode


def _lines_with(code: BotCode, name: str) -> list[str]:
    """The line of a bot's file that reads a name first."""
    try:
        tree = ast.parse(code.path.read_text(encoding="utf-8")) if code.path else ast.Module([], [])
    except (OSError, SyntaxError, UnicodeDecodeError):
        return []
    loads = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    found = [node.lineno for node in loads if node.id == name]
    return [str(min(found))] if found else []


def compile_message(code: BotCode, decision: str, text: str) -> str:
    """What numba found wrong with a bot, without its machinery."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = re.findall(rf'File "[^"]*{re.escape(code.path.name)}", line (\d+)', text) if code.path else []
    unnamed = re.search(r"NameError: name '(\w+)'", text)
    if unnamed and not lines:
        lines = _lines_with(code, unnamed.group(1))
    where = f"{code.where}, line {lines[-1]}" if lines else f"{code.where}: {decision}"
    for clue in (r"a bot may not change what it sees \(\w+\)", r"Cannot modify readonly array.*"):
        if re.search(clue, text):
            return f"{where}: a bot may not change what it sees"
    unknown = re.search(r"Unknown attribute '(\w+)' of type View", text)
    if unknown:
        return f"{where}: a view has no {unknown.group(1)!r}; {choices_text(unknown.group(1), code.game.view_fields)}"
    for clue in (
        r"(nothing called '\w+' here; [^\n]*)",
        r"(a decision answers with a whole number[^\n]*)",
        r"(Untyped global name [^\n]*)",
        r"(Use of unsupported [^\n]*)",
        r"(Unknown attribute [^\n]*)",
        r"(Field '\w+' was not found[^\n]*)",
        r"(NameError: [^\n]*)",
        r"(No implementation of function [^\n]*)",
    ):
        found = re.search(clue, text)
        if found:
            return f"{where}: {found.group(1).strip()}"
    reasons = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    return f"{where}: {reasons[0] if reasons else 'it cannot be compiled'}"
