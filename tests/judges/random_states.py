#!/usr/bin/env python3
"""pynmea2 reads back what random states say, and plain arithmetic judges the values.

    pip install pynmea2
    cargo build --release --example say
    python3 tests/judges/random_states.py target/release/examples/say [STATES]
"""
import json
import random
import subprocess
import sys

import pynmea2

KMH, MS, FOOT, FATHOM = 1.852, 1852 / 3600, 0.3048, 1.8288


def known(value):
    return {"value": value, "at": 0, "origin": "source"}


def state(r):
    """A state with awkward values: the edges of rounding, signs, poles, the date line."""
    awkward = lambda lo, hi: r.choice([r.uniform(lo, hi), round(r.uniform(lo, hi), 1), lo, hi])
    angle = lambda: r.choice([r.uniform(0, 360), 359.95, 359.96, 0.04, 0.0, round(r.uniform(0, 359.9), 1)])
    lat = r.choice([r.uniform(-90, 90), 90.0, -90.0, 0.0, -0.00000001, 12 + 59.99995 / 60, -(12 + 59.999951 / 60)])
    lon = r.choice([r.uniform(-180, 180), 180.0, -180.0, 0.0, 179 + 59.99999 / 60, -(7 + 59.99995 / 60)])
    return {
        "utc": r.randrange(1_600_000_000, 2_000_000_000) * 10**9 + r.randrange(100) * 10**7,
        "lat": lat, "lon": lon, "sog": awkward(0, 110), "cog": angle(), "hdg": angle(), "var": awkward(-45, 45),
        "dev": awkward(-9, 9), "rot": awkward(-300, 300), "stw": awkward(-5, 40), "depth": awkward(0, 4000),
        "offset": awkward(-3, 3), "water": awkward(-3, 35), "awa": angle(), "aws": awkward(0, 80), "twa": angle(),
        "tws": awkward(0, 80), "twd": angle(), "gws": awkward(0, 80), "rudder": awkward(-35, 35), "alt": awkward(-50, 900),
        "geoid": awkward(-100, 80), "hdop": awkward(0.5, 20), "sats": r.randrange(3, 20), "rpm": awkward(-800, 4000),
        "xte": awkward(-20, 20), "brg": angle(), "leg": angle(), "range": awkward(0, 3000), "vmg": awkward(-40, 40),
        "log": awkward(0, 99999), "trip": awkward(0, 999), "set": angle(), "drift": awkward(0, 6),
    }


def vessel(s):
    names = {
        "sog": "sog_kn", "cog": "cog_true_deg", "hdg": "heading_true_deg", "var": "variation_deg", "dev": "deviation_deg",
        "rot": "rate_of_turn_deg_min", "stw": "stw_kn", "depth": "depth_m", "offset": "depth_offset_m", "water": "water_c",
        "awa": "wind_apparent_deg", "aws": "wind_apparent_kn", "twa": "wind_true_deg", "tws": "wind_true_kn",
        "twd": "wind_direction_true_deg", "gws": "wind_ground_kn", "rudder": "rudder_deg", "log": "log_nm", "trip": "trip_nm",
        "set": "set_true_deg", "drift": "drift_kn", "utc": "utc",
    }
    v = {name: known(s[key]) for key, name in names.items()}
    v["position"] = known({"latitude": s["lat"], "longitude": s["lon"]})
    return v


def complete(base, s):
    """The nested parts, on the shape that the program itself prints."""
    v = json.loads(json.dumps(base))
    v.update(vessel(s))
    g = v["gnss"]
    g.update(quality=known(1), satellites=known(s["sats"]), hdop=known(s["hdop"]), altitude_m=known(s["alt"]),
             geoid_m=known(s["geoid"]), valid=known(True), fix=known("3d"))
    v["engines"][0] = {"number": 0, "instance": 0, "label": "Main", "rpm": known(s["rpm"]), "coolant_c": known(82.0),
                       "pitch_percent": None, "running": known(True)}
    v["route"].update(destination=known("AEGINA"), destination_position=known({"latitude": -s["lat"], "longitude": -s["lon"]}),
                      origin=known("START"), bearing_origin_true_deg=known(s["leg"]), bearing_true_deg=known(s["brg"]),
                      distance_nm=known(s["range"]), cross_track_nm=known(s["xte"]), closing_kn=known(s["vmg"]),
                      arrived=known(False), passed=known(True), arrival_radius_nm=known(0.1))
    return v


WRONG = []


def near(where, got, want, step):
    """Within half a step of the last digit."""
    if got in (None, "") or abs(float(got) - want) > step / 2 * 1.000001 + 1e-9:
        WRONG.append(f"{where}: {got}, not {want}")


def turn(where, got, want, step=0.1):
    """An angle, the short way round; never 360.0."""
    if got in (None, "") or not 0 <= float(got) < 360:
        WRONG.append(f"{where}: {got}")
        return
    near(where, (float(got) - want + 180) % 360 - 180, 0.0, step)


def place(where, m, lat, lon):
    near(where + " lat", m.latitude, lat, 1e-4 / 60)
    dlon = (m.longitude - lon + 180) % 360 - 180
    near(where + " lon", dlon, 0.0, 1e-4 / 60)
    if float(m.lat[-7:]) >= 60 or float(m.lon[-7:]) >= 60:
        WRONG.append(f"{where}: {m.lat} {m.lon}: sixty minutes")


