//! What compass and wind dial have in common: a circle, letters on it, pointers, and lines of text beside or below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::canvas::{Canvas, Dots, Stroke};
use super::{Looks, columns, put};
use crate::ui::theme::Role;

/// A letter on the rim.
pub(super) struct Letter {
    /// Degrees clockwise from the top.
    pub angle: f64,
    pub text: &'static str,
    pub role: Role,
}

/// A line from the middle outwards.
pub(super) struct Needle {
    /// Degrees clockwise from the top.
    pub angle: f64,
    /// From and to, as parts of the radius.
    pub reach: (f64, f64),
    pub role: Role,
    pub stroke: Stroke,
}

/// A stretch of the rim in a role of its own.
pub(super) struct Sector {
    /// Degrees clockwise from the top, from and to.
    pub from: f64,
    pub to: f64,
    pub role: Role,
}

/// Everything on a dial.
pub(super) struct Dial<'a> {
    pub sectors: &'a [Sector],
    pub needles: &'a [Needle],
    pub letters: &'a [Letter],
    /// Lines of text, with their roles.
    pub lines: &'a [(String, Role)],
}

/// Fewest rows and columns of a circle that can be read.
const LEAST: (u16, u16) = (11, 5);

/// Draws the dial with its text to the right if that leaves it larger, else below; text alone if there is no room.
pub(super) fn draw(dial: &Dial<'_>, buffer: &mut Buffer, area: Rect, looks: Looks<'_>) {
    let area = area.intersection(buffer.area);
    let wide = dial.lines.iter().map(|(t, _)| columns(t)).max().unwrap_or(0).clamp(0, i32::from(u16::MAX)) as u16;
    let tall = dial.lines.len() as u16;
    let below = Rect { height: area.height.saturating_sub(tall), ..area };
    let beside = Rect { width: area.width.saturating_sub(wide + 1).min(2 * area.height), ..area };
    let radius_of = |r: Rect| f64::from(r.width).min(2.0 * f64::from(r.height));
    let fits = |r: Rect| r.width >= LEAST.0 && r.height >= LEAST.1;
    let (circle, text) = if fits(beside) && radius_of(beside) > radius_of(below) && tall <= area.height {
        let text = Rect { x: area.x + beside.width + 1, width: area.width - beside.width - 1, ..area };
        (Some(beside), Rect { y: area.y + (area.height - tall) / 2, height: tall, ..text })
    } else if fits(below) {
        (Some(below), Rect { y: area.y + below.height, height: tall, ..area })
    } else {
        (None, area)
    };
    if let Some(circle) = circle {
        round(dial, buffer, circle, looks);
    }
    for (row, (line, role)) in dial.lines.iter().enumerate() {
        put(buffer, text, 0, row as i32, line, looks.theme.style(*role));
    }
}

fn round(dial: &Dial<'_>, buffer: &mut Buffer, area: Rect, looks: Looks<'_>) {
    // an odd number of cells each way, so that there is a middle one
    let odd = |n: u16| n - (n + 1) % 2;
    let area = Rect { width: odd(area.width), height: odd(area.height), ..area };
    let mut canvas = Canvas::new(area.width, area.height, Dots::of(looks.glyphs.kind));
    let middle = (canvas.right() / 2.0, canvas.bottom() / 2.0);
    let radius = middle.0.min(middle.1) - 1.0;
    let at = |angle: f64, r: f64| {
        let (sin, cos) = angle.to_radians().sin_cos();
        (middle.0 + r * sin, middle.1 - r * cos)
    };
    // a shade inside of the rim, so that what stands on it falls into its cells on every side
    let rim = radius - 0.25;
    canvas.circle(middle, radius, Role::Scale, Stroke::Solid);
    if radius >= 6.0 {
        for tick in 0..12 {
            let angle = f64::from(tick) * 30.0;
            canvas.line(at(angle, rim - 1.0), at(angle, rim), Role::Scale, Stroke::Solid);
        }
    }
    for sector in dial.sectors {
        let steps = (radius * 8.0) as i32;
        for i in 0..=steps {
            let angle = sector.from + (sector.to - sector.from) * f64::from(i) / f64::from(steps.max(1));
            let (x, y) = at(angle, rim);
            canvas.point(x, y, sector.role);
            let (x, y) = at(angle, rim - 0.5);
            canvas.point(x, y, sector.role);
        }
    }
    for needle in dial.needles {
        canvas.line(
            at(needle.angle, needle.reach.0 * rim),
            at(needle.angle, needle.reach.1 * rim),
            needle.role,
            needle.stroke,
        );
    }
    canvas.paint(buffer, area, looks);
    let cell = |place: (f64, f64)| (place.0.floor() as i32, (place.1 / 2.0).floor() as i32);
    let hub = cell(middle);
    put(buffer, area, hub.0, hub.1, looks.glyphs.hub, looks.theme.style(Role::Scale));
    for letter in dial.letters.iter().filter(|l| l.angle.is_finite()) {
        let (col, row) = cell(at(letter.angle, rim));
        put(buffer, area, col, row, letter.text, looks.theme.style(letter.role));
    }
}
