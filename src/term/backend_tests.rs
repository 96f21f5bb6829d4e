//! The encoder judged by another program: `vt100` reads the bytes, and its screen must be the buffer that was drawn.

use proptest::prelude::*;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::*;
use crate::term::capabilities::Depth;
use crate::ui::theme::{Role, Theme, ThemeName};

fn xterm() -> Capabilities {
    Capabilities {
        depth: Depth::Sixteen,
        glyphs: GlyphSet::Unicode,
        scroll_region: true,
        synchronized: true,
        erases_in_colour: true,
        clipboard: true,
        frame_rate: 10,
        over_ssh: false,
    }
}

fn emulator(rows: u16, cols: u16) -> vt100::Parser {
    let size = |n| std::num::NonZeroU16::new(n).unwrap();
    vt100::Parser::new(size(rows), size(cols), 0)
}

fn frame(lines: &[&str]) -> Frame {
    let width = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let mut buffer = Buffer::empty(Rect::new(0, 0, width as u16, lines.len() as u16));
    for (y, line) in lines.iter().enumerate() {
        buffer.set_string(0, y as u16, line, Style::new());
    }
    Frame { buffer, cursor: None, list: None }
}

fn bytes(screen: &mut Screen, frame: &Frame) -> String {
    let mut out = vec![];
    screen.draw(frame, &mut out);
    String::from_utf8(out).unwrap().replace('\x1b', "^")
}

fn colour(n: u8) -> vt100::Color {
    if n == DEFAULT { vt100::Color::Default } else { vt100::Color::Idx(n) }
}

/// The first difference between what the terminal shows and what was drawn, if any.
fn difference(terminal: &vt100::Screen, screen: &Screen, frame: &Frame) -> Option<String> {
    let mut cells = vec![];
    screen.reduce.buffer(&frame.buffer, &mut cells);
    let area = frame.buffer.area;
    for row in 0..area.height {
        for col in 0..area.width {
            let want = cells[usize::from(row) * usize::from(area.width) + usize::from(col)];
            let have = terminal.cell(row, col)?;
            let text = if have.has_contents() { have.contents() } else { " " };
            let same = if want.ch == Cell::TAIL {
                have.is_wide_continuation()
            } else if want.is_blank() {
                text == " " && have.bgcolor() == colour(want.pen.bg) && !have.inverse() && !have.underline()
            } else {
                let attrs = [
                    (1, have.bold()),
                    (2, have.dim()),
                    (4, have.italic()),
                    (8, have.underline()),
                    (16, have.inverse()),
                ];
                text == want.ch.to_string()
                    && have.fgcolor() == colour(want.pen.fg)
                    && have.bgcolor() == colour(want.pen.bg)
                    // an emulator has one intensity: bold or faint, not both
                    && attrs.iter().filter(|(a, _)| want.pen.attrs & 3 != 3 || *a > 2).all(|(a, on)| (want.pen.attrs & a != 0) == *on)
            };
            if !same {
                return Some(format!("row {row} column {col}: wanted {want:?}, shown {have:?}"));
            }
        }
    }
    let cursor = frame.cursor.map(|p| (p.y.min(area.height - 1), p.x.min(area.width - 1)));
    if terminal.hide_cursor() == cursor.is_some() || cursor.is_some_and(|c| c != terminal.cursor_position()) {
        return Some(format!("cursor: wanted {cursor:?}, shown {:?}", terminal.cursor_position()));
    }
    None
}

#[test]
fn the_first_frame_clears_and_the_same_frame_again_is_no_byte() {
    let mut screen = Screen::new(&xterm());
    let first = frame(&["ab ", "   ", "  c"]);
    assert_eq!(bytes(&mut screen, &first), "^[?2026h^[?25l^[?7l^[r^[m^[2J^[Hab\n\nc^[?2026l");
    assert_eq!(bytes(&mut screen, &first), "");
    screen.forget();
    assert!(bytes(&mut screen, &first).contains("^[2J"));
    assert_eq!(bytes(&mut screen, &first), "");
}

