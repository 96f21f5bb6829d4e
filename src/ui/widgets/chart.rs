//! The chart: track sailed and ahead, destination and leg, AIS targets with vector and name, range rings, cursor, scale.
//!
//! What lies outside is not lost: destination and vessel then stand at the edge, in their direction.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::canvas::{Canvas, Dots, Stroke};
use super::projection::{Projection, moved};
use super::{Looks, columns, put, scale_bar};
use crate::core::vessel::Position;
use crate::ui::theme::Role;

/// Metres a second of a knot.
const KNOT: f64 = 1852.0 / 3600.0;

/// What the chart shows.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// The position in the middle.
    pub middle: Position,
    /// Metres from the middle to the nearer edge.
    pub range_m: f64,
    /// The own vessel.
    pub vessel: Option<Craft<'a>>,
    /// Where it sailed, oldest first. A `None` is a gap: the places around it are not joined.
    pub sailed: &'a [Option<Position>],
    /// The track ahead of it, nearest first.
    pub ahead: &'a [Position],
    /// The destination and its name.
    pub destination: Option<(Position, &'a str)>,
    /// Where the leg to the destination began.
    pub leg_from: Option<Position>,
    /// Other ships.
    pub targets: &'a [Craft<'a>],
    /// Which of the targets is selected.
    pub selected: Option<usize>,
    /// Range rings around the vessel.
    pub rings: bool,
    /// How far ahead the vectors reach, minutes.
    pub vector_min: f64,
    /// The position under the cursor, if it is shown.
    pub cursor: Option<Position>,
}

/// A ship.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Craft<'a> {
    /// Where.
    pub position: Position,
    /// Where the bow points, degrees true.
    pub heading: Option<f64>,
    /// Where it goes, degrees true.
    pub course: Option<f64>,
    /// How fast, knots.
    pub speed_kn: Option<f64>,
    /// Its name, visible text.
    pub name: &'a str,
    /// Not heard for a while.
    pub stale: bool,
}

/// Metres a column for a chart of so many metres from the middle to the nearer edge.
pub fn metres_a_column(range_m: f64, area: Rect) -> f64 {
    let half = (f64::from(area.width) / 2.0).min(f64::from(area.height)).max(1.0);
    if range_m.is_finite() && range_m > 0.0 { range_m / half } else { 1.0 }
}

/// The projection with which [`draw`] draws, so that a caller can find the position of a cell.
pub fn projection(middle: Position, range_m: f64, area: Rect) -> Projection {
    Projection::new(middle, (f64::from(area.width) / 2.0, f64::from(area.height)), metres_a_column(range_m, area))
}

/// Draws the chart.
pub fn draw(chart: &Chart<'_>, buffer: &mut Buffer, area: Rect, looks: Looks<'_>) {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return;
    }
    let mut sheet = Sheet {
        projection: projection(chart.middle, chart.range_m, area),
        canvas: Canvas::new(area.width, area.height, Dots::of(looks.glyphs.kind)),
        taken: vec![false; usize::from(area.width) * usize::from(area.height)],
        buffer,
        area,
        looks,
    };
    sheet.lines(chart);
    sheet.canvas.paint(sheet.buffer, area, looks);
    sheet.signs(chart);
}

struct Sheet<'b, 'l> {
    projection: Projection,
    canvas: Canvas,
    /// Cells with a sign or a name.
    taken: Vec<bool>,
    buffer: &'b mut Buffer,
    area: Rect,
    looks: Looks<'l>,
}

