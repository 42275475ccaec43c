"""The two commands do not drift apart: every option of ./arraywire is one of Python's, and has the same kind of value."""

import pathlib
import re

import pytest

from arraywire import _cli
from arraywire._cli import _help, _parser

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
OPTION = re.compile(r"^ {2,8}(?:-\w, )?(--[a-z-]+)(?:[\[= ]{1,2}([A-Z][A-Z:|]*)\b)?", re.MULTILINE)


def options(text):
    """Names and the values that they take, of a page of help."""
    return dict(OPTION.findall(text))


@pytest.mark.parametrize("name", ["send", "receive"])
def test_help_has_the_options_of_java(name, command, capsys):
    theirs = options(command(name, "--help", own=True).process.stdout.read())
    assert _cli.main([name, "--help"]) == 0
    ours = options(capsys.readouterr().out)
    assert len(theirs) > 15 and ours == theirs


def test_the_page_says_which_values_python_has_not():
    """With the reason, so that nobody looks for them in vain."""
    text = PAGE.read_text()
    section = text[text.index("## The command") :].partition("\n## ")[0]
    for value in ("`direct`", "`transfer`", "`shuffle-lz4`", "`--transport`", "`--codec`", "`copiedBytes`"):
        assert value in section, value


def test_every_option_of_the_help_is_read():
    for page in _help.PAGES.values():
        for option in page.options:
            name = option.name[2:].replace("-", "_")
            assert name == "verbose" or name in _parser.Options.__dataclass_fields__, name


def test_codecs_have_the_encodings_of_the_guide():
    """The guide has the table of Java's codecs, which a test of Java compares with the code."""
    guide = (PAGE.parent / "guide.md").read_text()
    table = dict(re.findall(r"^\| `([a-z0-9-]+)` \| `([a-z0-9-]+)` \|", guide, re.MULTILINE))
    assert len(table) >= 10
    for codec, encoding in table.items():
        assert codec in _parser.COMPRESSIONS or _parser.CODECS[codec] == encoding, codec
