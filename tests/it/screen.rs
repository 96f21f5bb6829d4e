//! The screen drawn from snapshots read from JSON: every view at its sizes, every overlay, every other size without panic.
//!
//! The pictures were looked at by eye. `tests/data/*.json` are invented: no such boat, no such log.

use nmeasimx::runtime::session::Snapshot;
use nmeasimx::runtime::session::snapshot::{Link, Mode, Openable, Scan, Tried};
use nmeasimx::term::Size;
use nmeasimx::ui::glyphs::GlyphSet;
use nmeasimx::ui::keys::script;
use nmeasimx::ui::model::{Model, Overlay, ViewName};
use nmeasimx::ui::theme::{Theme, ThemeName};
use nmeasimx::ui::update::{Event, update};
use nmeasimx::ui::view;
use ratatui::buffer::Buffer;

pub(crate) fn snapshot(name: &str) -> Snapshot {
    if name == "scan" {
        return scanning();
    }
    let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The live feed while the baud rate of its port is looked for.
fn scanning() -> Snapshot {
    let mut s = snapshot("live");
    let tried = [(4800, 212, 38, 0), (38_400, 0, 0, 0), (9600, 96, 100, 1)];
    let tried = tried.map(|(baud, bytes, printable, good)| Tried { baud, bytes, printable, good });
    s.inputs[0].state = Link::Opening;
    s.inputs[0].spec = "serial:/dev/ttyUSB0@auto".into();
    s.inputs[0].scan = Some(Scan { step: 3, steps: 12, baud: 9600, tried: tried.to_vec(), ..Scan::default() });
    s
}

pub(crate) fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        for x in buffer.area.left()..buffer.area.right() {
            line.push_str(buffer.cell((x, y)).unwrap().symbol());
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn model(cols: u16, rows: u16, glyphs: GlyphSet) -> Model {
    Model { glyphs, ..Model::new(Size { cols, rows }) }
}

fn keys(model: &mut Model, snapshot: &Snapshot, keys: &str) {
    for key in script(keys).unwrap() {
        update(model, snapshot, Event::Key(key), 0);
    }
}

/// The list shows what a session would give: as many rows as are visible.
fn fitted(mut s: Snapshot, model: &Model) -> Snapshot {
    let rows = usize::from(model.looks_at(&s).rows);
    if s.mode == Mode::Replay {
        s.list.rows.truncate(rows);
        if !s.list.rows.iter().any(|r| r.head)
            && let Some(r) = s.list.rows.last_mut()
        {
            r.head = true;
        }
    } else {
        let over = s.list.rows.len().saturating_sub(rows);
        s.list.rows.drain(..over);
    }
    s
}

fn picture(name: &str, view: &str, size: (u16, u16), glyphs: GlyphSet) -> String {
    let s = snapshot(name);
    let mut m = model(size.0, size.1, glyphs);
    keys(&mut m, &s, view);
    let s = fitted(s, &m);
    text(&view::render(&m, &s, &Theme::default()))
}

#[test]
fn every_view_at_its_sizes_in_both_sets() {
    for (name, view, title) in [
        ("simulate", "1", "live-simulate"),
        ("replay", "1", "live-replay"),
        ("live", "1", "live-monitor"),
        ("live", "2", "diagnose"),
        ("simulate", "3", "chart"),
        ("simulate", "4", "outputs"),
        ("simulate", "5", "events"),
    ] {
        for (glyphs, set) in [(GlyphSet::Unicode, "unicode"), (GlyphSet::Ascii, "ascii")] {
            let sizes = [(120, 40), (80, 24), (60, 16), (40, 12)];
            let all: Vec<String> =
                sizes.iter().map(|(c, r)| format!("{c}x{r}\n{}", picture(name, view, (*c, *r), glyphs))).collect();
            insta::assert_snapshot!(format!("{title}-{set}"), all.join("\n"));
        }
    }
}

#[test]
fn every_overlay_at_80x24_and_40x12() {
    let openables = vec![
        Openable {
            spec: "logs/harbour.log".into(),
            name: "harbour.log".into(),
            kind: "log".into(),
            size: Some(81_234),
            changed: Some(1_795_000_000_000_000_000),
            span: Some(600_000_000_000),
        },
        Openable {
            spec: "profiles/harbour.toml".into(),
            name: "harbour".into(),
            kind: "profile".into(),
            ..Openable::default()
        },
        Openable {
            spec: "serial:/dev/ttyUSB0@auto".into(),
            name: "/dev/ttyUSB0".into(),
            kind: "port".into(),
            ..Openable::default()
        },
        Openable {
            spec: "serial:/dev/serial/by-id/usb-Adapter_A1-if00-port0@4800".into(),
            name: "/dev/ttyUSB0".into(),
            kind: "output".into(),
            ..Openable::default()
        },
    ];
    for (name, pressed, title) in [
        ("simulate", "?", "help-simulate"),
        ("replay", "? gap", "help-search"),
        ("replay", ":", "palette"),
        ("replay", ":st", "palette-typed"),
        ("simulate", "o", "open"),
        ("live", "f j Space", "types"),
        ("replay", "'", "marks"),
        ("replay", "j j Enter", "inspect"),
        ("simulate", "q", "quit"),
        ("replay", "t 09:45", "go-to"),
        ("live", "2 Tab Enter", "explain"),
        ("live", "2 B Right", "port"),
        ("scan", "2 B a", "port-scan"),
        ("live", "2 O O", "sorted"),
        ("live", "2 Tab Tab j", "ais"),
        ("simulate", "z Down Down", "controls"),
        ("simulate", "v", "message"),
        ("replay", "j j j", "selection"),
        ("simulate", "4 +", "add-output"),
        ("simulate", "4 + serial:", "add-output-serial"),
        ("simulate", "4 + \"udp:192.0.2.9:2000;\"", "add-output-options"),
    ] {
        let mut all = Vec::new();
        for size in [(80, 24), (40, 12)] {
            let mut s = snapshot(name);
            s.inspect = snapshot("replay").inspect;
            let mut m = model(size.0, size.1, GlyphSet::Unicode);
            let whole = s.clone();
            s = fitted(s, &m);
            keys(&mut m, &s, pressed);
            s = fitted(whole, &m);
            m.openables.clone_from(&openables);
            if let Some(Overlay::Open { items, .. }) = &mut m.overlay {
                *items = Some(openables.clone());
            }
            all.push(format!("{}x{}\n{}", size.0, size.1, text(&view::render(&m, &s, &Theme::default()))));
        }
        insta::assert_snapshot!(format!("overlay-{title}"), all.join("\n"));
    }
}

#[test]
fn no_size_no_view_no_overlay_panics_and_nothing_but_text_is_drawn() {
    let overlays = [
        "",
        "?",
        ":",
        "/ x",
        "o",
        "f",
        "'",
        "Enter",
        "q",
        "t",
        "z",
        "v",
        "h l",
        "2 Tab Enter",
        "2 B a",
        "2 O I Tab Tab j",
        "4 +",
        "3 + M",
    ];
    for name in ["simulate", "replay", "live", "scan", "nothing"] {
        let s = if name == "nothing" { Snapshot::default() } else { snapshot(name) };
        for (cols, rows) in [
            (0, 0),
            (0, 5),
            (5, 0),
            (1, 1),
            (2, 3),
            (3, 2),
            (11, 4),
            (20, 4),
            (20, 5),
            (39, 11),
            (40, 12),
            (45, 60),
            (60, 16),
            (79, 23),
            (81, 25),
            (119, 29),
            (120, 30),
            (200, 60),
        ] {
            for view in ["1", "2", "3", "4", "5"] {
                for overlay in overlays {
                    for theme in [ThemeName::Dark, ThemeName::Mono] {
                        let mut m = model(cols, rows, GlyphSet::Unicode);
                        keys(&mut m, &s, view);
                        keys(&mut m, &s, overlay);
                        let buffer = view::render(&m, &s, &Theme::new(theme));
                        assert_eq!((buffer.area.width, buffer.area.height), (cols, rows));
                        let bad = buffer.content().iter().find(|c| c.symbol().chars().any(char::is_control));
                        assert!(bad.is_none(), "{bad:?} at {cols}x{rows}, {name} {view} {overlay}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_ascii_set_draws_ascii_only() {
    for name in ["simulate", "replay", "live"] {
        for view in ["1", "2", "3", "4", "5"] {
            for size in [(120, 40), (80, 24), (40, 12)] {
                let picture = picture(name, view, size, GlyphSet::Ascii);
                assert!(picture.is_ascii(), "{name} {view} {size:?}:\n{picture}");
            }
        }
    }
}

#[test]
fn mode_and_position_are_shown_from_40_columns_and_the_mode_below() {
    let position = [("simulate", "43 28.807"), ("replay", "48 11.112"), ("live", "48 07.038")];
    for (name, at) in position {
        for (cols, rows) in [(40, 1), (40, 5), (40, 12), (50, 11), (60, 16), (80, 24), (120, 40)] {
            let p = picture(name, "1", (cols, rows), GlyphSet::Unicode);
            assert!(p.contains(at), "{name} {cols}x{rows}:\n{p}");
        }
        let word = match name {
            "simulate" => "SIM",
            "replay" => "REPL",
            _ => "LIVE",
        };
        for (cols, rows) in [(39, 12), (20, 4), (8, 1), (40, 12), (80, 24)] {
            let p = picture(name, "1", (cols, rows), GlyphSet::Unicode);
            assert!(p.contains(word), "{name} {cols}x{rows}:\n{p}");
        }
    }
}

#[test]
fn what_must_be_on_screen_in_every_view_from_40x12_is_there() {
    for (cols, rows) in [(40, 12), (60, 16), (80, 24), (120, 40)] {
        for view in ["1", "2", "3", "4", "5"] {
            for (name, words) in [
                ("simulate", &["RUN", "1x", "09:55:07Z", "REC off", "WARN"][..]),
                ("replay", &["PAUSED", "4x", "09:16:38Z", "REC off", "58", "41"][..]),
                ("live", &["RUN", "10:35:07Z", "REC 1.2M", "BAD", "5", "3"][..]),
            ] {
                let p = picture(name, view, (cols, rows), GlyphSet::Unicode);
                for word in words {
                    assert!(p.contains(word), "{word} is missing: {name} view {view} {cols}x{rows}\n{p}");
                }
            }
        }
    }
}

#[test]
fn an_unknown_value_is_two_dashes_and_an_old_one_has_its_age() {
    let p = picture("replay", "1", (120, 40), GlyphSet::Unicode);
    assert!(p.contains("DPT  22.9 m 41s"), "{p}");
    assert!(p.contains("WTR  --"), "{p}");
    let p = picture("simulate", "1", (80, 24), GlyphSet::Unicode);
    assert!(p.contains("HDG 060.0 T*"), "a pinned value is marked\n{p}");
    let empty = Snapshot::default();
    let m = model(80, 24, GlyphSet::Unicode);
    let p = text(&view::render(&m, &empty, &Theme::default()));
    assert!(p.contains("COG --") && !p.contains("000.0"), "{p}");
}

#[test]
fn hostile_text_stays_in_its_place() {
    let mut s = snapshot("simulate");
    // a session makes text visible; if one did not, the screen still must not be moved by it
    s.name = "a\u{1b}[2Jb\u{202e}c\nd".into();
    s.list.rows[39].text = "\u{7}\u{9b}31m".repeat(500);
    s.alarms = vec!["tab\there".into()];
    let m = model(80, 24, GlyphSet::Ascii);
    let buffer = view::render(&m, &s, &Theme::default());
    assert!(buffer.content().iter().all(|c| c.symbol().chars().all(|c| !c.is_control())));
    assert!(m.view == ViewName::Live);
}
