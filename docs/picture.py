#!/usr/bin/env python3
"""Pictures of the real program for the README: runs it in tmux and takes the screen, with colours as SVG, as text at 80x24.

    cargo build --release && python3 docs/picture.py target/release/nmeasimx    # needs tmux

Draws nothing of its own: what stands in a picture stood on the screen. A text goes into the block of README.md behind the line
`<!-- screen: NAME -->`.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import escape

COLUMNS, ROWS = 100, 30  # of an SVG
WIDE, HIGH = 8.4, 18
BACK, FORE = "#14181d", "#c9d1d9"
COLOURS = ["#30363d", "#f47067", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#c9d1d9",
           "#768390", "#ff938a", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#ffffff"]
SCENES = {  # file: arguments, keys with the seconds to wait before each
    "simulate": (["run", "-p", "profiles/coastal-passage.toml", "-o", "tcp-server:0"], [(40, "")]),
    "replay": (["replay", "logs/mixed.log", "--paused", "-o", "tcp-server:0"], [(1, "........e")]),
    "diagnose": (["run", "-p", "profiles/faults.toml", "-o", "tcp-server:0", "--speed", "4"], [(1, "2"), (25, "")]),
    "chart": (["run", "-p", "profiles/busy-ais.toml", "-o", "tcp-server:0", "--speed", "4"], [(1, "3"), (20, "---"), (2, "")]),
}


def colour(number):
    return COLOURS[number] if number < 16 else FORE


class Pen:
    """What SGR says of the text behind it."""

    def __init__(self):
        self.set([0])

    def set(self, codes):
        codes = list(codes)
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.fore, self.back, self.bold, self.dim, self.reverse = None, None, False, False, False
            elif code in (1, 2, 7):
                setattr(self, {1: "bold", 2: "dim", 7: "reverse"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code == 27:
                self.reverse = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.fore = code - 30 if code < 90 else code - 82
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.back = code - 40 if code < 100 else code - 92
            elif code in (38, 48) and codes[:1] == [5]:
                setattr(self, "fore" if code == 38 else "back", codes[1])
                codes = codes[2:]
            elif code == 39:
                self.fore = None
            elif code == 49:
                self.back = None

    def look(self):
        fore = FORE if self.fore is None else colour(self.fore)
        back = None if self.back is None else colour(self.back)
        if self.reverse:
            fore, back = back or BACK, fore
        return fore, back, self.bold, self.dim


def svg(screen):
    """A screen with its escape sequences as SVG."""
    width, height = COLUMNS * WIDE + 16, ROWS * HIGH + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">',
           f'<rect width="100%" height="100%" rx="6" fill="{BACK}"/>',
           '<g font-family="ui-monospace, \'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">']
    pen = Pen()
    for y, line in enumerate(screen.split("\n")[:ROWS]):
        x = 0
        for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
            if piece.startswith("\x1b["):
                pen.set(int(code or 0) for code in piece[2:-1].split(";"))
                continue
            piece = re.sub(r"[\x00-\x1f\x7f]", "", piece)  # charset shifts and the like
            if not piece:
                continue
            fore, back, bold, dim = pen.look()
            left, top, long = 8 + x * WIDE, 8 + y * HIGH, len(piece) * WIDE
            if back:
                out.append(f'<rect x="{left:.1f}" y="{top}" width="{long:.1f}" height="{HIGH}" fill="{back}"/>')
            if piece.strip():
                style = (' font-weight="bold"' if bold else "") + (' opacity="0.65"' if dim else "")
                out.append(f'<text x="{left:.1f}" y="{top + 13.5}" textLength="{long:.1f}" lengthAdjust="spacingAndGlyphs" '
                           f'fill="{fore}"{style}>{escape(piece)}</text>')
            x += len(piece)
    return "\n".join(out + ["</g>", "</svg>", ""])


def take(program, arguments, keys, columns=COLUMNS, rows=ROWS, colours=True):
    """The screen after the keys."""
    tmux = ["tmux", "-L", f"picture{os.getpid()}"]
    with tempfile.TemporaryDirectory() as home:
        # not its first run: no hint
        os.makedirs(f"{home}/.local/state/nmeasimx")
        open(f"{home}/.local/state/nmeasimx/nmeasimx.log", "w", encoding="utf-8").close()
        command = ["env", f"HOME={home}", "TERM=xterm-256color", program, *arguments]
        subprocess.run([*tmux, "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), *command], check=True)
        time.sleep(1)
        for wait, key in keys:
            time.sleep(wait)
            if key:
                subprocess.run([*tmux, "send-keys", "-l", "--", key], check=True)
                time.sleep(1)
        command = [*tmux, "capture-pane", "-p", *(["-e"] if colours else [])]
        screen = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        subprocess.run([*tmux, "kill-server"], check=True)
    return screen


def put(readme, name, screen):
    """The README with another text in the block of that name."""
    text = "\n".join(line.rstrip() for line in screen.rstrip("\n").split("\n"))
    pattern = rf"(<!-- screen: {name} -->\n```text\n).*?(```\n)"
    return re.sub(pattern, lambda m: f"{m[1]}{text}\n{m[2]}", readme, flags=re.DOTALL)


if __name__ == "__main__":
    program = os.path.abspath(sys.argv[1])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    with open("README.md", encoding="utf-8") as file:
        readme = file.read()
    for name, (arguments, keys) in SCENES.items():
        if f"docs/{name}.svg" in readme:
            with open(f"docs/{name}.svg", "w", encoding="utf-8") as file:
                file.write(svg(take(program, arguments, keys)))
            print(f"docs/{name}.svg")
        if f"screen: {name} -->" in readme:
            readme = put(readme, name, take(program, arguments, keys, 80, 24, False))
            print(f"README.md: {name}")
    with open("README.md", "w", encoding="utf-8") as file:
        file.write(readme)