impl Sheet<'_, '_> {
    /// Everything made of dots, the least important first.
    fn lines(&mut self, chart: &Chart<'_>) {
        if let (true, Some(vessel)) = (chart.rings, &chart.vessel) {
            let at = self.projection.place(vessel.position);
            for radius in self.rings(chart) {
                self.canvas.circle(at, radius / self.projection.metres(), Role::Scale, Stroke::Dotted);
            }
        }
        for part in chart.sailed.split(Option::is_none) {
            let places: Vec<_> = part.iter().flatten().map(|p| self.projection.place(*p)).collect();
            self.canvas.path(places, Role::Track, Stroke::Solid);
        }
        let here = chart.vessel.map(|v| v.position);
        let ahead: Vec<_> = here.iter().chain(chart.ahead).map(|p| self.projection.place(*p)).collect();
        if ahead.len() > 1 {
            self.canvas.path(ahead, Role::Ahead, Stroke::Dotted);
        }
        if let Some((to, _)) = chart.destination
            && let Some(from) = chart.leg_from.or(here)
        {
            let (from, to) = (self.projection.place(from), self.projection.place(to));
            self.canvas.line(from, to, Role::Destination, Stroke::Dotted);
        }
        for target in chart.targets {
            self.vector(target, chart.vector_min, Role::Target);
        }
        if let Some(vessel) = &chart.vessel {
            self.vector(vessel, chart.vector_min, Role::Vessel);
        }
    }

    /// Where the ship will be.
    fn vector(&mut self, craft: &Craft<'_>, minutes: f64, role: Role) {
        let (Some(course), Some(speed)) = (craft.course, craft.speed_kn) else { return };
        let reach = speed * KNOT * minutes * 60.0;
        if reach.is_finite() && reach > 0.0 {
            let then = moved(craft.position, course, reach);
            let (from, to) = (self.projection.place(craft.position), self.projection.place(then));
            self.canvas.line(from, to, role, Stroke::Solid);
        }
    }

    /// Radii of the rings, metres: a round distance within the range, and half of it.
    fn rings(&self, chart: &Chart<'_>) -> Vec<f64> {
        scale_bar::round(chart.range_m).map_or(Vec::new(), |(r, _)| vec![r / 2.0, r])
    }

    /// Everything made of characters, the most important last; names go where there is room.
    fn signs(&mut self, chart: &Chart<'_>) {
        let g = self.looks.glyphs;
        let bar = scale_bar::draw(self.buffer, self.area, self.projection.metres(), self.looks);
        let bottom = usize::from(self.area.height - 1) * usize::from(self.area.width);
        self.taken[bottom..bottom + usize::from(bar)].fill(true);
        self.north();
        for (i, target) in chart.targets.iter().enumerate() {
            if chart.selected != Some(i) {
                let role = if target.stale { Role::Stale } else { Role::Target };
                self.sign(target.position, g.target, role);
            }
        }
        let selected = chart.selected.and_then(|i| chart.targets.get(i));
        if let Some(target) = selected {
            self.sign(target.position, g.target_selected, Role::Cursor);
        }
        if let Some((position, _)) = chart.destination {
            self.sign_or_edge(position, g.destination, Role::Destination);
        }
        if let Some(vessel) = &chart.vessel {
            // eighths of the circle, each in the middle of its own
            let eighth = vessel.heading.or(vessel.course).filter(|h| h.is_finite());
            let sign = eighth.map_or(g.hub, |h| g.vessel[((h / 45.0).round() as i64).rem_euclid(8) as usize]);
            self.sign_or_edge(vessel.position, sign, Role::Vessel);
        }
        // names: what the eye looks for first
        if let Some(target) = selected {
            self.name(target, Role::Cursor);
        }
        if let Some((position, name)) = chart.destination {
            self.label(position, name, Role::Destination, false);
        }
        for (i, target) in chart.targets.iter().enumerate() {
            if chart.selected != Some(i) {
                self.name(target, if target.stale { Role::Stale } else { Role::Dim });
            }
        }
        self.ring_names(chart);
        if let Some(cursor) = chart.cursor
            && let Some((col, row)) = self.cell(cursor)
        {
            self.write(col, row, g.crosshair, Role::Cursor);
        }
    }

    /// What a ring is away, above the vessel, where there is room.
    fn ring_names(&mut self, chart: &Chart<'_>) {
        let Some(vessel) = chart.vessel.filter(|_| chart.rings) else { return };
        let (x, y) = self.projection.place(vessel.position);
        for radius in self.rings(chart) {
            // half of 1, 2 or 5 with a zero is round itself
            let Some((_, name)) = scale_bar::round(radius).filter(|(r, _)| (r - radius).abs() < 1e-6 * radius) else {
                continue;
            };
            let Some((col, row)) = self.cell_of((x, y - 0.999 * radius / self.projection.metres())) else { continue };
            let long = columns(&name);
            let start = col - long / 2;
            if (start - 1..=start + long).all(|x| !self.is_taken(x, row)) {
                self.write(start, row, &name, Role::Scale);
            }
        }
    }

