//! View 3: where she sailed, where she goes, who else is there; compass and wind beside it.
//!
//! Draws with the widgets; the part of the world comes from the model's chart state.

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::core::time::MINUTE;
use crate::core::vessel::geodesy::inverse;
use crate::core::vessel::{Bare, Position};
use crate::runtime::session::Snapshot;
use crate::ui::format::{self, UNKNOWN};
use crate::ui::model::Model;
use crate::ui::theme::Role;
use crate::ui::widgets::chart::{Chart, Craft};
use crate::ui::widgets::compass::Compass;
use crate::ui::widgets::wind_dial::WindDial;
use crate::ui::widgets::{Looks, chart, compass, wind_dial};

/// Metres of a nautical mile.
const MILE: f64 = 1852.0;
/// A target not heard for this long is drawn as old.
const OLD_TARGET: i64 = 6 * MINUTE;

/// The view.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let v = model.frozen.as_deref().unwrap_or(&s.vessel);
    let here = v.position.bare().or(v.void_position.bare());
    let dials = area.width >= 76 && area.height >= 12;
    let side = if dials { (area.width / 4).clamp(22, 34) } else { 0 };
    let sheet = Rect { width: area.width - side, height: area.height.saturating_sub(1), ..area };
    let line = Rect { y: area.y + sheet.height, height: area.height - sheet.height, ..area };
    let middle = model.chart.middle.or(here).or(s.chart.as_ref().and_then(|c| c.sailed.last()).map(|p| at(*p)));
    let looks = Looks { theme: p.theme, glyphs: p.glyphs };
    match middle {
        Some(middle) => sheet_of(p, sheet, model, s, middle, here, looks),
        None => p.line(sheet, 0, &[bit(" No position yet: the chart begins with the first one", Role::Dim)]),
    }
    words(p, line, model, s, here);
    if dials {
        let beside = Rect { x: area.x + sheet.width, width: side, ..area };
        let half = (beside.height - 1) / 2;
        roses(p, Rect { height: half, ..beside }, Rect { y: beside.y + half, height: half, ..beside }, model, s, looks);
    }
}

fn at((latitude, longitude): (f64, f64)) -> Position {
    Position { latitude, longitude }
}

fn sheet_of(
    p: &mut Pen<'_>,
    area: Rect,
    model: &Model,
    s: &Snapshot,
    middle: Position,
    here: Option<Position>,
    looks: Looks<'_>,
) {
    let v = model.frozen.as_deref().unwrap_or(&s.vessel);
    let name = v.route.destination.map(|k| k.value.to_string()).unwrap_or_default();
    let points = s.chart.as_ref();
    let sailed: Vec<Option<Position>> =
        points.map(|c| c.sailed.iter().map(|p| Some(at(*p))).collect()).unwrap_or_default();
    let ahead: Vec<Position> = points.map(|c| c.ahead.iter().map(|p| at(*p)).collect()).unwrap_or_default();
    let mut targets = Vec::new();
    let mut selected = None;
    for t in &s.targets {
        let Some(position) = t.latitude.zip(t.longitude).map(at) else { continue };
        if model.chart.chose(t.mmsi, &t.name) {
            selected = Some(targets.len());
        }
        let stale = t.age > OLD_TARGET;
        targets.push(Craft {
            position,
            heading: None,
            course: t.cog_true_deg,
            speed_kn: t.sog_kn,
            name: &t.name,
            stale,
        });
    }
    let vessel = here.map(|position| Craft {
        position,
        heading: v.heading_true_deg.bare(),
        course: v.cog_true_deg.bare(),
        speed_kn: v.sog_kn.bare(),
        name: "",
        stale: v.position.is_none(),
    });
    let range_m = model.chart.range_nm() * MILE;
    let drawn = Chart {
        middle,
        range_m,
        vessel,
        sailed: &sailed,
        ahead: &ahead,
        destination: v.route.destination_position.bare().map(|to| (to, name.as_str())),
        leg_from: v.route.origin_position.bare(),
        targets: &targets,
        selected,
        rings: true,
        vector_min: 6.0,
        cursor: model.chart.middle,
    };
    chart::draw(&drawn, p.buffer, area, looks);
}

