//! The chart as it is drawn, and the places where charts break: date line, poles, no area, no number.

use proptest::prelude::*;

use super::super::test_support::drawn;
use super::*;
use crate::ui::glyphs::GlyphSet;

fn at(latitude: f64, longitude: f64) -> Position {
    Position { latitude, longitude }
}

fn craft(position: Position, course: f64, speed: f64, name: &str) -> Craft<'_> {
    Craft { position, heading: Some(course), course: Some(course), speed_kn: Some(speed), name, stale: false }
}

fn empty(middle: Position, range_m: f64) -> Chart<'static> {
    Chart {
        middle,
        range_m,
        vessel: None,
        sailed: &[],
        ahead: &[],
        destination: None,
        leg_from: None,
        targets: &[],
        selected: None,
        rings: false,
        vector_min: 6.0,
        cursor: None,
    }
}

/// A bay with two ships: the vessel came from the south-west and is to go north-east.
fn scene(middle: Position, width: u16, height: u16, set: GlyphSet) -> String {
    // minutes of latitude and longitude from the middle, at 37 N or wherever
    let near = |north: f64, east: f64| at(middle.latitude + north / 60.0, middle.longitude + east / 60.0);
    let sailed = [Some(near(-1.5, -3.0)), Some(near(-1.4, -1.5)), Some(near(-0.5, -0.6)), Some(near(0.0, 0.0))];
    let ahead = [near(0.8, 0.9), near(1.0, 2.0)];
    let ships = [craft(near(0.9, -1.8), 135.0, 9.0, "AEGEAN STAR"), craft(near(-1.0, 1.2), 300.0, 4.0, "MELTEMI")];
    let chart = Chart {
        vessel: Some(craft(middle, 45.0, 6.0, "")),
        sailed: &sailed,
        ahead: &ahead,
        destination: Some((near(1.0, 2.0), "WP07")),
        targets: &ships,
        selected: Some(1),
        rings: true,
        ..empty(middle, 2.0 * 1852.0)
    };
    drawn(width, height, set, |b, a, l| draw(&chart, b, a, l))
}

#[test]
fn the_chart_as_it_is_drawn() {
    let bay = at(37.9, 23.6);
    insta::assert_snapshot!("chart_78x20", scene(bay, 78, 20, GlyphSet::Unicode));
    insta::assert_snapshot!("chart_78x20_ascii", scene(bay, 78, 20, GlyphSet::Ascii));
    insta::assert_snapshot!("chart_40x11", scene(bay, 40, 11, GlyphSet::Unicode));
    insta::assert_snapshot!("chart_40x11_linux", scene(bay, 40, 11, GlyphSet::Linux));
}

#[test]
fn the_same_bay_on_the_date_line_looks_the_same() {
    // the meridian 180 runs through the middle of it
    assert_eq!(scene(at(37.9, 180.0), 78, 20, GlyphSet::Ascii), scene(at(37.9, 23.6), 78, 20, GlyphSet::Ascii));
    assert_eq!(scene(at(-37.9, -179.99), 40, 11, GlyphSet::Unicode), scene(at(-37.9, 0.01), 40, 11, GlyphSet::Unicode));
}

#[test]
fn a_place_is_drawn_at_its_distance() {
    // 40x10: ten rows are twenty half rows, so the middle is (20, 10) and the range of 1852 m is ten columns
    let mark = |north: f64, east: f64| {
        let target = [craft(at(north / 60.0, east / 60.0), 0.0, 0.0, "")];
        let chart = Chart { targets: &target, ..empty(at(0.0, 0.0), 1852.0) };
        let text = drawn(40, 10, GlyphSet::Ascii, |b, a, l| draw(&chart, b, a, l));
        text.lines().enumerate().find_map(|(y, row)| row.find('A').map(|x| (x, y)))
    };
    assert_eq!(mark(0.0, 0.0), Some((20, 5)));
    // half a mile east: five columns (5.003, the sphere); half a mile north: five half rows up, 10 - 5 = 5, row 2
    assert_eq!(mark(0.0, 0.5), Some((25, 5)));
    assert_eq!(mark(0.5, 0.0), Some((20, 2)));
    assert_eq!(mark(0.0, 1.9), Some((39, 5)));
    assert_eq!(mark(0.0, 2.1), None);
}

#[test]
fn what_lies_outside_stands_at_the_edge_in_its_direction() {
    let chart = Chart { destination: Some((at(0.0, 5.0), "FAR")), ..empty(at(0.0, 0.0), 1852.0) };
    let text = drawn(40, 10, GlyphSet::Ascii, |b, a, l| draw(&chart, b, a, l));
    assert_eq!(text.lines().nth(5), Some(format!("{}X", " ".repeat(39)).as_str()));
    let chart = Chart { vessel: Some(craft(at(-5.0, 0.0), 0.0, 0.0, "")), ..empty(at(0.0, 0.0), 1852.0) };
    let text = drawn(40, 10, GlyphSet::Ascii, |b, a, l| draw(&chart, b, a, l));
    assert!(text.lines().nth(9).unwrap().contains('^'));
}

#[test]
fn names_never_write_over_a_sign_or_another_name() {
    let ships = [
        craft(at(0.0, 0.0), 0.0, 0.0, "ALPHA"),
        craft(at(0.0, 0.1 / 60.0), 0.0, 0.0, "BRAVO"),
        craft(at(0.0, 0.25 / 60.0), 0.0, 0.0, "CHARLIE\u{202e}\x1b[2J"),
    ];
    let chart = Chart { targets: &ships, ..empty(at(0.0, 0.0), 1852.0) };
    let text = drawn(40, 10, GlyphSet::Ascii, |b, a, l| draw(&chart, b, a, l));
    // signs in columns 20, 21 and 22: the first name goes to the left, the second finds no room, the third is on the right
    assert_eq!(text.lines().nth(5), Some("              ALPHA AAA CHARLIE??[2J").map(|s| s.trim_end()));
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -200.0..200.0f64, 1 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(90.0), 1 => Just(-180.0)]
}

proptest! {
    #[test]
    fn no_chart_breaks_it(
        v in proptest::collection::vec(any_number(), 16), range in prop_oneof![0.01..1e7f64, any::<f64>()],
        width in 0u16..60, height in 0u16..24, rings in any::<bool>(), selected in proptest::option::of(0usize..4),
    ) {
        let p = |i: usize| at(v[i], v[i + 1]);
        let sailed = [Some(p(0)), None, Some(p(2)), Some(p(4))];
        let ahead = [p(6), p(8)];
        let ships = [craft(p(10), v[12], v[13], "ONE"), craft(p(0), v[1], v[2], "船舶長船舶長船舶長船舶長")];
        let chart = Chart {
            vessel: Some(craft(p(14), v[3], v[4], "")),
            sailed: &sailed,
            ahead: &ahead,
            destination: Some((p(6), "A VERY LONG NAME OF A WAYPOINT")),
            leg_from: Some(p(8)),
            targets: &ships,
            selected,
            rings,
            vector_min: v[5],
            cursor: Some(p(12)),
            ..empty(p(0), range)
        };
        for set in [GlyphSet::Unicode, GlyphSet::Ascii] {
            drawn(width, height, set, |b, a, l| draw(&chart, b, a, l));
        }
    }
}
