//! The vessel: every value with its age, its pin, or `--`.

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::core::frame::Origin;
use crate::core::time::{Offset, SECOND};
use crate::core::vessel::{Fix, Known, Value, Vessel};
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::Mode;
use crate::ui::format::{self, UNKNOWN};
use crate::ui::model::Model;
use crate::ui::theme::Role;

/// A value older than this is marked with its age.
const OLD: Offset = 10 * SECOND;

/// A value for the screen.
struct Cell {
    label: &'static str,
    text: String,
    role: Role,
    note: String,
}

fn cell<T: Copy>(label: &'static str, value: Value<T>, now: Offset, text: impl FnOnce(T) -> String) -> Cell {
    let Some(Known { value, at, origin }) = value else {
        return Cell { label, text: UNKNOWN.into(), role: Role::Stale, note: String::new() };
    };
    let age = now.saturating_sub(at);
    let (role, note) = if origin == Origin::Pinned {
        (Role::Pinned, "*".into())
    } else if age > OLD {
        (Role::Stale, format!(" {}", format::age(age)))
    } else {
        (Role::Strong, String::new())
    };
    Cell { label, text: text(value), role, note }
}

impl Cell {
    fn bits(&self, label_width: usize) -> Vec<Bit> {
        vec![
            bit(format!("{:label_width$} ", self.label), Role::Label),
            bit(self.text.clone(), self.role),
            bit(self.note.clone(), self.role),
        ]
    }
}

fn shown<'a>(model: &'a Model, s: &'a Snapshot) -> &'a Vessel {
    model.frozen.as_deref().unwrap_or(&s.vessel)
}

/// The position in the form `48 07.0380 N 011 31.0000 E`; a void one is said so.
pub fn position(model: &Model, s: &Snapshot) -> Vec<Bit> {
    let v = shown(model, s);
    match (v.position, v.void_position) {
        (Some(_), _) => {
            let c = cell("", v.position, s.transport.position, |at| format::position(at, 4, " "));
            vec![bit(c.text, c.role), bit(c.note, c.role)]
        }
        (None, Some(k)) => vec![bit(format::position(k.value, 4, " "), Role::Stale), bit(" void", Role::Bad)],
        (None, None) => vec![bit("no position", Role::Stale)],
    }
}

fn fix(v: &Vessel) -> Vec<Bit> {
    let mut bits = Vec::new();
    let lost = v.gnss.valid.is_some_and(|k| !k.value) || v.gnss.quality.is_some_and(|k| k.value == 0);
    match v.gnss.fix.map(|k| k.value) {
        _ if lost => bits.push(bit("no fix", Role::Bad)),
        Some(Fix::None) => bits.push(bit("no fix", Role::Bad)),
        Some(Fix::TwoD) => bits.push(bit("2D", Role::Warn)),
        Some(Fix::ThreeD) => bits.push(bit("3D", Role::Good)),
        None => {}
    }
    if let Some(k) = v.gnss.satellites {
        let gap = if bits.is_empty() { "" } else { "  " };
        bits.push(bit(format!("{gap}{} sat", k.value), Role::Normal));
    }
    bits
}

