#!/usr/bin/env python3
"""Two hosts in network namespaces of their own, and a small file system: what loopback cannot show.

    sudo python3 tests/peers/namespaces.py target/release/nmeasimx              # all, four minutes
    sudo python3 tests/peers/namespaces.py target/release/nmeasimx broadcast    # one of: broadcast link unplugged stalled disk

Makes two namespaces joined by a veth pair (iproute2), sends from the one and listens in the other, and takes the line away
in between: broadcast, multicast with its TTL and IEC 61162-450 arrive at the second host; after 20 s without a line
everything goes on by itself, with one event each way and no flood. A tmpfs of 5 MB in a mount namespace fills while it is
recorded to. Needs root; touches no interface and no mount but its own, and takes them away again.
"""
import collections
import contextlib
import ctypes
import json
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

A, B = f"nx{os.getpid()}a", f"nx{os.getpid()}b"  # namespaces: the boat's computer, the plotter
NEAR, FAR, EVERYBODY = "10.77.0.1", "10.77.0.2", "10.77.0.255"
GROUP, NAVD, LINK_GROUP = "239.1.2.3", "239.192.0.4", "ff02::114"
DOWN = 20  # seconds without a line
IP_RECVTTL = 12  # not in every Python
libc = ctypes.CDLL(None, use_errno=True)
results, programs = [], []


def report(name, good, detail):
    results.append(bool(good))
    print(f"{'ok  ' if good else 'FAIL'} {name}: {detail}", flush=True)


def ip(*words, ns=None):
    subprocess.run(["ip", *(["-n", ns] if ns else []), *words], check=True)


def join_hosts():
    ip("link", "add", "a0", "netns", A, "type", "veth", "peer", "name", "b0", "netns", B)
    for ns, name, address in ((A, "a0", NEAR), (B, "b0", FAR)):
        ip("addr", "add", f"{address}/24", "broadcast", EVERYBODY, "dev", name, ns=ns)
        ip("link", "set", name, "up", ns=ns)
        ip("link", "set", "lo", "up", ns=ns)


def make_hosts():
    for ns in (A, B):
        ip("netns", "add", ns)
    join_hosts()


@contextlib.contextmanager
def inside(ns):
    """Sockets made in here belong to that namespace."""
    def enter(there):
        if libc.setns(there.fileno(), 0x40000000) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    with open("/proc/self/ns/net") as own, open(f"/run/netns/{ns}") as other:
        enter(other)
        try:
            yield
        finally:
            enter(own)


class Udp:
    """Hears datagrams at the second host."""

    def __init__(self, port, group=None):
        with inside(B):
            self.group, self.six = group, ":" in (group or "")
            self.socket = socket.socket(socket.AF_INET6 if self.six else socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if not self.six:
                self.socket.setsockopt(socket.IPPROTO_IP, IP_RECVTTL, 1)
            self.socket.bind(("" if self.six else group or "", port))
            self.join()
        self.socket.setblocking(False)
        self.count, self.bad, self.ttl, self.last = 0, 0, None, b""

    def join(self):
        if self.group:
            there = socket.if_nametoindex("b0")
            if self.six:
                membership = socket.inet_pton(socket.AF_INET6, self.group) + struct.pack("I", there)
                return self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership)
            self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                                   struct.pack("4s4si", socket.inet_aton(self.group), bytes(4), there))

    def read(self):
        while True:
            try:
                data, extra, _, _ = self.socket.recvmsg(2048, 64)
            except BlockingIOError:
                return
            for _, kind, value in extra:
                if kind == socket.IP_TTL:
                    self.ttl = struct.unpack("i", value)[0]
            self.last = data
            self.count += 1
            self.bad += not is_sentence(data)


class Reader:
    """A plotter: connects to a server, again when it is cut off, and counts whole sentences."""

    def __init__(self, port):
        self.port, self.socket, self.rest, self.connections = port, None, b"", 0
        self.count, self.bad, self.tried = 0, 0, 0

    def read(self):
        if self.socket is None:
            if time.monotonic() - self.tried < 0.5:
                return
            self.tried = time.monotonic()
            with inside(B):
                self.socket = socket.socket()
                self.socket.settimeout(0.3)
            try:
                self.socket.connect((NEAR, self.port))
                self.socket.setblocking(False)
                self.connections += 1
            except OSError:
                self.socket = None
                return
        take(self)