#[test]
fn only_what_differs_is_written_and_short_gaps_are_written_over() {
    let mut caps = xterm();
    caps.synchronized = false;
    let mut screen = Screen::new(&caps);
    bytes(&mut screen, &frame(&["12:00:00 abcdefghijklmnop"]));
    assert_eq!(bytes(&mut screen, &frame(&["12:00:01 abcdefghijklmnop"])), "^[1;8H1");
    // the blank between is cheaper than a move; fifteen letters are not
    assert_eq!(bytes(&mut screen, &frame(&["12:00:12 Abcdefghijklmnop"])), "\u{8}\u{8}12 A");
    assert_eq!(bytes(&mut screen, &frame(&["12:00:12 abcdefghijklmnoX"])), "\u{8}a^[14CX");
    // the end of a row is erased
    assert_eq!(bytes(&mut screen, &frame(&["12:00:12 abc             "])), "^[1;13H^[K");
}

#[test]
fn a_colour_is_a_basic_one_and_is_sent_once() {
    let mut caps = xterm();
    caps.synchronized = false;
    let mut screen = Screen::new(&caps);
    bytes(&mut screen, &frame(&["        "]));
    let mut coloured = frame(&["        "]);
    coloured.buffer.set_string(0, 0, "ok", Style::new().fg(Color::LightGreen));
    coloured.buffer.set_string(3, 0, "go", Style::new().fg(Color::LightGreen));
    assert_eq!(bytes(&mut screen, &coloured), "^[H^[92mok go");
}

#[test]
fn without_colours_bold_and_reverse_stay() {
    let mut caps = xterm();
    (caps.synchronized, caps.depth) = (false, Depth::Mono);
    let mut screen = Screen::new(&caps);
    bytes(&mut screen, &frame(&["        "]));
    let mut f = frame(&["        "]);
    f.buffer.set_string(0, 0, "BAD", Style::new().fg(Color::Red).add_modifier(Modifier::BOLD | Modifier::REVERSED));
    assert_eq!(bytes(&mut screen, &f), "^[H^[1;7mBAD");
}

#[test]
fn a_list_that_scrolled_is_scrolled_by_the_terminal() {
    let mut caps = xterm();
    caps.synchronized = false;
    let mut screen = Screen::new(&caps);
    let lines: Vec<String> = (b'a'..=b't').map(|c| char::from(c).to_string().repeat(22)).collect();
    let at = |n: usize| {
        let mut rows = vec!["title"];
        rows.extend(lines[n..n + 8].iter().map(String::as_str));
        rows.push("footer");
        Frame { list: Some(1..9), ..frame(&rows) }
    };
    let mut judge = emulator(10, 24);
    let mut show = |screen: &mut Screen, frame: &Frame| {
        let mut out = vec![];
        screen.draw(frame, &mut out);
        judge.process(&out);
        assert_eq!(difference(judge.screen(), screen, frame), None);
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    };
    show(&mut screen, &at(0));
    let on = show(&mut screen, &at(2));
    assert_eq!(on, format!("^[2;9r^[9H\n\n^[r^[8H{}^[9H{}", "i".repeat(22), "j".repeat(22)));
    let back = show(&mut screen, &at(1));
    assert_eq!(back, format!("^[2;9r^[2H^M^[r^[2H{}", "b".repeat(22)));
    // a list that became another one is not scrolled
    assert!(!show(&mut screen, &at(10)).contains("^[2;9r"));
}

#[test]
fn nothing_fits_on_a_screen_of_no_size_and_nothing_breaks() {
    let mut screen = Screen::new(&xterm());
    for (w, h) in [(0, 0), (0, 5), (5, 0), (1, 1), (300, 1), (1, 300), (0, 0)] {
        let frame = Frame {
            buffer: Buffer::empty(Rect::new(0, 0, w, h)),
            cursor: Some(Position::new(9, 9)),
            list: Some(0..h.saturating_add(7)),
        };
        let mut out = vec![];
        screen.draw(&frame, &mut out);
        screen.draw(&frame, &mut out);
    }
}

