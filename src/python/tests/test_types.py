"""The type stub: its docstrings, its agreement with the compiled module, and the types of the package.

``STUBS=write pytest src/python/tests/test_types.py`` writes the docstrings of the compiled module into the stub.
"""

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import morello
from morello import _morello, batch, types

PACKAGE = Path(morello.__file__).parent
STUB = PACKAGE / "_morello.pyi"


def documented(nodes, owner):
    """Pairs of the classes, functions and properties of the stub and their docstrings in the compiled module."""
    for node in nodes:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("__"):
            value = getattr(owner, node.name)
            yield node, inspect.cleandoc(value.__doc__)
            if isinstance(node, ast.ClassDef):
                yield from documented(node.body, value)


def with_docstrings(text):
    """Returns the text of the stub with the docstrings of the compiled module."""
    lines = text.splitlines()
    # From the end on, so that the numbers of the lines before stay.
    for node, doc in sorted(documented(ast.parse(text).body, _morello), key=lambda pair: -pair[0].lineno):
        first = node.body[0]
        is_replaced = isinstance(first, ast.Expr)
        start = min(line.lineno for line in (first, *getattr(first, "decorator_list", []))) - 1
        header = lines[start][: first.col_offset].rstrip() if is_replaced else ""
        docstring = ('"""' + doc.replace("\\", "\\\\") + ('\n"""' if "\n" in doc else '"""')).splitlines()
        docstring = [f"{' ' * (node.col_offset + 4)}{line}".rstrip() for line in docstring]
        lines[start : first.end_lineno if is_replaced else start] = [header] * bool(header) + docstring
    return "\n".join(lines) + "\n"


def test_the_stub_has_the_docstrings_of_the_module():
    text = STUB.read_text()
    written = with_docstrings(text)
    if os.environ.get("STUBS") == "write":
        STUB.write_text(written)
    else:
        assert written == text, "run STUBS=write pytest src/python/tests/test_types.py"
    for node, doc in documented(ast.parse(written).body, _morello):
        assert ast.get_docstring(node) == doc and doc, node.name


def test_signatures_show_their_defaults():
    members = [value for owner in vars(_morello).values() if isinstance(owner, type) for value in vars(owner).values()]
    for value in [*vars(_morello).values(), *members]:
        assert "..." not in (getattr(value, "__text_signature__", None) or ""), value
    assert inspect.signature(morello.Engine).parameters["threads"].default == 1


def test_typed_dicts_have_the_keys_of_the_results():
    engine, book, boards = morello.Engine(), morello.Book(), batch.start_boards(2)
    game = morello.Game("f5")
    game.set_tags(black="a", white="b", black_rating=1, white_rating=2, event="c", date="d", result=3, ending="other")
    game.set_tags(theoretical=(1, 2), others={"Round": "1"})
    report, entry = engine.search("f5", depth=1), book.probe("f5")
    for result, kind in [
        (report.to_dict(), types.ReportDict),
        (report.lines[0].to_dict(), types.LineDict),
        (morello.Limits(depth=1).to_dict(), types.LimitsDict),
        (morello.Probe(result="win", plies=1, drawn_by_rule=False).to_dict(), types.ProbeDict),
        (entry.to_dict(), types.BookEntryDict),
        (entry.moves[0].to_dict(), types.BookMoveDict),
        (game.tags, types.Tags),
        (game.tags, types.TagChanges),
        (morello.opening_names()[0], types.OpeningDict),
        (morello.play_match(["random,name=a", "random"], games=2).to_dict(), types.MatchDict),
        (batch.search(boards, depth=1), types.SearchArrays),
        (batch.regret(boards, [19, 19], depth=1), types.RegretArrays),
        (batch.random_games(2), types.GameArrays),
        (batch.selfplay_games(2, depth=1, values=True), types.SelfPlayArrays),
        (batch.move_values(boards, depth=1), types.MoveValueArrays),
        (batch.replay([[19]]), types.ReplayArrays),
    ]:
        assert set(result) == set(kind.__annotations__), kind
        for name, value in result.items():
            expected = str(kind.__annotations__[name])
            if hasattr(value, "dtype"):
                assert f"NDArray[np.{value.dtype.name.replace('bool', 'bool_')}]" in expected, (kind, name)


@pytest.fixture
def run(tmp_path):
    """A function that runs a program of Python in a folder with the package, and returns what it prints."""
    # Type checkers do not work in the folder of installed packages.
    (tmp_path / "morello").symlink_to(PACKAGE, target_is_directory=True)

    def run(*command):
        result = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=tmp_path)
        return result.stdout + result.stderr

    return run


USER_CODE = '''
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import morello
from morello import batch
from morello.types import ReportDict, SearchArrays

position = morello.Position("f5d6c3")
assert_type(position.play("d3"), morello.Position)
assert_type(position.board, NDArray[np.uint64])
game = morello.Game(["f5", "d6"])
assert_type(game[0], str)
assert_type(game[:1], list[str])
assert_type(game.tags.get("black"), str | None)
game.set_tags(black="Ann", date=None)
report = morello.Engine(threads=None).search(game, depth=3, lines=2)
assert_type(report.lines[0].score, float)
plain: ReportDict = report.to_dict()
arrays: SearchArrays = batch.search(batch.start_boards(1), limits=morello.Limits(depth=2), threads=1)
assert_type(arrays["move"], NDArray[np.uint16])
entry = morello.Book().probe(position)
if entry is not None:
    assert_type(entry.moves[0].opening, str | None)
result = morello.play_match([lambda game: game.position.legal_moves()[0], "depth=1"], games=2)
assert_type(result.elo, float | None)
assert_type(result.rows, list[dict[str, Any]])
game.set_tags(blak="Ann")  # error
morello.Limits(dept=3)  # error
morello.Engine().search(5, depth=1)  # error
'''


@pytest.fixture
def files(tmp_path):
    """The files of the package that are typed here, and a program of a user."""
    (tmp_path / "sample.py").write_text(USER_CODE)
    paths = [path for path in PACKAGE.iterdir() if path.suffix in (".py", ".pyi")]
    return ["sample.py", *(f"morello/{path.name}" for path in paths)]


def errors(report):
    """The errors of a type checker in the package; it must report the wrong lines of the sample."""
    lines = [line for line in report.splitlines() if re.search(r"\berror:", line)]
    wrong = [number for number, line in enumerate(USER_CODE.splitlines(), 1) if "# error" in line]
    assert [int(line.split(":")[1]) for line in lines if "sample.py" in line] == wrong, report
    return [line for line in lines if "sample.py" not in line and "could not be resolved" not in line]


def test_mypy_checks_the_package_and_its_users(run, files):
    pytest.importorskip("mypy")
    assert not errors(run("mypy", "--strict", "--python-version", "3.10", "--ignore-missing-imports", *files))


def test_stubtest_finds_no_difference(run, tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = true\n")
    # The protocols of copy and pickle are no interface.
    (tmp_path / "allowed").write_text(r"morello\._morello\.(__all__|\w+\.__(copy|deepcopy|getnewargs_ex)__)")
    text = run("mypy.stubtest", "morello._morello", "--mypy-config-file", "mypy.ini", "--allowlist", "allowed")
    assert text.startswith("Success"), text


def test_pyright_checks_the_package_and_its_users(run, files):
    pytest.importorskip("pyright")
    assert not errors(run("pyright", "--pythonversion", "3.10", "--pythonpath", sys.executable, *files))