class Server:
    """A gateway: listens, takes one connection at a time, and counts whole sentences."""

    def __init__(self, port):
        with inside(B):
            self.listener = socket.socket()
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.listener.bind(("", port))
            self.listener.listen()
        self.listener.setblocking(False)
        self.socket, self.rest, self.count, self.bad, self.connections = None, b"", 0, 0, 0

    def read(self):
        with contextlib.suppress(BlockingIOError):
            self.socket = self.listener.accept()[0]
            self.socket.setblocking(False)
            self.connections, self.rest = self.connections + 1, b""
        if self.socket:
            take(self)


def take(peer):
    try:
        while got := peer.socket.recv(65536):
            *lines, peer.rest = (peer.rest + got).split(b"\r\n")
            peer.count += len(lines)
            peer.bad += sum(not is_sentence(line) for line in lines)
    except BlockingIOError:
        return
    except OSError:
        pass
    peer.socket, peer.rest = None, b""


def is_sentence(data):
    """A right checksum behind $ or !, with nothing else but what IEC 61162-450 puts in front."""
    found = re.fullmatch(rb"(?:UdPbC\0\\[^\\]*\\)?[$!]([^*]*)\*([0-9A-F]{2})(?:\r\n)?", data)
    total = 0
    for byte in found[1] if found else b"":
        total ^= byte
    return bool(found) and total == int(found[2], 16)


def listen(peers, seconds, until=None):
    """Counts of what each peer hears in that time; with `until`: how long it took until all heard something again."""
    before, start, heard = {name: peer.count for name, peer in peers.items()}, time.monotonic(), {}
    while (now := time.monotonic() - start) < seconds:
        select.select([p.socket for p in peers.values() if p.socket], [], [], 0.1)
        for name, peer in peers.items():
            peer.read()
            if peer.count > before[name]:
                heard.setdefault(name, now)
        if until and len(heard) == len(peers):
            break
        time.sleep(0.05)
    return heard if until else {name: peer.count - before[name] for name, peer in peers.items()}


class Program:
    """The program in a namespace, and what it says of itself."""

    def __init__(self, binary, *words, ns=A):
        self.binary, self.folder = binary, tempfile.mkdtemp(prefix="nmeasimx-ns-")
        self.log, self.control = os.path.join(self.folder, "log"), os.path.join(self.folder, "s")
        self.process = subprocess.Popen(["ip", "netns", "exec", ns, binary, words[0], "--headless", "--quiet", "--log-file", self.log,
                                         "--control", f"unix:{self.control}", *words[1:]],
                                        stdout=subprocess.DEVNULL, env=dict(os.environ, HOME=self.folder))
        programs.append(self)
        for _ in range(100):
            if os.path.exists(self.control):
                break
            time.sleep(0.1)

    def status(self):
        return json.loads(subprocess.run([self.binary, "ctl", f"unix:{self.control}", "status"], check=True, stdout=subprocess.PIPE).stdout)

    def events(self):
        with open(self.log) as log:
            return [line.strip() for line in log if "output" in line or "input" in line or "udp " in line]

    def end(self):
        self.process.terminate()
        status = self.process.wait(10)
        shutil.rmtree(self.folder)
        return status


def show(counts):
    return " ".join(f"{name} {count:.1f}" if isinstance(count, float) else f"{name} {count}" for name, count in counts.items())


def outputs():
    """Each output with the peer that hears it."""
    return {
        f"udp-broadcast:a0:2001": lambda: Udp(2001),
        f"udp-broadcast:2002": lambda: Udp(2002),
        f"udp-broadcast:{EVERYBODY}:2003": lambda: Udp(2003),
        f"udp-broadcast:{NEAR}:2004": lambda: Udp(2004),
        f"udp-multicast:{GROUP}:2005;interface=a0;ttl=4": lambda: Udp(2005, GROUP),
        f"udp-multicast:{GROUP}:2006": lambda: Udp(2006, GROUP),
        f"udp-multicast;encoding=iec61162-450;interface={NEAR}": lambda: Udp(60004, NAVD),
        f"udp-multicast:[{LINK_GROUP}]:2010": lambda: Udp(2010, LINK_GROUP),
        f"udp:{FAR}:2007": lambda: Udp(2007),
        f"tcp-server:0.0.0.0:2008": lambda: Reader(2008),
        f"tcp-client:{FAR}:2009": lambda: Server(2009),
    }


def start(binary, *more):
    made = {spec: make() for spec, make in outputs().items()}
    program = Program(binary, "run", *more, *[word for spec in made for word in ("-o", spec)])
    return program, made