def judge(s, sentence_id, text):
    m = pynmea2.parse(text, check=True) if sentence_id != "THS" else None
    mag = lambda t: (t - s["var"]) % 360
    w = f"{sentence_id} {text}"
    if sentence_id == "RMC":
        place(w, m, s["lat"], s["lon"])
        near(w, m.spd_over_grnd, s["sog"], 0.1)
        turn(w, m.true_course, s["cog"])
        near(w, float(m.mag_variation) * (1 if m.mag_var_dir == "E" else -1), s["var"], 0.1)
        if int(m.datetime.timestamp()) != s["utc"] // 10**9:
            WRONG.append(w + ": time")
    elif sentence_id in ("GGA", "GLL"):
        place(w, m, s["lat"], s["lon"])
        if sentence_id == "GGA":
            near(w, m.altitude, s["alt"], 0.1)
            near(w, m.geo_sep, s["geoid"], 0.1)
            near(w, m.horizontal_dil, s["hdop"], 0.1)
            near(w, m.num_sats, s["sats"], 1)
    elif sentence_id == "VTG":
        turn(w, m.true_track, s["cog"])
        turn(w, m.mag_track, mag(s["cog"]))
        near(w, m.spd_over_grnd_kts, s["sog"], 0.1)
        near(w, m.spd_over_grnd_kmph, s["sog"] * KMH, 0.1)
    elif sentence_id == "HDG":
        turn(w, m.heading, mag(s["hdg"]) - s["dev"])
        near(w, float(m.deviation) * (1 if m.dev_dir == "E" else -1), s["dev"], 0.1)
    elif sentence_id == "HDT":
        turn(w, m.heading, s["hdg"])
    elif sentence_id == "HDM":
        turn(w, m.heading, mag(s["hdg"]))
    elif sentence_id == "ROT":
        near(w, m.rate_of_turn, s["rot"], 0.1)
    elif sentence_id == "VHW":
        turn(w, m.heading_true, s["hdg"])
        turn(w, m.heading_magnetic, mag(s["hdg"]))
        near(w, m.water_speed_knots, s["stw"], 0.1)
        near(w, m.water_speed_km, s["stw"] * KMH, 0.1)
    elif sentence_id == "VLW":
        near(w, m.trip_distance, s["log"], 0.1)  # pynmea2 names them the wrong way round
        near(w, m.trip_distance_reset, s["trip"], 0.1)
    elif sentence_id == "DPT":
        near(w, m.depth, s["depth"], 0.1)
        near(w, m.offset, s["offset"], 0.1)
    elif sentence_id == "DBT":
        near(w, m.depth_feet, s["depth"] / FOOT, 0.1)
        near(w, m.depth_meters, s["depth"], 0.1)
        near(w, m.depth_fathoms, s["depth"] / FATHOM, 0.1)
    elif sentence_id == "MTW":
        near(w, m.temperature, s["water"], 0.1)
    elif sentence_id in ("MWV-R", "MWV-T"):
        angle, speed = ("awa", "aws") if m.reference == "R" else ("twa", "tws")
        turn(w, m.wind_angle, s[angle])
        near(w, m.wind_speed, s[speed], 0.1)
    elif sentence_id == "MWD":
        turn(w, m.direction_true, s["twd"])
        turn(w, m.direction_magnetic, mag(s["twd"]))
        near(w, m.wind_speed_knots, s["gws"], 0.1)
        near(w, m.wind_speed_meters, s["gws"] * MS, 0.1)
    elif sentence_id == "VWR":
        signed = float(m.deg_r) * (-1 if m.l_r == "L" else 1)
        near(w, (signed - s["awa"] + 180) % 360 - 180, 0.0, 0.1)
        near(w, m.wind_speed_km, s["aws"] * KMH, 0.1)
    elif sentence_id == "RSA":
        near(w, m.rsa_starboard, s["rudder"], 0.1)
    elif sentence_id == "RPM":
        near(w, m.speed, s["rpm"], 0.1)
    elif sentence_id == "APB":
        near(w, m.cross_track_err_mag, abs(s["xte"]), 0.001)
        if m.dir_steer != ("L" if s["xte"] > 0 else "R"):
            WRONG.append(w + ": steer")
        turn(w, m.bearing_to_dest, s["leg"])
        turn(w, m.bearing_pres_dest, s["brg"])
    elif sentence_id == "RMB":
        near(w, m.cross_track_error, min(abs(s["xte"]), 9.99), 0.01)
        near(w, m.dest_range, min(s["range"], 999.9), 0.1)
        turn(w, m.dest_true_bearing, s["brg"])
        near(w, m.dest_velocity, s["vmg"], 0.1)
    elif sentence_id == "XTE":
        near(w, m.cross_track_err_dist, abs(s["xte"]), 0.001)
    elif sentence_id == "VDR":
        turn(w, m.data[0], s["set"])
        near(w, m.data[4], s["drift"], 0.1)


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    base = json.loads(subprocess.run([program, "--blank"], capture_output=True, text=True, check=True).stdout)
    r = random.Random(20260922)
    states = [state(r) for _ in range(count)]
    feed = "\n".join(json.dumps(complete(base, s)) for s in states) + "\n"
    out = subprocess.run([program], input=feed, capture_output=True, text=True, check=True).stdout
    blocks = out.split("\n\n")[:count]
    if len(blocks) != count:
        sys.exit(f"{len(blocks)} states came back, not {count}")
    seen = 0
    for s, block in zip(states, blocks):
        for line in block.splitlines():
            sentence_id, text = line.split("\t")
            seen += 1
            fields = text.split("*")[0].split(",")
            if len(text) > 80:
                WRONG.append(f"{len(text)} characters: {text}")
            if any(f in ("-0", "-0.0", "-0.00", "-0.000", "360.0") or f.startswith("+") for f in fields):
                WRONG.append(f"form: {text}")
            judge(s, sentence_id, text)
    for wrong in WRONG[:40]:
        print(wrong)
    print(f"{count} states, {seen} sentences, {len(WRONG)} wrong")
    sys.exit(bool(WRONG))


if __name__ == "__main__":
    main()
