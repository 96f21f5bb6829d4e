#!/usr/bin/env python3
"""Other people's decoders read back what the simulation says, and independent arithmetic judges the values.

    pip install pynmea2 pyais geographiclib        (gpsdecode, of gpsd, is used when it is installed)
    python3 tests/judges/readback.py target/release/nmeasimx [SECONDS]

A minute, or as long as is asked for, of a vessel whose every value is held, so that the truth is known without asking the program: the position is
dead reckoning on the WGS84 geodesic, the wind is vector arithmetic, the leg is GeographicLib's own.
"""
import functools
import math
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone

import pynmea2
import pyais
from geographiclib.geodesic import Geodesic

KMH, MS, FOOT, FATHOM, NM = 1.852, 1852 / 3600, 0.3048, 1.8288, 1852.0
START = datetime(2026, 9, 22, 12, 34, 0, tzinfo=timezone.utc)
LAT, LON, HEADING, STW, SET, DRIFT = 37.9838, 23.7275, 45.0, 6.2, 86.51, 0.3936
VARIATION, DEPTH, OFFSET, WATER, TWD, TWS = 4.6, 12.4, 0.5, 21.5, 270.0, 12.0
DEST, ORIGIN = (37.7466, 23.4275), (38.0, 23.7)
EVERY = ("RMC GGA GLL GNS GSA GSV GST GBS VTG ZDA HDG HDM HDT ROT VHW VBW VLW VDR DPT DBT DBS MTW MWV-R MWV-T MWD VWR VWT MDA "
         "RSA APB XTE RMB BWC BWR BOD AAM APA WPL RPM XDR VDO VDO-STATIC").split()

PROFILE = f"""
schema_version = 1
name = "Judge"
[simulation]
seed = 7
start_time = "{START.isoformat().replace('+00:00', 'Z')}"
[vessel]
latitude = {LAT}
longitude = {LON}
heading = {HEADING}
speed = {STW}
depth_offset = {OFFSET}
[environment]
depth = {DEPTH}
water_temperature = {WATER}
wind_direction = {TWD}
wind_speed = {TWS}
current_set = {SET}
current_drift = {DRIFT}
variation = {VARIATION}
deviation = 0.0
[destination]
name = "AEGINA"
latitude = {DEST[0]}
longitude = {DEST[1]}
origin_latitude = {ORIGIN[0]}
origin_longitude = {ORIGIN[1]}
[ais]
mmsi = 200000001
class = "A"
[[engine]]
label = "Main"
rpm = 1800.0
coolant_temperature = 82.0
""" + "".join(f"[drift.{name}]\namplitude = 0.0\n" for name in
              ["heading", "speed", "depth", "water_temperature", "wind_direction", "wind_speed"])


def vector(bearing, length):
    a = math.radians(bearing)
    return length * math.sin(a), length * math.cos(a)


def polar(east, north):
    return math.degrees(math.atan2(east, north)) % 360, math.hypot(east, north)


class Judge:
    def __init__(self):
        self.wrong, self.values = [], 0

    def near(self, where, got, want, resolution):
        """Within half a step of the field, and a little for the step on which the value itself stands."""
        self.values += 1
        if got in (None, "") or abs(float(got) - want) > resolution * 0.51:
            self.wrong.append(f"{where}: said {got}, true {want:.6f}")

    def angle(self, where, got, want, resolution):
        d = (float(got) - want + 180) % 360 - 180
        self.near(where, want + d, want, resolution)

    def same(self, where, got, want):
        self.values += 1
        if got != want:
            self.wrong.append(f"{where}: said {got!r}, true {want!r}")


@functools.lru_cache(maxsize=None)
def there(seconds):
    """Where a second after the other on one course leads: a loxodrome, in geodesics too short to differ from it."""
    if seconds == 0:
        return LAT, LON
    lat, lon = there(seconds - 1)
    boat, current = vector(HEADING, STW), vector(SET, DRIFT)
    cog, sog = polar(boat[0] + current[0], boat[1] + current[1])
    next_one = Geodesic.WGS84.Direct(lat, lon, cog, sog * NM / 3600)
    return next_one["lat2"], next_one["lon2"]