def all_of(peers, counts, least):
    return all(counts[name] >= least for name in peers)


def broadcast(binary):
    """Everything arrives at the second host, whole."""
    program, peers = start(binary)
    listen(peers, 5, until=True)
    counts = listen(peers, 5)
    report("all arrive at the second host", all_of(peers, counts, 40) and not any(p.bad for p in peers.values()),
           "sentences in 5 s: " + show(counts))
    ttl = {name: peer.ttl for name, peer in peers.items() if "multicast" in name and not peer.six}
    report("multicast has the TTL that was asked for", [ttl[n] == (4 if "ttl=4" in n else 1) for n in ttl] == [True] * 3, show(ttl))
    navd = next(p for name, p in peers.items() if "iec" in name).last
    report("IEC 61162-450", re.match(rb"UdPbC\0\\(g:[^,]*,)?s:II0001,n:\d+\*..\\[$!]", navd), navd)
    sent = {o["spec"]: o["state"] for o in program.status()["outputs"]}
    report("all are open", set(sent.values()) == {"open"}, sorted(set(sent.values())))
    report("ends in order", program.end() == 143, "status 143 after SIGTERM")


def interrupted(binary, name, take, give, *more):
    program, peers = start(binary, *more)
    listen(peers, 8, until=True)
    before = len(program.events())
    take()
    listen(peers, 4)
    silent = listen(peers, DOWN - 4)
    states = collections.Counter(o["state"] for o in program.status()["outputs"])
    errors = [f"{o['spec']}: {o['last_error']}" for o in program.status()["outputs"] if o.get("last_error")]
    during = program.events()[before:]
    give()
    again = listen(peers, 60, until=True)
    counts = listen(peers, 5)
    after = program.events()[before:]
    report(f"{name}: nothing while there is no line", not any(silent.values()), f"states then: {dict(states)}")
    for error in errors:
        print(f"     {error}")
    report(f"{name}: all go on by themselves", all_of(peers, counts, 20) and not any(p.bad for p in peers.values()),
           "seconds until the first sentence: " + show(again) + f"; in 5 s: {sum(counts.values())} sentences")
    per_output = collections.Counter(m[1] for e in after if (m := re.search(r"output (\d+) ", e)))
    report(f"{name}: one event each way, no flood", all(n <= 2 for n in per_output.values()),
           f"{len(during)} events while away, {len(after) - len(during)} after; per output {dict(per_output)}")
    for event in after:
        print(f"       {event[:170]}")
    states = {o["spec"]: o["state"] for o in program.status()["outputs"]}
    report(f"{name}: all are open again", set(states.values()) == {"open"}, sorted(set(states.values())))
    connections = {n: p.connections for n, p in peers.items() if isinstance(p, (Reader, Server))}
    print(f"     TCP connections made in all: {show(connections)}")
    report(f"{name}: ends in order", program.end() == 143, "status 143 after SIGTERM")


def link(binary):
    """The interface is taken down, and the cable pulled at the other end."""
    interrupted(binary, "interface down", lambda: ip("link", "set", "a0", "down", ns=A), lambda: ip("link", "set", "a0", "up", ns=A))
    interrupted(binary, "cable pulled", lambda: ip("link", "set", "b0", "down", ns=B), lambda: ip("link", "set", "b0", "up", ns=B))


def unplugged(binary):
    """The adapter itself goes, and comes back under its name; a monitor at the other host hears the group again."""
    monitor = Program(binary, "monitor", f"udp:{GROUP}:2006", "udp:2002", f"udp:[{LINK_GROUP}]:2010", ns=B)

    def back():
        join_hosts()
        with inside(B):
            for group in (GROUP, NAVD, LINK_GROUP):  # as the program itself does; a group is left when its interface goes
                for peer in (p for p in gone["peers"] if p.group == group):
                    peer.join()

    gone = {"peers": []}
    make = Udp.__init__

    def remember(self, *words):
        make(self, *words)
        gone["peers"].append(self)

    Udp.__init__ = remember
    try:
        interrupted(binary, "adapter unplugged", lambda: ip("link", "del", "a0", ns=A), back)
    finally:
        Udp.__init__ = make
    inputs = monitor.status()
    program, peers = start(binary)
    listen(peers, 8, until=True)
    first = monitor.status()
    listen(peers, 12)
    then = monitor.status()
    told = [(a["spec"], b["sentences"] - a["sentences"]) for a, b in zip(first["inputs"], then["inputs"])]
    report("monitor: hears the group and the broadcast again", all(n > 40 for _, n in told), told)
    del inputs
    for p in (program, monitor):
        p.end()