/// The values in the order in which they are given up where room is short.
fn cells(v: &Vessel, now: Offset, model: &Model) -> Vec<Cell> {
    let u = model.units;
    let deg = |letter: &'static str| move |d: f64| format!("{} {letter}", format::bearing(d));
    let kn = |x: f64| format!("{} {}", u.speed(x), u.speed_unit());
    let heat = |c: f64| format!("{} {}", u.heat(c), u.heat_unit());
    let heading = match (v.heading_true_deg, v.heading_magnetic_deg, v.heading_compass_deg) {
        (None, Some(_), _) => cell("HDG", v.heading_magnetic_deg, now, deg("M")),
        (None, None, Some(_)) => cell("HDG", v.heading_compass_deg, now, deg("C")),
        _ => cell("HDG", v.heading_true_deg, now, deg("T")),
    };
    let course = match (v.cog_true_deg, v.cog_magnetic_deg) {
        (None, Some(_)) => cell("COG", v.cog_magnetic_deg, now, deg("M")),
        _ => cell("COG", v.cog_true_deg, now, deg("T")),
    };
    let wind = match (v.wind_direction_true_deg, v.wind_direction_magnetic_deg) {
        (None, Some(_)) => {
            cell("TWD", v.wind_direction_magnetic_deg, now, |d| format!("{} M", format::bearing_whole(d)))
        }
        _ => cell("TWD", v.wind_direction_true_deg, now, |d| format!("{} T", format::bearing_whole(d))),
    };
    let mut all = vec![
        course,
        cell("SOG", v.sog_kn, now, kn),
        heading,
        cell("STW", v.stw_kn, now, kn),
        cell("DPT", v.depth_m, now, |m| format!("{} {}", u.depth(m), u.depth_unit())),
        cell("WTR", v.water_c, now, heat),
        cell("AWA", v.wind_apparent_deg, now, format::relative_tight),
        cell("AWS", v.wind_apparent_kn, now, kn),
        wind,
        cell("TWS", v.wind_ground_kn, now, kn),
    ];
    // what not every boat has is shown once it was heard
    let mut more = |c: Cell| {
        if c.text != UNKNOWN {
            all.push(c);
        }
    };
    more(cell("ROT", v.rate_of_turn_deg_min, now, |r| format!("{} /min", format::number(r, 1))));
    let engine = v.engines.iter().flatten().find(|e| e.rpm.is_some());
    more(cell("RPM", engine.and_then(|e| e.rpm), now, |r| format::number(r, 0)));
    more(cell("RUD", v.rudder_deg, now, |r| {
        let side = if r < 0.0 { "port" } else { "stb" };
        format!("{} {side}", format::number(r.abs(), 0))
    }));
    more(cell("LOG", v.log_nm, now, |n| format!("{} nm", format::number(n, 2))));
    more(cell("TWA", v.wind_true_deg, now, format::relative_tight));
    more(cell("VAR", v.variation_deg, now, |d| {
        format!("{} {}", format::number(d.abs(), 1), if d < 0.0 { 'W' } else { 'E' })
    }));
    more(cell("AIR", v.air_c, now, heat));
    more(cell("BAR", v.pressure_hpa, now, |h| format!("{} hPa", format::number(h, 0))));
    let volts = v.transducers.iter().flatten().find(|t| t.value.kind == b'U' && t.value.unit == b'V');
    more(cell("BAT", volts.copied(), now, |t| format!("{} V", format::number(t.value, 1))));
    all
}

/// Where she is going: in the words that fit.
fn route(v: &Vessel, now: Offset, room: usize) -> Vec<Bit> {
    let r = &v.route;
    let Some(name) = r.destination else { return Vec::new() };
    let bearing = cell("BRG", r.bearing_true_deg, now, |d| format!("{} T", format::bearing_whole(d)));
    let distance = cell("DTW", r.distance_nm, now, |n| format!("{} nm", format::number(n, 2)));
    let off = cell("XTE", r.cross_track_nm, now, format::cross_track_tight);
    let said = cell("XTE", r.cross_track_nm, now, format::cross_track);
    let line = |labels: bool, off: &Cell| {
        let mut bits = vec![bit("WPT ", Role::Label), bit(name.value.to_string(), Role::Strong)];
        for c in [&bearing, &distance, off] {
            bits.push(bit(" ", Role::Normal));
            let bare = !labels && c.label != "XTE";
            bits.extend(c.bits(3).into_iter().skip(usize::from(bare)));
        }
        if r.arrived.is_some_and(|k| k.value) {
            bits.push(bit(" ARRIVED", Role::Good));
        }
        bits
    };
    let all = [line(true, &said), line(true, &off), line(false, &off)];
    let fits = all.iter().find(|l| width(l) < room).unwrap_or(&all[2]);
    fits.clone()
}