/// What the chart is of, in a line: range, what lies under the cursor or the chosen target.
fn words(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot, here: Option<Position>) {
    if area.is_empty() {
        return;
    }
    let room = usize::from(area.width);
    let narrow = room < 60;
    let chosen = s.targets.iter().find(|t| model.chart.chose(t.mmsi, &t.name));
    // rings and scale bar tell the range where what was asked for needs the room
    let asked = model.chart.middle.is_some() || chosen.is_some();
    let range = if narrow && asked { String::new() } else { format!(" range {} nm", model.chart.range_nm()) };
    let mut bits: Vec<Bit> = vec![bit(range, Role::Normal)];
    let mut add = |more: Vec<Bit>| {
        let gap = if width(&bits) == 0 { 1 } else { 2 };
        if width(&bits) + width(&more) + gap <= room {
            bits.push(bit(" ".repeat(gap), Role::Normal));
            bits.extend(more);
        }
    };
    let way = |to: Position| {
        here.map(|from| {
            let way = inverse(from, to);
            format!("{} T {} nm", format::bearing_whole(way.bearing_deg), format::number(way.distance_m / MILE, 2))
        })
    };
    // what was chosen last is what is asked about: it comes first where room is short
    if let Some(t) = chosen {
        let name = if t.name.is_empty() { t.mmsi.to_string() } else { t.name.clone() };
        let some = |v: Option<f64>, d: usize, unit: &str| {
            v.map_or(UNKNOWN.into(), |v| format!("{} {unit}", format::number(v, d)))
        };
        let bearing = t.bearing_true_deg.map_or(String::new(), |b| format!(" {} T", format::bearing_whole(b)));
        add(vec![bit(name, Role::Target), bit(format!("{bearing} {}", some(t.range_nm, 2, "nm")), Role::Normal)]);
        let closest = format!("CPA {} in {}", some(t.cpa_nm, 2, "nm"), some(t.tcpa_min, 0, "min"));
        add(vec![bit(closest, Role::Normal)]);
    }
    if let Some(middle) = model.chart.middle {
        let label = if narrow { "" } else { "cursor " };
        let at = format::position(middle, if narrow { 2 } else { 3 }, " ");
        add(vec![bit(label, Role::Label), bit(at, Role::Strong)]);
        add(vec![bit(way(middle).unwrap_or_default(), Role::Normal)]);
    } else if here.is_some() {
        add(vec![bit("following", Role::Good)]);
    } else {
        add(vec![bit("position ", Role::Label), bit(UNKNOWN, Role::Stale)]);
    }
    let n = s.targets.len();
    if n > 0 {
        add(vec![bit(format::counted(n as u64, "target"), Role::Dim)]);
    }
    if let Some(to) = s.vessel.route.destination_position.bare() {
        let name = s.vessel.route.destination.map(|k| k.value.to_string()).unwrap_or_default();
        add(vec![bit(format!("{name} "), Role::Destination), bit(way(to).unwrap_or_default(), Role::Normal)]);
    }
    p.line(area, 0, &bits);
}

/// Compass above, wind below.
fn roses(p: &mut Pen<'_>, above: Rect, below: Rect, model: &Model, s: &Snapshot, looks: Looks<'_>) {
    let v = model.frozen.as_deref().unwrap_or(&s.vessel);
    let u = model.units;
    let degrees = |d: Option<f64>| d.map_or(UNKNOWN.into(), |d| format!("{} T", format::bearing_whole(d)));
    let role = |d: Option<f64>| if d.is_some() { Role::Strong } else { Role::Stale };
    // a rose of north needs true directions; magnetic ones are turned where the variation is known
    let heading = v.heading_true_deg.bare().or_else(|| {
        let magnetic = v.heading_magnetic_deg.bare().or(v.heading_compass_deg.bare())?;
        Some(magnetic + v.variation_deg.bare()?)
    });
    let (course, bearing) = (v.cog_true_deg.bare(), v.route.bearing_true_deg.bare());
    let mut lines =
        vec![(format!("HDG {}", degrees(heading)), role(heading)), (format!("COG {}", degrees(course)), role(course))];
    if bearing.is_some() {
        lines.push((format!("BRG {}", degrees(bearing)), Role::Destination));
    }
    compass::draw(&Compass { heading, course, bearing, lines }, p.buffer, above, looks);
    let (apparent, over_water) = (v.wind_apparent_deg.bare(), v.wind_true_deg.bare());
    let speed = |kn: Option<f64>| kn.map_or(UNKNOWN.into(), |kn| format!("{} {}", u.speed(kn), u.speed_unit()));
    let angle = |d: Option<f64>| d.map_or(UNKNOWN.into(), format::relative);
    let mut lines = vec![
        (format!("AWA {}", angle(apparent)), role(apparent)),
        (format!("AWS {}", speed(v.wind_apparent_kn.bare())), role(v.wind_apparent_kn.bare())),
    ];
    if over_water.is_some() {
        lines.push((format!("TWA {}", angle(over_water)), Role::Ahead));
    }
    wind_dial::draw(&WindDial { apparent, over_water, lines, ..WindDial::default() }, p.buffer, below, looks);
}
