#!/usr/bin/env python3
"""Many TCP clients for ten minutes: who reads gets every sentence, who does not is cut off, and memory stands still.

    python3 benches/clients.py target/release/nmeasimx                  # 180 good, 10 that never read, 10 at a byte a second
    python3 benches/clients.py target/release/nmeasimx --seconds 120    # shorter

50 sentences a second, headless. What every good client received is compared, byte for byte, with what the program recorded.
Resident memory is the process's own, from /proc, after one minute and just before the end.
"""
import argparse
import hashlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

SAID = ["RMC", "GGA", "GLL", "VTG", "ZDA", "HDG", "VHW", "DPT", "MTW", "MWV-R"]  # ten, each five times a second
SILENT = ["GSA", "GSV", "ROT", "DBT", "RSA", "RPM", "XDR"]


class Good:
    def __init__(self, address):
        self.socket = socket.create_connection(address)
        self.socket.setblocking(False)
        self.sum, self.sentences, self.open = hashlib.sha256(), 0, True

    def read(self):
        while self.open:
            try:
                got = self.socket.recv(65536)
            except BlockingIOError:
                return
            except ConnectionResetError:
                got = b""
            self.open = bool(got)
            self.sum.update(got)
            self.sentences += got.count(b"\n")


def slow(address):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.connect(address)
    s.setblocking(False)
    return s


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        told = dict(line.split(":", 1) for line in status)
    return int(told["VmRSS"].split()[0]) / 1024


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seconds", type=int, default=600)
    arguments.add_argument("--good", type=int, default=180)
    arguments.add_argument("--slow", type=int, default=10, help="of each kind: never reading, a byte a second")
    arguments.add_argument("--every", type=int, default=60, help="seconds between two lines of memory")
    given = arguments.parse_args()

    folder = tempfile.mkdtemp(prefix="nmeasimx-clients-")
    control, record = os.path.join(folder, "socket"), os.path.join(folder, "reference.nmea")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        address = s.getsockname()
    command = [given.program, "run", "--headless", "--quiet", "--paused", "--seed", "1", "--rate", "200",
               "--duration", str(given.seconds), "--control", f"unix:{control}", "--record", record,
               "-o", f"tcp-server:127.0.0.1:{address[1]}"]
    for way, names in (("--enable", SAID), ("--disable", SILENT)):
        command += [word for name in names for word in (way, name)]
    errors = open(os.path.join(folder, "errors"), "w+")
    log_file = os.path.join(folder, "log")
    program = subprocess.Popen([*command, "--log-file", log_file], stdout=subprocess.DEVNULL, stderr=errors)
    for _ in range(100):
        try:
            socket.create_connection(address).close()
            break
        except OSError:
            time.sleep(0.1)
    good = [Good(address) for _ in range(given.good)]
    never = [slow(address) for _ in range(given.slow)]
    drip = [slow(address) for _ in range(given.slow)]
    time.sleep(1)
    subprocess.run([given.program, "ctl", f"unix:{control}", "play"], check=True, stdout=subprocess.DEVNULL)

    start, first, last, second, told = time.monotonic(), None, None, 0, 0
    while program.poll() is None or any(client.open for client in good):
        for client in good:
            client.read()
        now = time.monotonic() - start
        if now >= second + 1:
            second += 1
            for s in drip:
                try:
                    s.recv(1)
                except OSError:
                    pass
            try:
                resident = memory(program.pid)
            except (OSError, KeyError):
                continue
            if second == min(60, given.seconds // 2):
                first = resident
            if second < given.seconds:
                last = resident
            if second >= told + given.every:
                told = second
                print(f"{second:5} s  {resident:6.2f} MB", flush=True)
        time.sleep(0.2)

    with open(record, "rb") as log:
        lines = [line.split(b" ", 1)[1].rstrip(b"\n") + b"\r\n" for line in log if not line.startswith(b"#")]
    wanted = hashlib.sha256(b"".join(lines)).digest()
    exact = sum(client.sum.digest() == wanted for client in good)
    counts = sorted({client.sentences for client in good})
    with open(log_file) as log:
        cut = len(re.findall(r"took nothing for 10 s and was cut off", log.read()))
    print(f"{len(lines)} sentences in {given.seconds} s ({len(SAID) * 5 * given.seconds} due), exit status {program.returncode}")
    print(f"{exact} of {len(good)} good clients received exactly these; counts {counts}")
    print(f"{cut} of {len(never) + len(drip)} slow clients were cut off, and said so")
    print(f"resident {first:.2f} MB after a minute, {last:.2f} MB at the end: {last - first:+.2f} MB (aim: at most +2)")
    right = exact == len(good) and len(lines) == len(SAID) * 5 * given.seconds and cut == len(never) + len(drip) and last - first <= 2
    return 0 if right and program.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
