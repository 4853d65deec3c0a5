"""A program on a pseudo-terminal: presses keys and sees the screen, as a person does.

    app_screen.py COLUMNS ROWS PROGRAM ARGUMENT ...

Steps are lines of JSON on standard input, answered by lines of JSON in order:

    {"press": "text"}                    {"pressed": true}
    {"see": "text", "seconds": 60}       {"seen": true, "screen": ["...", ...]}
    {"gone": "text", "seconds": 60}      {"seen": true, "screen": [...]}
    {"resize": [COLUMNS, ROWS]}          {"resized": true}
    {"signal": 15}                       {"signalled": true}
    {"end": 60}                          {"exit": 0, "restored": true, "unknown": [...], ...}

The last one waits for the program's end: `restored` says whether the terminal's modes are those
from before and the first screen is shown again, `unknown` are sequences that the program never
needs, such as those that text of a stranger could smuggle in.

A picture that is drawn, with kitty's graphics or iTerm2's, stands on the screen as `PICTURE`, the
number of its bytes and their CRC-32.
"""

import base64
import codecs
import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata
import zlib


def cells(character):
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """As much of a terminal as the app uses."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.first, self.second = {}, {}
        self.is_second, self.is_cursor_shown, self.pastes = False, True, False
        self.row = self.column = 0
        self.pending = ""
        self.unknown = []
        self.bells = 0
        self.pieces = ""

    @property
    def cells(self):
        return self.second if self.is_second else self.first

    def lines(self):
        return [
            "".join(self.cells.get((row, column), " ") for column in range(self.columns)).rstrip()
            for row in range(self.rows)
        ]

    def feed(self, text):
        text = self.pending + text
        self.pending = ""
        at = 0
        while at < len(text):
            character = text[at]
            if character == "\x1b":
                end = self.sequence(text, at)
                if end is None:
                    self.pending = text[at:]
                    return
                at = end
                continue
            at += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, self.rows - 1)
            elif character == "\a":
                self.bells += 1
            elif unicodedata.category(character) == "Cc":
                self.unknown.append(repr(character))
            else:
                self.put(character)

    def put(self, character):
        width = cells(character)
        if width == 0:
            before = (self.row, max(0, self.column - 1))
            self.cells[before] = self.cells.get(before, " ") + character
            return
        if self.column + width > self.columns:
            self.unknown.append("a line that is too wide")
            return
        self.cells[(self.row, self.column)] = character
        if width == 2:
            self.cells[(self.row, self.column + 1)] = ""
        self.column += width

    def sequence(self, text, at):
        if at + 1 >= len(text):
            return None
        if text[at + 1] in "]_":
            return self.string(text, at)
        if text[at + 1] != "[":
            self.unknown.append(repr(text[at : at + 2]))
            return at + 2
        end = at + 2
        while end < len(text) and not "@" <= text[end] <= "~":
            end += 1
        if end >= len(text):
            return None
        self.control(text[at + 2 : end], text[end])
        return end + 1

    def string(self, text, at):
        ends = [(text.find(mark, at + 2), len(mark)) for mark in ("\x07", "\x1b\\")]
        ends = [end for end in ends if end[0] >= 0]
        if not ends:
            return None
        place, size = min(ends)
        body = text[at + 2 : place]
        if text[at + 1] == "]" and body.startswith("1337;File=inline=1;"):
            self.draw(body.partition(":")[2])
        elif text[at + 1] == "_" and body.startswith("G"):
            head, _, data = body[1:].partition(";")
            options = dict(part.split("=") for part in head.split(","))
            self.pieces += data
            if options.get("m") == "0":
                self.draw(self.pieces)
                self.pieces = ""
        else:
            self.unknown.append(repr(body[:40]))
        return place + size

    def draw(self, data):
        content = base64.b64decode(data, validate=True)
        for character in "PICTURE %d %08x" % (len(content), zlib.crc32(content)):
            self.put(character)

    def control(self, parameters, final):
        if final == "m":
            return
        if final == "H":
            numbers = [int(part or 1) for part in (parameters or "1;1").split(";")]
            self.row, self.column = numbers[0] - 1, numbers[-1] - 1
        elif final == "K":
            for column in range(self.column, self.columns):
                self.cells.pop((self.row, column), None)
        elif final == "J":
            for row in range(self.rows):
                for column in range(self.columns):
                    is_behind = (row, column) >= (self.row, self.column)
                    if parameters == "2" or is_behind:
                        self.cells.pop((row, column), None)
        elif parameters == "?1049":
            self.is_second = final == "h"
        elif parameters == "?25":
            self.is_cursor_shown = final == "h"
        elif parameters == "?2004":
            self.pastes = final == "h"
        elif parameters != "?7":
            self.unknown.append(repr(parameters + final))


class Terminal:
    def __init__(self, columns, rows, arguments):
        self.screen = Screen(columns, rows)
        self.master, self.slave = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

        def own():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            arguments,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            preexec_fn=own,
        )

    def resize(self, columns, rows):
        self.screen.columns, self.screen.rows = columns, rows
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Takes what the program writes within some time; false when there was nothing."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        # A character may be cut; the decoder keeps its bytes for the rest.
        self.screen.feed(self.decoder.decode(os.read(self.master, 65536)))
        return True

    def wait(self, text, is_wanted, seconds):
        deadline = time.monotonic() + seconds
        while True:
            if any(text in line for line in self.screen.lines()) == is_wanted:
                return True
            left = deadline - time.monotonic()
            if left <= 0 or self.process.poll() is not None and not self.read(0):
                return False
            self.read(min(left, 0.2))

    def end(self, seconds):
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.05)
        while self.read(0):
            pass
        is_restored = (
            termios.tcgetattr(self.slave) == self.before
            and not self.screen.is_second
            and self.screen.is_cursor_shown
            and not self.screen.pastes
        )
        return {
            "exit": self.process.poll(),
            "restored": is_restored,
            "unknown": self.screen.unknown,
            "bells": self.screen.bells,
            "screen": self.screen.lines(),
        }


def main():
    terminal = Terminal(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    try:
        for line in sys.stdin:
            step = json.loads(line)
            if "press" in step:
                os.write(terminal.master, step["press"].encode())
                answer = {"pressed": True}
            elif "resize" in step:
                while terminal.read(0.2):
                    pass
                terminal.resize(*step["resize"])
                answer = {"resized": True}
            elif "signal" in step:
                os.kill(terminal.process.pid, step["signal"])
                answer = {"signalled": True}
            elif "end" in step:
                answer = terminal.end(step["end"])
            else:
                is_wanted = "see" in step
                text = step["see"] if is_wanted else step["gone"]
                seen = terminal.wait(text, is_wanted, step.get("seconds", 60))
                answer = {"seen": seen, "screen": terminal.screen.lines()}
            print(json.dumps(answer), flush=True)
    finally:
        if terminal.process.poll() is None:
            terminal.process.send_signal(signal.SIGKILL)


main()
