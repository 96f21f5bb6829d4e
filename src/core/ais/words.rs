//! What the code numbers of AIS mean, in words (ITU-R M.1371-5, tables 47 to 78).

/// Title of a message by its type, 1 to 27.
pub fn title(kind: u8) -> &'static str {
    match kind {
        1 => "Position report, class A (scheduled)",
        2 => "Position report, class A (assigned)",
        3 => "Position report, class A (when interrogated)",
        4 => "Base station report",
        5 => "Static and voyage data, class A",
        6 => "Addressed binary message",
        7 => "Binary acknowledgement",
        8 => "Broadcast binary message",
        9 => "Search and rescue aircraft",
        10 => "UTC and date inquiry",
        11 => "UTC and date response",
        12 => "Addressed safety text",
        13 => "Safety acknowledgement",
        14 => "Broadcast safety text",
        15 => "Interrogation",
        16 => "Assignment of reporting",
        17 => "DGNSS corrections",
        18 => "Position report, class B",
        19 => "Extended position report, class B",
        20 => "Data link management",
        21 => "Aid to navigation",
        22 => "Channel management",
        23 => "Group assignment",
        24 => "Static data, class B",
        25 => "Single slot binary message",
        26 => "Multiple slot binary message",
        27 => "Position report, long range",
        _ => "Not an AIS message",
    }
}

/// Navigational status 0 to 15.
pub fn nav_status(code: u32) -> &'static str {
    match code {
        0 => "under way using engine",
        1 => "at anchor",
        2 => "not under command",
        3 => "restricted manoeuvrability",
        4 => "constrained by her draught",
        5 => "moored",
        6 => "aground",
        7 => "engaged in fishing",
        8 => "under way sailing",
        11 => "towing astern",
        12 => "pushing ahead or towing alongside",
        14 => "AIS-SART, MOB or EPIRB active",
        15 => "not defined",
        _ => "reserved",
    }
}

/// Type of ship and cargo 0 to 99.
pub fn ship_type(code: u32) -> &'static str {
    match code {
        20..=29 => "wing in ground",
        30 => "fishing",
        31 => "towing",
        32 => "towing, long or broad",
        33 => "dredging or under water work",
        34 => "diving",
        35 => "military",
        36 => "sailing",
        37 => "pleasure craft",
        40..=49 => "high speed craft",
        50 => "pilot",
        51 => "search and rescue",
        52 => "tug",
        53 => "port tender",
        54 => "anti-pollution",
        55 => "law enforcement",
        56 | 57 => "local vessel",
        58 => "medical transport",
        59 => "not party to an armed conflict",
        60..=69 => "passenger",
        70..=79 => "cargo",
        80..=89 => "tanker",
        90..=99 => "other",
        _ => "reserved",
    }
}

/// Kind of position fixing device 0 to 15.
pub fn epfd(code: u32) -> &'static str {
    match code {
        0 => "undefined",
        1 => "GPS",
        2 => "GLONASS",
        3 => "GPS and GLONASS",
        4 => "Loran-C",
        5 => "Chayka",
        6 => "integrated navigation system",
        7 => "surveyed",
        8 => "Galileo",
        15 => "internal GNSS",
        _ => "not used",
    }
}

/// Kind of aid to navigation 0 to 31.
pub fn aid_type(code: u32) -> &'static str {
    const WORDS: [&str; 32] = [
        "not specified",
        "reference point",
        "racon",
        "fixed structure off shore",
        "emergency wreck mark",
        "light, without sectors",
        "light, with sectors",
        "leading light front",
        "leading light rear",
        "beacon, cardinal N",
        "beacon, cardinal E",
        "beacon, cardinal S",
        "beacon, cardinal W",
        "beacon, port hand",
        "beacon, starboard hand",
        "beacon, preferred channel port hand",
        "beacon, preferred channel starboard hand",
        "beacon, isolated danger",
        "beacon, safe water",
        "beacon, special mark",
        "cardinal mark N",
        "cardinal mark E",
        "cardinal mark S",
        "cardinal mark W",
        "port hand mark",
        "starboard hand mark",
        "preferred channel port hand",
        "preferred channel starboard hand",
        "isolated danger",
        "safe water",
        "special mark",
        "light vessel, LANBY or rig",
    ];
    WORDS.get(code as usize).copied().unwrap_or("reserved")
}

/// The second of a position report: 0 to 59, else why there is none.
pub fn second(code: u32) -> &'static str {
    match code {
        60 => "time stamp not available",
        61 => "position entered by hand",
        62 => "position by dead reckoning",
        63 => "positioning inoperative",
        _ => "",
    }
}

/// Special manoeuvre indicator 0 to 3.
pub fn maneuver(code: u32) -> &'static str {
    match code {
        0 => "not available",
        1 => "not in special manoeuvre",
        2 => "in special manoeuvre",
        _ => "not used",
    }
}

/// Position accuracy bit.
pub fn accuracy(code: u32) -> &'static str {
    if code == 1 { "high, 10 m or better" } else { "low, worse than 10 m" }
}

/// A bit that says no or yes.
pub fn yes(code: u32) -> &'static str {
    if code == 0 { "no" } else { "yes" }
}

/// The DTE bit: 0 is ready.
pub fn dte(code: u32) -> &'static str {
    if code == 0 { "available" } else { "not available" }
}

/// AIS station version 0 to 3.
pub fn ais_version(code: u32) -> &'static str {
    match code {
        0 => "ITU-R M.1371-1",
        1 => "ITU-R M.1371-3",
        2 => "ITU-R M.1371-5",
        _ => "a later edition",
    }
}

/// The position of message 27: whose.
pub fn gnss_latency(code: u32) -> &'static str {
    if code == 0 { "current, under 5 s" } else { "older than 5 s" }
}

/// The class B unit bit: 1 is carrier sense.
pub fn carrier_sense(code: u32) -> &'static str {
    if code == 0 { "SOTDMA" } else { "carrier sense" }
}