def stalled(binary):
    """So much is said that the kernel cannot hold it for 20 s: TCP peers are cut off, and served again."""
    interrupted(binary, "interface down at 500 sentences a second", lambda: ip("link", "set", "a0", "down", ns=A),
                lambda: ip("link", "set", "a0", "up", ns=A), "--rate", "50", "--enable", "GLL,HDT,HDM,MWV-T,MWD,VWR,VWT")


def disk(binary):
    """A file system of 5 MB fills while it is recorded to; the run goes on, and so does the recording when there is room."""
    folder = tempfile.mkdtemp(prefix="nmeasimx-disk-")
    script = """
        set -e
        mount -t tmpfs -o size=5m none "$1"
        head -c 2000000 /dev/zero > "$1/ballast"
        cd "$1"
        "$2" run --headless --quiet --seed 1 --rate 50 --speed 10 --set record.free_space=0 --record a.nmea \\
             --control "unix:$3/s" --log-file "$3/log" -o "file:$3/all.txt" &
        program=$!
        full() { "$2" ctl "unix:$3/s" status > "$3/status"; grep -q 'disk is full' "$3/status"; }
        for i in $(seq 600); do sleep 0.2; if full "$@"; then break; fi; done
        cp a.nmea "$3/full.nmea"
        cp "$3/status" "$3/alarm"
        sleep 3
        rm ballast
        for i in $(seq 100); do sleep 0.2; if ! full "$@"; then break; fi; done
        sleep 2
        cp "$3/status" "$3/after"
        "$2" ctl "unix:$3/s" quit > /dev/null
        wait $program
        cp a.nmea "$3/end.nmea"
    """
    small = os.path.join(folder, "small")
    os.mkdir(small)
    done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", small, os.path.abspath(binary), folder],
                          timeout=200, env=dict(os.environ, HOME=folder))
    read = lambda name: open(os.path.join(folder, name), "rb").read()
    alarm = json.loads(read("alarm"))
    report("5 MB: the alarm shows and the run goes on", alarm["run"] == "running" and "disk is full" in (alarm["record"]["alarm"] or ""),
           alarm["record"]["alarm"])
    after = json.loads(read("after"))
    report("5 MB: the recording goes on when there is room", after["record"]["alarm"] is None and len(read("end.nmea")) > len(read("full.nmea")),
           f"{len(read('full.nmea'))} bytes when full, {len(read('end.nmea'))} at the end")
    check = subprocess.run([binary, "check", "--json", os.path.join(folder, "end.nmea")], stdout=subprocess.PIPE, check=True)
    told = json.loads(check.stdout)
    sentences = [line.split(b" ", 1)[1] for line in read("end.nmea").split(b"\n") if line and not line.startswith(b"#")]
    all_said = read("all.txt").split(b"\r\n")[:-1]
    gaps = [int(n) for n in re.findall(rb"# gap: (\d+) sentences lost", read("end.nmea"))]
    place = iter(all_said)
    report("5 MB: what was recorded is whole", told["skipped"]["total"] == 0 and all(s in place for s in sentences),
           f"{len(sentences)} sentences, none bad, all in the order in which they were sent")
    report("5 MB: what was lost is said", len(sentences) + sum(gaps) == len(all_said) and done.returncode == 0,
           f"{len(all_said)} sent, {len(sentences)} recorded, {sum(gaps)} in gap notes; exit status {done.returncode}")
    events = [line.strip() for line in read("log").decode().splitlines() if "record" in line]
    report("5 MB: one event each way", sum("disk is full" in e for e in events) == 1, f"{len(events)} events")
    for event in events:
        print(f"       {event[:170]}")
    shutil.rmtree(folder)


def main(binary, *chosen):
    parts = {part.__name__: part for part in (broadcast, link, unplugged, stalled, disk)}
    if any(name not in parts for name in chosen):
        sys.exit(f"there are {', '.join(parts)}")
    make_hosts()
    try:
        for name in chosen or parts:
            print(f"-- {name}: {parts[name].__doc__}")
            parts[name](binary)
    finally:
        for program in programs:
            program.process.kill()
        for ns in (A, B):
            subprocess.run(["ip", "netns", "del", ns])
    print(f"{sum(results)} of {len(results)} are well")
    return 0 if all(results) else 1


if __name__ == "__main__":
    if len(sys.argv) < 2 or os.geteuid() != 0:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
