#!/usr/bin/env python3
"""What the screen costs: CPU and bytes to the terminal over a minute, and a soak with random keys and resizes.

    python3 benches/screen.py target/release/nmeasimx                 # three scenes of a minute each
    python3 benches/screen.py target/release/nmeasimx --soak 3600     # an hour of random keys, resizes and sentences
    python3 benches/screen.py target/release/nmeasimx --stall 60      # a minute in which nobody reads the terminal

The program runs in a pseudo-terminal of 80x24 and is read all the time, as over a good link. CPU seconds are the process's
own, from /proc; resident memory likewise.
"""
import argparse
import fcntl
import os
import pty
import random
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import termios
import time

KEYS = [b"1", b"2", b"3", b"4", b"5", b"\t", b"z", b"?", b"\x1b", b" ", b".", b",", b"j", b"k", b"g", b"G", b"F", b"v", b"f",
        b"[", b"]", b"\x7f", b"e", b"m", b"u", b"'", b"\r", b"x", b"T", b"h", b"l", b"+", b"-", b"/", b"HDG\r", b"n", b"N", b":",
        b"50%\r", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[5~", b"\x1b[6~", b"a", b"!", b"\x0c"]
# What a key changes is changed back with the next one, so that the rate stays what it is.
BACK = {b" ": b" ", b".": b" ", b",": b" ", b"[": b"\x7f", b"]": b"\x7f", b"x": b"x", b"-": b"-"}
SIZES = [(200, 60), (120, 40), (80, 24), (60, 16), (40, 12), (20, 5), (1, 1), (132, 43)]


def size(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def start(arguments):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(arguments[0], arguments)
    size(fd, 80, 24)
    return pid, fd


def read(fd, until):
    """Bytes read until then; None when the program is gone."""
    count = 0
    while (left := until - time.monotonic()) > 0:
        if select.select([fd], [], [], left)[0]:
            try:
                got = os.read(fd, 65536)
            except OSError:
                return None
            if not got:
                return None
            count += len(got)
    return count


def cpu(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end(pid, fd):
    os.kill(pid, signal.SIGTERM)
    read(fd, time.monotonic() + 1)
    os.waitpid(pid, 0)


def scene(program, name, arguments, aim):
    pid, fd = start([program, *arguments])
    read(fd, time.monotonic() + 5)
    before = cpu(pid)
    count = read(fd, time.monotonic() + 60)
    used = cpu(pid) - before
    print(f"{name:34} {used:6.2f} CPU s in 60 s = {used / 0.6:5.2f} % of a core (aim {aim}), {count / 60:7.0f} B/s to the terminal, "
          f"{resident(pid):5.1f} MB resident", flush=True)
    end(pid, fd)


def soak(program, seconds, seed):
    """Random keys and resizes at 50 sentences a second; a client counts them."""
    chance = random.Random(seed)
    port = free_port()
    pid, fd = start([program, "run", "--rate", "360", "-o", f"tcp-server:{port}"])
    read(fd, time.monotonic() + 1)
    client = connected(port)
    sentences, heard, first, most = 0, time.monotonic(), None, 0
    begin, owed = time.monotonic(), b""
    while time.monotonic() - begin < seconds:
        if owed:
            os.write(fd, owed)
            owed = b""
        elif chance.random() < 0.05:
            size(fd, *chance.choice(SIZES))
        else:
            key = chance.choice(KEYS)
            os.write(fd, key)
            owed = BACK.get(key, b"")
        if read(fd, time.monotonic() + 0.1) is None:
            status = os.waitpid(pid, 0)[1]
            sys.exit(f"gone after {time.monotonic() - begin:.0f} s (seed {seed}): {os.waitstatus_to_exitcode(status)}")
        client = client or connected(port)
        try:
            while client and (got := client.recv(1 << 20)):
                sentences += got.count(b"\n")
                heard = time.monotonic()
            client = None  # some key has stopped the output
        except BlockingIOError:
            pass
        if time.monotonic() - heard > 0.5:
            # Some key has paused it.
            os.write(fd, b"\x1b")
            read(fd, time.monotonic() + 0.2)
            os.write(fd, b" ")
            heard = time.monotonic()
        if time.monotonic() - begin > min(60, seconds / 2):
            first = first or resident(pid)
            most = max(most, resident(pid))
    print(f"{seconds} s of random keys and resizes (seed {seed}), {sentences} sentences: resident {first:.1f} MB after a minute, "
          f"at most {most:.1f} MB later, {resident(pid):.1f} MB at the end")
    end(pid, fd)


def connected(port):
    try:
        client = socket.create_connection(("127.0.0.1", port), 0.1)
    except OSError:
        return None
    client.setblocking(False)
    return client


def stall(program, seconds):
    """A terminal that nobody reads; a client and a recording that must not notice."""
    folder = tempfile.mkdtemp()
    log = os.path.join(folder, "trip.log")
    port = free_port()
    pid, fd = start([program, "run", "--rate", "50", "-o", f"tcp-server:{port}", "--record", log])
    read(fd, time.monotonic() + 2)
    client = socket.create_connection(("127.0.0.1", port))
    client.settimeout(1)
    got = b""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            got += client.recv(65536)
        except TimeoutError:
            sys.exit("the client starved while the terminal was stalled")
    begin = time.monotonic()
    os.write(fd, b"q")
    if read(fd, time.monotonic() + 2) is not None:
        os.write(fd, b"y")
        read(fd, time.monotonic() + 3)
    client.close()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    lines = got.split(b"\r\n")[1:-1]
    with open(log, "rb") as file:
        recorded = [line.split(b" ", 1)[1] for line in file.read().splitlines() if not line.startswith(b"#")]
    first = recorded.index(lines[0])
    whole = recorded[first:first + len(lines)] == lines
    print(f"terminal stalled for {seconds} s: the client got {len(lines)} sentences, {'every one' if whole else 'NOT every one'} that was recorded; "
          f"left with q after {time.monotonic() - begin:.1f} s, status {status}")
    shutil.rmtree(folder)
    if not whole or status != 0:
        sys.exit(1)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--soak", type=int)
    arguments.add_argument("--stall", type=int)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    if given.soak:
        soak(given.program, given.soak, given.seed)
    elif given.stall:
        stall(given.program, given.stall)
    else:
        out = ["-o", "tcp-server:0"]
        scene(given.program, "paused", ["run", "--paused", *out], "below 1 %")
        scene(given.program, "20 sentences a second", ["run", *out], "3000 B/s")
        scene(given.program, "500 sentences a second", ["run", "--rate", "50", "--enable", "GLL,HDT,HDM,MWV-T,MWD,VWR,VWT", *out], "below 10 %")