@functools.lru_cache(maxsize=4)
def truth(seconds):
    boat, current = vector(HEADING, STW), vector(SET, DRIFT)
    ground = boat[0] + current[0], boat[1] + current[1]
    cog, sog = polar(*ground)
    assert seconds == int(seconds), "sentences of this profile come each second"
    lat, lon = there(int(seconds))
    wind = vector(TWD + 180, TWS)
    apparent = wind[0] - ground[0], wind[1] - ground[1]
    water = apparent[0] + boat[0], apparent[1] + boat[1]
    blows_from = lambda v: ((polar(*v)[0] + 180 - HEADING) % 360, math.hypot(*v))
    leg = Geodesic.WGS84.Inverse(*ORIGIN, *DEST)
    to = Geodesic.WGS84.Inverse(lat, lon, *DEST)
    # Distance to the geodesic through both waypoints: golden section over the line, behind its start as well.
    line = Geodesic.WGS84.Line(*ORIGIN, leg["azi1"])
    off = lambda s: (lambda p: Geodesic.WGS84.Inverse(lat, lon, p["lat2"], p["lon2"])["s12"])(line.Position(s))
    low, high, ratio = -leg["s12"], 2 * leg["s12"], (math.sqrt(5) - 1) / 2
    while high - low > 1e-3:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if off(a) < off(b) else (a, high)
    return dict(lat=lat, lon=lon, cog=cog, sog=sog, apparent=blows_from(apparent), water=blows_from(water),
                leg=leg["azi1"] % 360, bearing=to["azi1"] % 360, distance=to["s12"] / NM, xte=off((low + high) / 2) / NM,
                closing=sog * math.cos(math.radians(cog - to["azi1"])))


