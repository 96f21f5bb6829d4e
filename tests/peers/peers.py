#!/usr/bin/env python3
"""Real peers on loopback take what the program sends: gpsd over TCP and over a pty, socat as a gateway, pyais over UDP, a
Signal K server over TCP and over its WebSocket.

    apt install gpsd gpsd-clients socat; pip install pyais; npm install --prefix /tmp/sk signalk-server@2
    python3 tests/peers/peers.py target/release/nmeasimx [/tmp/sk/node_modules/signalk-server]

What is not installed is said and left out. Sends nothing beyond this machine; stops everything it started.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = (37.88, 23.62)  # off Piraeus, where the built-in profile begins
started, results = [], []


def spawn(*command, **options):
    process = subprocess.Popen(command, stdout=options.pop("stdout", subprocess.DEVNULL), stderr=subprocess.DEVNULL, **options)
    started.append(process)
    return process


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, seconds, ask):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = ask()
        except (OSError, ValueError, KeyError):
            found = None
        if found:
            return found
        time.sleep(0.2)
    print(f"     gave up on {what} after {seconds} s")
    return None


def report(name, good, detail):
    results.append(bool(good))
    print(f"{'ok  ' if good else 'FAIL'} {name}: {detail}")


def near(lat, lon):
    return abs(lat - HERE[0]) < 0.2 and abs(lon - HERE[1]) < 0.2


def gpsd_sees(device, port):
    spawn("gpsd", "-N", "-n", "-S", str(port), device)

    def ask():
        out = subprocess.run(["gpspipe", "-w", "-n", "25", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, timeout=15).stdout
        for line in out.splitlines():
            told = json.loads(line)
            if told.get("class") == "TPV" and told.get("mode", 0) >= 2 and "lat" in told:
                return told["lat"], told["lon"], told.get("speed")
        return None

    try:
        return wait_for("gpsd", 30, ask)
    except subprocess.TimeoutExpired:
        return None


def signalk(server, kind, sub_options):
    """What a Signal K server says of the vessel after it has read from us."""
    port = free_port()
    home = tempfile.mkdtemp(prefix="signalk-")
    settings = {
        "interfaces": {"appstore": False, "nmea-tcp": False, "tcp": False, "mfd_webapp": False},
        "port": port, "mdns": False, "vessel": {"name": "Peer"},
        "pipedProviders": [{"id": "boat", "enabled": True, "pipeElements": [
            {"type": "providers/simple", "options": {"type": kind, "logging": False, "subOptions": sub_options}}]}],
    }
    with open(os.path.join(home, "settings.json"), "w") as out:
        json.dump(settings, out)
    with open(os.path.join(home, "baseDeltas.json"), "w") as out:
        json.dump([{"context": "vessels.self", "updates": [{"values": [
            {"path": "", "value": {"uuid": "urn:mrn:signalk:uuid:5b0a7a2e-7f2f-4a49-9b9f-0d6a2b1c3d4e"}}]}]}], out)
    environment = dict(os.environ, PORT=str(port), HOME=home, SIGNALK_NODE_CONFIG_DIR=home, DISABLEPLUGINS="true")
    spawn("node", os.path.join(server, "bin", "signalk-server"), env=environment, cwd=home)

    def get(path):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/signalk/v1/api/vessels/{path}", timeout=2) as answer:
            return json.load(answer)

    def ask():
        for name, vessel in get("").items():
            if "position" in vessel.get("navigation", {}) and "wind" in vessel.get("environment", {}):
                return vessel
        return None

    return wait_for("the Signal K server", 60, ask)


def says_of(vessel):
    value = lambda path: __import__("functools").reduce(lambda v, k: v[k], path.split("."), vessel)["value"]
    position = value("navigation.position")
    engine = next(iter(vessel["propulsion"].values()))
    heading = vessel["navigation"].get("headingTrue") or vessel["navigation"]["headingMagnetic"]
    good = (near(position["latitude"], position["longitude"]) and 0 < value("environment.depth.belowTransducer") < 30
            and 0 <= heading["value"] <= 6.3 and value("environment.wind.speedApparent") > 0
            and 25 < engine["revolutions"]["value"] < 35)
    return good, (f"position {position['latitude']:.4f} {position['longitude']:.4f}, heading {heading['value']:.3f} rad, depth "
                  f"{value('environment.depth.belowTransducer')} m, wind {value('environment.wind.speedApparent'):.2f} m/s, "
                  f"engine {engine['revolutions']['value']:.1f} Hz")


def main(program, server):
    tcp, ws, udp = free_port(), free_port(), free_port(socket.SOCK_DGRAM)
    folder = tempfile.mkdtemp(prefix="nmeasimx-")
    pty = os.path.join(folder, "gps")
    ais = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ais.bind(("127.0.0.1", udp))
    ais.settimeout(10)
    spawn(program, "run", "--headless", "--quiet", "--set", "ais.mmsi=200000001",
          "-o", f"tcp-server:{tcp}", "-o", f"websocket:{ws};encoding=signalk", "-o", f"pty:{pty}", "-o", f"udp:127.0.0.1:{udp};filter=!")
    if not wait_for("the TCP server", 10, lambda: socket.create_connection(("127.0.0.1", tcp), 1).close() or True):
        return 1

    try:
        from pyais import decode
        told = decode(ais.recv(1024))
        report("pyais over UDP", told.mmsi == 200000001, f"message {told.msg_type} of {told.mmsi}")
    except ImportError:
        print("     pyais is not installed: left out")
    if shutil.which("gpsd") and shutil.which("gpspipe"):
        for name, device in (("gpsd over TCP", f"tcp://127.0.0.1:{tcp}"), ("gpsd over a pty", os.path.realpath(pty))):
            fix = gpsd_sees(device, free_port())
            report(name, fix and near(*fix[:2]), fix)
    else:
        print("     gpsd is not installed: left out")
    if shutil.which("socat"):
        gateway = free_port()
        spawn("socat", f"TCP-LISTEN:{gateway},reuseaddr", f"TCP:127.0.0.1:{tcp}")
        line = wait_for("socat", 10, lambda: socket.create_connection(("127.0.0.1", gateway), 1).makefile("rb").readline())
        report("socat as a gateway", line and line.endswith(b"\r\n") and line[:1] in b"$!", line)
    else:
        print("     socat is not installed: left out")
    with urllib.request.urlopen(f"http://127.0.0.1:{ws}/signalk", timeout=5) as answer:
        endpoints = json.load(answer)["endpoints"]
    report("Signal K discovery", "v1" in endpoints, endpoints)
    if server:
        for name, kind, options in (
            ("Signal K server over TCP", "NMEA0183", {"type": "tcp", "host": "127.0.0.1", "port": str(tcp)}),
            ("Signal K server over the WebSocket", "SignalK",
             {"type": "ws", "host": "127.0.0.1", "port": ws, "selfHandling": "useRemoteSelf"}),
        ):
            vessel = signalk(server, kind, options)
            report(name, *(says_of(vessel) if vessel else (False, "nothing arrived")))
    else:
        print("     no Signal K server was named: left out")
    return 0 if all(results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
    finally:
        for process in started:
            process.terminate()