/// The rows of the vessel for a width and height.
fn grid(model: &Model, s: &Snapshot, cols: u16, rows: u16) -> Vec<Vec<Bit>> {
    let v = shown(model, s);
    let now = s.transport.position;
    let room = usize::from(cols);
    // two columns in a narrow panel, three of 15 in the usual one, as many of 16 as fit in a line
    let step = match cols {
        0..=41 => (room.saturating_sub(1) / 2).max(17),
        42..=59 => 15,
        _ => 16,
    };
    let in_row = (room.saturating_sub(1) / step).max(1);
    let label = if step > 16 { 4 } else { 3 };
    let mut out: Vec<Vec<Bit>> = Vec::new();
    let mut all = cells(v, now, model).into_iter();
    let mut first = vec![bit(format!(" {:label$} ", "POS"), Role::Label)];
    first.extend(position(model, s));
    let fixed = fix(v);
    let fits = width(&first) + width(&fixed) + 2 <= room;
    if fits && !fixed.is_empty() {
        first.push(bit("  ", Role::Normal));
        first.extend(fixed.iter().cloned());
    }
    while room >= 76 && width(&first) + 1 + step <= room {
        let Some(c) = all.next() else { break };
        first.push(bit("  ", Role::Normal));
        first.extend(c.bits(3));
    }
    out.push(first);
    if !fits && rows > 6 {
        let mut line = vec![bit(format!(" {:label$} ", ""), Role::Label)];
        line.extend(fixed);
        line.extend(v.gnss.hdop.map(|k| bit(format!("  HDOP {}", format::number(k.value, 1)), Role::Normal)));
        out.push(line);
    }
    let way = route(v, now, room);
    let for_way = usize::from(!way.is_empty() && rows > 2);
    while out.len() + for_way < usize::from(rows) {
        let mut line: Vec<Bit> = Vec::new();
        for i in 0..in_row {
            let Some(c) = all.next() else { break };
            let gap = (1 + i * step).saturating_sub(width(&line)).max(1);
            line.push(bit(" ".repeat(gap), Role::Normal));
            line.extend(c.bits(label));
        }
        if line.is_empty() {
            break;
        }
        out.push(line);
    }
    if for_way == 1 {
        let mut line = vec![bit(" ", Role::Normal)];
        line.extend(way);
        out.push(line);
    }
    out
}

/// The vessel as lines without a frame.
pub fn lines(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    if area.width < 60 {
        return compact(p, area, model, s);
    }
    if area.height == 1 {
        let mut line = vec![bit(" ", Role::Normal)];
        line.extend(position(model, s));
        for c in cells(shown(model, s), s.transport.position, model) {
            let next = c.bits(3);
            if width(&line) + 2 + width(&next) > usize::from(area.width) {
                break;
            }
            line.push(bit("  ", Role::Normal));
            line.extend(next);
        }
        return p.line(area, 0, &line);
    }
    for (i, line) in grid(model, s, area.width, area.height).iter().enumerate() {
        p.line(area, i as u16, line);
    }
}

/// Three rows of 40 columns.
fn compact(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let all = cells(shown(model, s), s.transport.position, model);
    let room = usize::from(area.width);
    let pick = |labels: &[&str]| {
        let mut line: Vec<Bit> = Vec::new();
        for c in labels.iter().filter_map(|l| all.iter().find(|c| c.label == *l)) {
            // true degrees and knots go without saying; the letter of another north does not
            let text = c.text.trim_end_matches(" T").trim_end_matches(" kn");
            let gap = if line.is_empty() { "" } else { "  " };
            let next = [bit(format!("{gap}{} ", c.label), Role::Label), bit(text, c.role), bit(c.note.clone(), c.role)];
            if width(&line) + width(&next) <= room {
                line.extend(next);
            }
        }
        line
    };
    p.line(area, 0, &position(model, s));
    p.line(area, 1, &pick(&["COG", "SOG", "HDG"]));
    p.line(area, 2, &pick(&["DPT", "AWA", "AWS", "STW"]));
}

/// The vessel in a frame.
pub fn panel(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let heading = match s.mode {
        Mode::Replay => "Vessel at play head",
        _ if model.frozen.is_some() => "Vessel, frozen",
        _ => "Vessel",
    };
    let inner = p.frame(area, heading, false);
    for (i, line) in grid(model, s, inner.width, inner.height).iter().enumerate() {
        p.line(inner, i as u16, line);
    }
}