def main(program, length):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as profile:
        profile.write(PROFILE)
        profile.flush()
        command = [program, "run", "-p", profile.name, "--headless", "--quiet", "--speed", "max", "--duration", str(length),
                   "-o", "stdout"]
        for name in EVERY:
            command += ["--enable", name]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split(b"\r\n")
    lines = [line.decode("ascii") for line in lines if line]
    judge, seen, seconds, ais = Judge(), {}, 0.0, []
    for line in lines:
        if len(line) + 2 > 82:
            judge.wrong.append(f"{len(line) + 2} characters: {line}")
        if line.startswith("!"):
            ais.append((seconds, line))
            continue
        m = pynmea2.parse(line, check=True)
        name = m.sentence_type
        seen[name] = seen.get(name, 0) + 1
        stamp = getattr(m, "timestamp", None)
        if stamp not in (None, ""):
            told = datetime.combine(START.date(), stamp.replace(tzinfo=None), tzinfo=timezone.utc)
            seconds = (told - START).total_seconds()
        t = truth(seconds)
        near = lambda field, want, step: judge.near(f"{line} {field}", getattr(m, field), want, step)
        angle = lambda field, want, step: judge.angle(f"{line} {field}", getattr(m, field), want, step)
        if name in ("RMC", "GGA", "GLL", "GNS"):
            judge.near(f"{line} lat", m.latitude * 60, t["lat"] * 60, 1e-4)
            judge.near(f"{line} lon", m.longitude * 60, t["lon"] * 60, 1e-4)
        if name == "RMC":
            near("spd_over_grnd", t["sog"], 0.1), angle("true_course", t["cog"], 0.1), near("mag_variation", VARIATION, 0.1)
            judge.same(line, (m.mag_var_dir, m.status, m.datestamp), ("E", "A", START.date()))
        elif name == "VTG":
            angle("true_track", t["cog"], 0.1), angle("mag_track", t["cog"] - VARIATION, 0.1)
            near("spd_over_grnd_kts", t["sog"], 0.1), near("spd_over_grnd_kmph", t["sog"] * KMH, 0.1)
        elif name == "ZDA":
            judge.same(line, (int(m.day), int(m.month), int(m.year)), (22, 9, 2026))
        elif name == "HDG":
            angle("heading", HEADING - VARIATION, 0.1), near("variation", VARIATION, 0.1)
        elif name == "HDM":
            angle("heading", HEADING - VARIATION, 0.1)
        elif name == "HDT":
            angle("heading", HEADING, 0.1)
        elif name == "ROT":
            near("rate_of_turn", 0, 0.1)
        elif name == "VHW":
            angle("heading_true", HEADING, 0.1), angle("heading_magnetic", HEADING - VARIATION, 0.1)
            near("water_speed_knots", STW, 0.1), near("water_speed_km", STW * KMH, 0.1)
        elif name == "VBW":
            across = math.radians(t["cog"] - HEADING)
            near("lon_water_spd", STW, 0.1), near("trans_water_spd", 0, 0.1)
            near("lon_grnd_spd", t["sog"] * math.cos(across), 0.1), near("trans_grnd_spd", t["sog"] * math.sin(across), 0.1)
        elif name == "VDR":
            angle("deg_t", SET, 0.1), angle("deg_m", SET - VARIATION, 0.1), near("current", DRIFT, 0.1)
        elif name == "DPT":
            near("depth", DEPTH, 0.1), near("offset", OFFSET, 0.1)
        elif name == "DBT":
            near("depth_feet", DEPTH / FOOT, 0.1), near("depth_meters", DEPTH, 0.1), near("depth_fathoms", DEPTH / FATHOM, 0.1)
        elif name == "DBS":
            near("depth_feet", (DEPTH + OFFSET) / FOOT, 0.1), near("depth_meter", DEPTH + OFFSET, 0.1)
        elif name == "MTW":
            near("temperature", WATER, 0.1)
        elif name == "MWV":
            want = t["apparent"] if m.reference == "R" else t["water"]
            angle("wind_angle", want[0], 0.1), near("wind_speed", want[1], 0.1)
        elif name == "MWD":
            angle("direction_true", TWD, 0.1), angle("direction_magnetic", TWD - VARIATION, 0.1)
            near("wind_speed_knots", TWS, 0.1), near("wind_speed_meters", TWS * MS, 0.1)
        elif name == "VWR":
            side = t["apparent"][0]
            near("deg_r", min(side, 360 - side), 0.1), near("wind_speed_kn", t["apparent"][1], 0.1)
            judge.same(line, m.l_r, "L" if side > 180 else "R")
        elif name == "VWT":
            side = t["water"][0]
            near("wind_angle_vessel", min(side, 360 - side), 0.1), near("wind_speed_knots", t["water"][1], 0.1)
        elif name == "RSA":
            near("rsa_starboard", 0, 0.1)
        elif name in ("APB", "XTE"):
            near("cross_track_err_mag" if name == "APB" else "cross_track_err_dist", t["xte"], 0.001)
            judge.same(line, m.dir_steer if name == "APB" else m.correction_dir, "R")
            if name == "APB":
                angle("bearing_to_dest", t["leg"], 0.1), angle("bearing_pres_dest", t["bearing"], 0.1)
                judge.same(line, m.dest_waypoint_id, "AEGINA")
        elif name == "RMB":
            near("cross_track_error", t["xte"], 0.01), near("dest_range", t["distance"], 0.1)
            angle("dest_true_bearing", t["bearing"], 0.1), near("dest_velocity", t["closing"], 0.1)
        elif name in ("BWC", "BWR"):
            angle("true_track", t["bearing"], 0.1) if name == "BWC" else None
            near("range_next", t["distance"], 0.1)
        elif name == "BOD":
            angle("bearing_t", t["leg"], 0.1), angle("bearing_mag", t["leg"] - VARIATION, 0.1)
        elif name == "RPM":
            near("speed", 1800, 0.1)
        elif name == "XDR":
            judge.same(line, line.split("*")[0].split(",", 1)[1], "C,82.0,C,ENGINE#0,T,1800.0,R,ENGINE#0")
    parts = {}
    for seconds, line in ais:
        fields = line.split(",")
        parts.setdefault(fields[3], []).append(line)
        whole = [line] if fields[1] == "1" else parts[fields[3]] if len(parts[fields[3]]) == int(fields[1]) else None
        if whole is None:
            continue
        parts.pop(fields[3], None)
        m, t = pyais.decode(*whole), truth(seconds)
        seen[f"VDO {m.msg_type}"] = seen.get(f"VDO {m.msg_type}", 0) + 1
        judge.same(f"{line} mmsi", m.mmsi, 200000001)
        if m.msg_type in (1, 2, 3):
            # pyais gives six decimals, 0.6 of the unit of 1/10000 minute: the whole number that was sent is the nearest.
            judge.near(f"{line} lat", round(m.lat * 600000), t["lat"] * 600000, 1.01)
            judge.near(f"{line} lon", round(m.lon * 600000), t["lon"] * 600000, 1.01)
            judge.near(f"{line} speed", m.speed, t["sog"], 0.1), judge.angle(f"{line} course", m.course, t["cog"], 0.1)
            judge.same(f"{line} heading", m.heading, 45), judge.same(f"{line} second", m.second, int(seconds) % 60)
        elif m.msg_type == 5:
            judge.same(line, (m.shipname, m.callsign, m.to_bow, m.draught), ("NMEA SIMULATOR X", "SIM0001", 8, 1.8))
    try:
        text = "\r\n".join(lines) + "\r\n"
        gpsd = subprocess.run(["gpsdecode", "-j"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
        seen["gpsdecode AIS"] = gpsd.count(b'"class":"AIS"')
    except FileNotFoundError:
        print("gpsdecode is not installed: not asked")
    for name in sorted(seen):
        print(f"{name:14} {seen[name]}")
    for name in (n.split("-")[0] for n in EVERY if n not in ("VDO", "VDO-STATIC")):
        if not seen.get(name):
            judge.wrong.append(f"{name} was never said")
    print(f"{len(lines)} sentences, {judge.values} values judged, {len(judge.wrong)} wrong")
    print("\n".join(judge.wrong[:40]))
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "target/release/nmeasimx", int(sys.argv[2]) if len(sys.argv) > 2 else 60))