    /// North is up, and says so, in the corner.
    fn north(&mut self) {
        if self.area.width >= 20 && self.area.height >= 6 {
            let text = format!("N{}", self.looks.glyphs.up);
            self.write(i32::from(self.area.width) - 2, 0, &text, Role::Scale);
        }
    }

    /// The cell of a position, if it lies in the area.
    fn cell(&self, position: Position) -> Option<(i32, i32)> {
        self.cell_of(self.projection.place(position))
    }

    fn cell_of(&self, (x, y): (f64, f64)) -> Option<(i32, i32)> {
        let inside = (0.0..self.canvas.right()).contains(&x) && (0.0..self.canvas.bottom()).contains(&y);
        inside.then(|| (x.floor() as i32, (y / 2.0).floor() as i32))
    }

    fn sign(&mut self, position: Position, sign: &str, role: Role) {
        if let Some((col, row)) = self.cell(position) {
            self.write(col, row, sign, role);
        }
    }

    /// The sign at its place, or where the way to it leaves the area.
    fn sign_or_edge(&mut self, position: Position, sign: &str, role: Role) {
        if self.cell(position).is_some() {
            return self.sign(position, sign, role);
        }
        let (x, y) = self.projection.place(position);
        let (cx, cy) = (self.canvas.right() / 2.0, self.canvas.bottom() / 2.0);
        let (dx, dy) = (x - cx, y - cy);
        let part = (cx / dx.abs()).min(cy / dy.abs());
        if !part.is_finite() {
            return;
        }
        let col = (cx + dx * part).clamp(0.0, self.canvas.right() - 1.0).floor() as i32;
        let row = ((cy + dy * part) / 2.0).clamp(0.0, f64::from(self.area.height) - 1.0).floor() as i32;
        self.write(col, row, sign, role);
    }

    /// The name of a ship beside its sign.
    fn name(&mut self, craft: &Craft<'_>, role: Role) {
        // away from the vector
        let west_first =
            craft.course.is_some_and(|c| c.to_radians().sin() > 0.3) && craft.speed_kn.is_some_and(|s| s > 0.5);
        self.label(craft.position, craft.name, role, west_first);
    }

    /// Text beside a place, on the right or on the left, where nothing else stands; else none.
    fn label(&mut self, position: Position, name: &str, role: Role, left_first: bool) {
        let Some((col, row)) = self.cell(position) else { return };
        let mut name: String = name.trim().to_owned();
        while columns(&name) > 14 {
            name.pop();
        }
        let long = columns(&name);
        if long == 0 {
            return;
        }
        let (right, left) = (col + 2, col - 1 - long);
        for start in if left_first { [left, right] } else { [right, left] } {
            let room = start >= 0 && start + long <= i32::from(self.area.width);
            if room && (start - 1..=start + long).all(|x| !self.is_taken(x, row)) {
                self.write(start, row, &name, role);
                return;
            }
        }
    }

    fn is_taken(&self, col: i32, row: i32) -> bool {
        let inside = col >= 0 && row >= 0 && col < i32::from(self.area.width) && row < i32::from(self.area.height);
        inside && self.taken[row as usize * usize::from(self.area.width) + col as usize]
    }

    fn write(&mut self, col: i32, row: i32, text: &str, role: Role) {
        put(self.buffer, self.area, col, row, text, self.looks.theme.style(role));
        for x in col..col.saturating_add(columns(text)) {
            if x >= 0 && row >= 0 && x < i32::from(self.area.width) && row < i32::from(self.area.height) {
                self.taken[row as usize * usize::from(self.area.width) + x as usize] = true;
            }
        }
    }
}

#[cfg(test)]
#[path = "chart_tests.rs"]
mod tests;
