"""The examples of the guide."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "guide" / "python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example):
    if "analyze_stream" in example:
        pytest.importorskip("pyarrow")
    exec(compile(example, str(PAGE), "exec"), {"morello": __import__("morello")})


def test_the_page_has_examples():
    assert len(EXAMPLES) >= 6
