"""Lines of standard input, answered as they come."""

from __future__ import annotations

import os
import subprocess
import threading

import pytest

from cli.support import PATIENCE, PROGRAM, SMALL_SOURCE, SMALL_TARGET, sample_lines

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="there are no such pipes")]


class Conversation:
    """A program that is told lines and asked for its answers."""

    def __init__(self, folder, *options):
        self.process = subprocess.Popen(
            [*PROGRAM, "align", "--load", "m", "-", "-q", *options],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._guard = threading.Timer(PATIENCE, self.process.kill)  # which ends a test that would wait for ever

    def __enter__(self):
        self._guard.start()
        return self

    def __exit__(self, *_):
        self._guard.cancel()
        self.process.kill()
        self.process.communicate()

    def say(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def hear(self):
        return self.process.stdout.readline().decode()

    def end(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("between", ["\t", " ||| "])
def test_each_line_is_answered_before_the_next_is_there(model, between):
    answers = model.align("s", "t", "--load", "m", "--no-adapt")
    assert len(set(answers)) > 1
    with Conversation(model.folder) as talk:
        for source, target, answer in zip(SMALL_SOURCE, SMALL_TARGET, answers, strict=True):
            talk.say(f"{source}{between}{target}\n")
            assert talk.hear() == f"{answer}\n"
            talk.say("\n")
            assert talk.hear() == "\n"
        assert talk.end() == (0, "", "")


def test_a_line_that_is_shorter_than_any_mark_of_compression_is_answered(model):
    with Conversation(model.folder) as talk:
        talk.say("\n")
        assert talk.hear() == "\n"
        talk.say("x\t\n")
        assert talk.hear() == "\n"


def test_a_line_that_comes_in_two_parts_is_answered_once(model):
    with Conversation(model.folder) as talk:
        talk.say("the house\tla maison\nthe ho")
        assert talk.hear() == "0-0 1-1\n"
        talk.say("use\tla maison\nthe cat\tle chat")
        assert talk.hear() == "0-0 1-1\n"
        assert talk.end() == (0, "0-0 1-1\n", "")  # the end of the input ends a line too


def test_the_last_answers_come_before_a_complaint(model):
    with Conversation(model.folder) as talk:
        talk.say("the house\tla maison\nthe cat\tle chat\nno translation\nthe house\tla maison\n")
        code, out, err = talk.end()
    assert (code, out) == (1, "0-0 1-1\n0-0 1-1\n")
    assert err == "pralign: standard input, line 3: no tab between the source and the target sentence\n"


def test_json_lines_are_answered_too_with_numbers_that_go_on(model):
    with Conversation(model.folder, "--format", "jsonl") as talk:
        for number in range(3):
            talk.say("the house\tla maison\n")
            assert talk.hear().startswith(f'{{"id": {number}, "links": [[0, 0], [1, 1]], ')


@pytest.mark.parametrize("format", ["pharaoh", "jsonl", "giza", "naacl", "talp", "scored"])
def test_many_lines_give_the_same_bytes_as_files_do(model, format):
    source, target = (["", *side] * 5 for side in sample_lines(460))
    model.write("s", source)
    model.write("t", target)
    lines = "".join(f"{left}\t{right}\n" for left, right in zip(source, target, strict=True))
    assert lines.count("\n") > 2000
    options = ("align", "--load", "m", "-q", "--format", format)
    by_files = model.ok(*options, "--no-adapt", "s", "t")
    by_pipe = model.process(*options, "-", stdin=lines.encode())
    assert (by_pipe.code, by_pipe.out) == (0, by_files.out)


def test_a_reader_that_goes_ends_it_quietly(model):
    with Conversation(model.folder) as talk:
        talk.say("the house\tla maison\n")
        assert talk.hear() == "0-0 1-1\n"
        talk.process.stdout.close()
        talk.say("the house\tla maison\n")
        assert talk.process.wait(PATIENCE) == 141
        assert talk.process.stderr.read() == b""
