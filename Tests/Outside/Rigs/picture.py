#!/usr/bin/env python3
"""Draws the picture of the README: two phones, and what each of them shows.

    picture.py BELFRY OUT.svg          `make picture` runs it

A hub, an app backend and two apps run in a folder of their own. Alice writes to Bob, and both
screens are drawn as they are then.
"""
import html, json, os, signal, subprocess, sys, tempfile

COLUMNS, ROWS = 64, 12
CELL, LINE, EDGE = 7.83, 17, 14


class Phone:
    """An app on a terminal of its own."""

    def __init__(self, belfry, folder, name):
        screen = os.path.join(os.path.dirname(__file__), "..", "Interop", "app_screen.py")
        self.program = subprocess.Popen(
            [sys.executable, screen, str(COLUMNS), str(ROWS), belfry, "app",
             "--backend-data", f"{folder}/data-backend", "--folder", f"{folder}/{name}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.see("Password:")
        self.ask({"press": f"{name}\rdrink more tea\r"})
        self.see("Registered successfully!")
        self.see(f"{name} | apple | connected")

    def ask(self, step):
        print(json.dumps(step), file=self.program.stdin, flush=True)
        return json.loads(self.program.stdout.readline())

    def see(self, text):
        answer = self.ask({"see": text, "seconds": 60})
        if not answer["seen"]:
            sys.exit(f"'{text}' never came: {answer['screen']}")
        return answer["screen"]

    def end(self):
        self.ask({"press": "\x03"})
        self.ask({"end": 20})


def started(command, mark):
    """A program that has printed a line with `mark`."""
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in program.stdout:
        if mark in line:
            return program
    sys.exit(f"{command[1]} did not start")


def drawn(title, screen, left):
    """A screen as SVG, with its title."""
    height = EDGE + LINE * (ROWS + 1)
    parts = [f'<rect x="{left}" y="0" width="{COLUMNS * CELL + 2 * EDGE:.0f}" height="{height + EDGE}" rx="10" fill="#14181d"/>',
             f'<text x="{left + EDGE}" y="{LINE + 4}" fill="#8b98a5">{html.escape(title)}</text>']
    for number, line in enumerate(screen):
        if line:
            color = "#ffffff" if line.startswith(">") else "#c9d3dc"
            y = EDGE + LINE * (number + 2)
            parts.append(f'<text x="{left + EDGE}" y="{y}" fill="{color}">{html.escape(line)}</text>')
    return parts


def main():
    belfry, out = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        data = ["--data", f"{folder}/data"]
        hub = started([belfry, "serve", *data, "--rest-port", "0", "--device-port", "0"], "REST on ")
        for name in ("alice", "bob"):
            subprocess.run([belfry, "backend", "user", "add", name, *data], input="drink more tea\n",
                           text=True, check=True, stdout=subprocess.DEVNULL)
        backend = started([belfry, "backend", *data, "--port", "0"], "https://localhost:")
        bob, alice = Phone(belfry, folder, "bob"), Phone(belfry, folder, "alice")
        alice.ask({"press": "3bob\r"})
        for text in ("The train is late.", "Meet me at the bridge at nine?"):
            alice.ask({"press": f"{text}\r"})
            bob.see(text)
        alice.see("Sent.")
        screens = [alice.ask({"see": ""})["screen"], bob.see("bridge")]
        for each in (bob, alice):
            each.end()
        for each in (backend, hub):
            each.send_signal(signal.SIGTERM)
            each.wait(60)
    step = COLUMNS * CELL + 2 * EDGE + 16
    parts = drawn("alice: belfry app", screens[0], 0) + drawn("bob: belfry app", screens[1], round(step))
    width, height = round(2 * step - 16), EDGE * 2 + LINE * (ROWS + 1)
    with open(out, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                   'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" '
                   'xml:space="preserve">\n' + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
