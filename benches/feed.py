#!/usr/bin/env python3
"""What a live feed costs: 2 000 sentences a second over TCP into `monitor` with the screen on, for ten minutes.

    python3 benches/feed.py target/release/nmeasimx                   # ten minutes; exit status 1 when a sentence was lost
    python3 benches/feed.py target/release/nmeasimx --minutes 2 --view 2 --record

The feeder listens on a port of its own and sends what two dozen talkers say, each sentence different from the one before, on
time and not as fast as possible. The program runs in a pseudo-terminal that is read all the time, as over a good link. The
count of what it heard comes from its control socket; with `--record` every line of the recording is compared with what was sent.
CPU seconds are the process's own, from /proc, over the second minute; resident memory after the first minute and at the end.
"""
import argparse
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

from screen import cpu, end, read, resident, size, start

RATE = 2000
TICK = 0.01
BODIES = [
    "GPRMC,{t},A,37{m},N,02343.6502,E,6.5,{c},010126,4.6,E,A",
    "GPGGA,{t},37{m},N,02343.6502,E,1,09,0.9,12.0,M,34.0,M,,",
    "GPGLL,37{m},N,02343.6502,E,{t},A,A",
    "GPVTG,{c},T,,M,6.5,N,12.0,K,A",
    "GPZDA,{t},01,01,2026,00,00",
    "HEHDT,{c},T",
    "HCHDG,{c},,,4.6,E",
    "TIROT,{s},A",
    "IIVHW,{c},T,,M,6.4,N,11.9,K",
    "SDDPT,{d},0.5,100.0",
    "SDDBT,,f,{d},M,,F",
    "YXMTW,{d},C",
    "WIMWV,{c},R,{d},N,A",
    "WIMWV,{c},T,{d},N,A",
    "WIMWD,{c},T,,M,{d},N,,M",
    "AGRSA,{s},A,,V",
    "ERRPM,E,1,{r},100.0,A",
    "ERRPM,E,2,{r},100.0,A",
    "GPXTE,A,A,0.{n},L,N,A",
    "VWVLW,{r}.1,N,{d},N",
]


def sentence(n):
    """The n-th sentence: its values change with every round, so that no two in a row are alike."""
    k = n // len(BODIES)
    hundredths = k * 100 * len(BODIES) // RATE
    seconds = hundredths // 100
    values = {
        "t": f"{seconds // 3600 % 24:02}{seconds // 60 % 60:02}{seconds % 60:02}.{hundredths % 100:02}",
        "m": f"{59 - k / 600_000 % 1:07.4f}", "c": f"{k % 3600 / 10:05.1f}", "s": f"{k % 100 / 10 - 5:.1f}",
        "d": f"{10 + k % 50 / 10:.1f}", "r": 1000 + k % 500, "n": f"{k % 100:03}",
    }
    body = BODIES[n % len(BODIES)].format(**values).encode()
    total = 0
    for byte in body:
        total ^= byte
    return b"$%s*%02X\r\n" % (body, total)


class Feeder(threading.Thread):
    """Sends to the first who connects, `count` sentences at `RATE` a second."""

    def __init__(self, count):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.count, self.sent, self.late = count, 0, 0.0
        self.digest = hashlib.sha256()
        self.over = threading.Event()

    def run(self):
        to, _ = self.listener.accept()
        begin = time.monotonic()
        while self.sent < self.count:
            due = min(self.count, int((time.monotonic() - begin) * RATE))
            if due > self.sent:
                lines = [sentence(n) for n in range(self.sent, due)]
                to.sendall(b"".join(lines))
                for line in lines:
                    self.digest.update(line[:-2] + b"\n")
                self.sent = due
                self.late = max(self.late, time.monotonic() - begin - due / RATE)
            time.sleep(TICK)
        self.over.set()
        time.sleep(3600)


def heard(program, address):
    """Sentences of the first input, by the control socket."""
    words = subprocess.run([program, "ctl", address, "status"], capture_output=True, check=True, timeout=30).stdout
    return json.loads(words)


def recorded(path):
    digest, count = hashlib.sha256(), 0
    with open(path, "rb") as log:
        for line in log:
            if not line.startswith(b"#"):
                digest.update(line.split(b" ", 1)[1])
                count += 1
    return count, digest


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--minutes", type=float, default=10)
    arguments.add_argument("--view", default="1", help="the view on the screen: 1 to 5")
    arguments.add_argument("--size", default="80x24")
    arguments.add_argument("--record", action="store_true")
    given = arguments.parse_args()
    feeder = Feeder(int(given.minutes * 60 * RATE))
    feeder.start()
    with tempfile.TemporaryDirectory() as folder:
        socket_path, log = os.path.join(folder, "control"), os.path.join(folder, "feed.log")
        address = f"unix:{socket_path}"
        record = ["--record", log] if given.record else []
        pid, fd = start([given.program, "monitor", f"tcp:127.0.0.1:{feeder.port}", "--control", address, *record])
        columns, rows = given.size.split("x")
        size(fd, int(columns), int(rows))
        begin = time.monotonic()
        read(fd, begin + 2)
        os.write(fd, given.view.encode())
        read(fd, begin + 60)
        first, used = resident(pid), cpu(pid)
        count = read(fd, begin + 120)
        used, late = cpu(pid) - used, 0
        while not feeder.over.is_set():
            read(fd, time.monotonic() + 0.5)
        last = resident(pid)
        read(fd, time.monotonic() + 3)
        status = heard(given.program, address)
        got = status["inputs"][0]["sentences"]
        end(pid, fd)
        print(f"view {given.view} at {given.size}{', recording' if given.record else ''}: {feeder.sent} sentences sent, {got} heard, "
              f"{status['counts']['bad_checksum']} bad; feeder at most {feeder.late * 1000:.0f} ms late")
        print(f"{used:.2f} CPU s in the second minute = {used / 0.6:.1f} % of a core (aim below 15 %), {count / 60:.0f} B/s to the terminal")
        print(f"resident {first:.1f} MB after the first minute, {last:.1f} MB at the end ({last - first:+.1f} MB, aim at most +2)")
        lost = got != feeder.sent
        if given.record:
            lines, digest = recorded(log)
            same = digest.digest() == feeder.digest.digest()
            print(f"recorded {lines} lines, {'exactly what was sent' if same else 'NOT what was sent'}")
            lost = lost or not same
        sys.exit(1 if lost or last - first > 2 else 0)


if __name__ == "__main__":
    main()