fn any_style() -> impl Strategy<Value = Style> {
    let colour = prop_oneof![
        Just(Color::Reset),
        Just(Color::Red),
        Just(Color::White),
        Just(Color::DarkGray),
        Just(Color::Blue),
        (0u8..=255).prop_map(Color::Indexed)
    ];
    let modifiers = prop_oneof![3 => Just(0u16), 2 => 0u16..512];
    (colour.clone(), colour, modifiers)
        .prop_map(|(fg, bg, bits)| Style::new().fg(fg).bg(bg).add_modifier(Modifier::from_bits_truncate(bits)))
}

/// Pieces of text put somewhere on the screen, some of them in wide characters, some hostile.
fn any_pieces() -> impl Strategy<Value = Vec<(u16, u16, String, Style)>> {
    let text = prop_oneof![
        5 => "[a-c ]{1,12}",
        1 => "[船長é°─█a]{1,6}",
        1 => " {1,24}",
        1 => any::<String>().prop_map(|s| s.chars().take(5).collect()),
    ];
    proptest::collection::vec((0u16..10, 0u16..24, text, any_style()), 0..8)
}

fn put(buffer: &mut Buffer, pieces: &[(u16, u16, String, Style)]) {
    for (row, col, text, style) in pieces {
        if *row < buffer.area.height && *col < buffer.area.width {
            buffer.set_string(*col, *row, text, *style);
            // what set_string filters, a careless widget may still put there
            if let Some(cell) = buffer.cell_mut((*col, *row)) {
                cell.set_symbol(text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn after_each_frame_the_terminal_shows_the_buffer(
        steps in proptest::collection::vec((any_pieces(), 0i32..5, 0u8..10, proptest::option::of((0u16..30, 0u16..12))), 1..6),
        depth in 0..3, bce in any::<bool>(), sync in any::<bool>(),
    ) {
        let mut caps = xterm();
        caps.depth = [Depth::Mono, Depth::Eight, Depth::Sixteen][depth as usize];
        (caps.erases_in_colour, caps.synchronized) = (bce, sync);
        let mut screen = Screen::new(&caps);
        let mut judge = emulator(10, 24);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 24, 10));
        for (pieces, scrolled, fate, cursor) in steps {
            // most frames are the last one, scrolled or not, with a few changes
            let width = usize::from(buffer.area.width);
            let moved = (scrolled as usize * width).min(buffer.content.len());
            match fate {
                0 => buffer.reset(),
                1..4 => buffer.content[2 * width..].rotate_left(moved),
                4..6 => buffer.content[..8 * width].rotate_right(moved),
                6 => screen.forget(),
                _ => {}
            }
            put(&mut buffer, &pieces);
            let frame = Frame {
                buffer: buffer.clone(),
                cursor: cursor.map(|(x, y)| Position::new(x, y)),
                list: (fate < 8).then_some(if fate < 4 { 2..10 } else { 0..8 }),
            };
            let mut out = vec![];
            screen.draw(&frame, &mut out);
            judge.process(&out);
            prop_assert_eq!(difference(judge.screen(), &screen, &frame), None);
            let hostile = String::from_utf8(out.clone()).unwrap().chars().any(|c| {
                c.is_control() && !matches!(c, '\x1b' | '\n' | '\r' | '\x08')
            });
            prop_assert!(!hostile);
            out.clear();
            screen.draw(&frame, &mut out);
            prop_assert!(out.is_empty(), "the same frame again: {:?}", String::from_utf8_lossy(&out));
        }
    }
}

/// The scene of the budget: 80x24, twenty sentences a second, coloured, ten frames a second, for ten seconds. Answers bytes
/// a second, and how many letters of new sentences there were a second.
fn scene(capabilities: &Capabilities, theme: ThemeName) -> (usize, usize) {
    let mut screen = Screen::new(capabilities);
    let mut judge = emulator(24, 80);
    let sentences = [
        "$GPRMC,093107.00,A,3756.1880,N,02336.4410,E,6.2,084.4,301126,3.1,E,A*2E",
        "$GPGGA,093107.00,3756.1880,N,02336.4410,E,1,08,0.9,5.4,M,36.9,M,,*66",
        "$GPVTG,084.4,T,081.3,M,6.2,N,11.5,K,A*10",
        "$HEHDT,085.1,T*23",
        "$HCHDG,082.0,,,3.1,E*3B",
        "$WIMWV,045.0,R,12.3,N,A*12",
        "$SDDPT,10.4,0.5,*4B",
        "$SDDBT,34.1,f,10.4,M,5.7,F*07",
        "$IIVHW,085.1,T,082.0,M,6.0,N,11.1,K*6D",
        "$YXMTW,14.2,C*15",
    ];
    let theme = Theme::new(theme);
    let style = |role| theme.style(role);
    let mut log: Vec<String> = vec![];
    let (mut total, mut letters) = (0, 0);
    let frames = 101;
    for n in 0..frames {
        for i in 0..2 {
            let k = 2 * n + i;
            log.push(format!(
                "12:{:02}:{:02}.{:03} {}",
                k / 1200,
                k / 20 % 60,
                k % 20 * 50,
                sentences[k % sentences.len()]
            ));
            letters += if n > 0 { log[k].len() } else { 0 };
        }
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        buffer.set_style(buffer.area, style(Role::Normal));
        buffer.set_style(Rect::new(0, 0, 80, 1), style(Role::Bar));
        let mode = format!(" SIMULATE harbour  RUN 1x  12:00:{:02}Z  REC {} kB  TCP 2  OK", n / 10, n / 3);
        buffer.set_string(0, 0, mode, style(Role::Bar));
        for (row, name) in ["POS", "COG", "HDG", "DPT", "AWA"].into_iter().enumerate() {
            let y = 1 + row as u16;
            let value = |period: f64| (n as f64 / period + row as f64).sin();
            buffer.set_string(1, y, name, style(Role::Label));
            buffer.set_string(6, y, format!("{:.1}", 80.0 + value(9.0)), style(Role::Strong));
            buffer.set_string(20, y, "SOG", style(Role::Label));
            buffer.set_string(26, y, format!("{:.1} kn", 6.0 + value(7.0)), style(Role::Strong));
        }
        for (row, line) in log.iter().rev().take(16).rev().enumerate() {
            let y = 7 + row as u16;
            buffer.set_string(0, y, &line[..12], style(Role::Dim));
            buffer.set_stringn(13, y, &line[13..], 67, style(Role::Normal));
        }
        buffer.set_string(0, 23, " ?help  Space pause  . step  q quit", style(Role::KeyName));
        let frame = Frame { buffer, cursor: None, list: Some(7..23) };
        let mut out = vec![];
        screen.draw(&frame, &mut out);
        judge.process(&out);
        assert_eq!(difference(judge.screen(), &screen, &frame), None);
        total += if n > 0 { out.len() } else { 0 };
    }
    (total / 10, letters / 10)
}

#[test]
fn a_scrolling_list_of_twenty_sentences_a_second_costs_three_kilobytes_a_second() {
    for theme in ThemeName::ALL {
        let (bytes, letters) = scene(&xterm(), theme);
        println!("{theme}: {bytes} bytes a second for {letters} letters");
        assert!(bytes <= 3000, "{theme}: {bytes} bytes a second");
        // it cannot cost less than its own letters
        assert!(bytes > letters, "{theme}: {bytes} bytes a second for {letters} letters");
    }
}

#[test]
fn without_a_scroll_region_the_list_costs_what_it_costs_and_is_right() {
    let bytes = |scroll_region| scene(&Capabilities { scroll_region, ..xterm() }, ThemeName::Dark).0;
    assert!(bytes(false) > 4 * bytes(true));
}
