//! The thread that writes, on a pseudoterminal that is read, left unread, and closed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;
use crate::term::capabilities::Depth;
use crate::term::test_pty::{pair, until};
use crate::ui::glyphs::GlyphSet;

const QUICK: Capabilities = Capabilities {
    depth: Depth::Sixteen,
    glyphs: GlyphSet::Unicode,
    scroll_region: true,
    synchronized: true,
    erases_in_colour: true,
    clipboard: true,
    frame_rate: 30,
    over_ssh: false,
};

/// A full screen that has nothing in common with the one of another number.
fn picture(n: usize) -> Frame {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    for y in 0..24u16 {
        let line: String =
            (0..80).map(|x| char::from(b'!' + ((n * 7 + x * 3 + usize::from(y) * 11) % 90) as u8)).collect();
        buffer.set_string(0, y, line, Style::new());
    }
    Frame { buffer, cursor: None, list: None }
}

fn shown(bytes: &[u8]) -> String {
    let size = |n| std::num::NonZeroU16::new(n).unwrap();
    let mut judge = vt100::Parser::new(size(24), size(80), 0);
    judge.process(bytes);
    judge.screen().contents()
}

fn expected(frame: &Frame) -> String {
    let mut bytes = vec![];
    Screen::new(&QUICK).draw(frame, &mut bytes);
    shown(&bytes)
}

#[test]
fn a_frame_is_written_once_and_the_bytes_are_counted() {
    let (far, tty) = pair();
    let mut renderer = Renderer::start(tty, &QUICK).unwrap();
    renderer.draw(picture(1));
    until("one frame", || renderer.stats().frames == 1);
    let first = far.read();
    assert_eq!(shown(&first), expected(&picture(1)));
    assert_eq!(renderer.stats().bytes, first.len() as u64);

    let woken = renderer.stats().wake_ups;
    renderer.draw(picture(1));
    until("the same frame", || renderer.stats().unchanged == 1);
    assert_eq!(far.read(), b"");
    assert_eq!((renderer.stats().frames, renderer.stats().bytes), (1, first.len() as u64));
    // and nobody wakes up while nothing happens (the read above has waited 150 ms)
    assert!(renderer.stats().wake_ups <= woken + 3, "{:?}", renderer.stats());

    renderer.redraw();
    until("the frame anew", || renderer.stats().frames == 2);
    assert_eq!(shown(&far.read()), expected(&picture(1)));
    renderer.stop();
}

#[test]
fn a_stalled_terminal_holds_up_nobody_and_shows_the_newest_frame_afterwards() {
    let (far, tty) = pair();
    let mut renderer = Renderer::start(tty, &QUICK).unwrap();
    let mut longest = 0;
    let mut n = 0;
    until("a stalled terminal", || {
        n += 1;
        let begin = clock::now();
        renderer.draw(picture(n));
        longest = longest.max(clock::now() - begin);
        renderer.stats().stalled
    });
    for _ in 0..100 {
        n += 1;
        let begin = clock::now();
        renderer.draw(picture(n));
        longest = longest.max(clock::now() - begin);
    }
    // the pipe had taken some 20 kB; who draws never waited for it to take more (it would still be waiting)
    assert!(clock::span(longest) < Duration::from_secs(5), "{longest} ns");
    let stats = renderer.stats();
    assert!(stats.stalled && stats.replaced >= 99, "{stats:?}");
    assert!(renderer.is_alive() && !renderer.wants_frame());

    let mut all = vec![];
    until("the newest frame", || {
        all.extend(far.read());
        !renderer.stats().stalled && renderer.wants_frame() && shown(&all) == expected(&picture(n))
    });
    assert_eq!(renderer.stats().bytes, all.len() as u64);
    // that a slow frame halves the rate is shown in `pace`, where the time is given
    renderer.stop();
}

#[test]
fn it_stops_and_holds_while_the_terminal_is_stalled() {
    let (_far, tty) = pair();
    let mut renderer = Renderer::start(tty, &QUICK).unwrap();
    let mut n = 0;
    until("a stalled terminal", || {
        n += 1;
        renderer.draw(picture(n));
        renderer.stats().stalled
    });
    let begin = clock::now();
    renderer.hold();
    renderer.release();
    renderer.stop();
    assert!(clock::span(clock::now() - begin) < Duration::from_secs(3));
}

#[test]
fn no_frame_is_written_while_the_screen_is_left() {
    let (far, tty) = pair();
    let mut renderer = Renderer::start(Arc::clone(&tty), &QUICK).unwrap();
    renderer.hold();
    renderer.draw(picture(1));
    assert_eq!(far.read(), b"");
    // even if the thread does not know (a panic elsewhere has left the screen)
    tty.admit_frames(false);
    renderer.release();
    assert_eq!(far.read(), b"");
    tty.admit_frames(true);
    renderer.redraw();
    until("the frame", || renderer.stats().frames == 1);
    assert_eq!(shown(&far.read()), expected(&picture(1)));
    renderer.stop();
}

#[test]
fn a_terminal_that_is_gone_ends_the_thread() {
    let (far, tty) = pair();
    let renderer = Renderer::start(tty, &QUICK).unwrap();
    renderer.draw(picture(1));
    until("one frame", || renderer.stats().frames == 1);
    drop(far);
    renderer.draw(picture(2));
    until("the end", || !renderer.is_alive());
    // and whoever does not know yet is not held up
    renderer.draw(picture(3));
    renderer.hold();
}

#[test]
fn a_buffer_is_used_again_and_is_empty_at_any_size() {
    let (_far, tty) = pair();
    let renderer = Renderer::start(tty, &QUICK).unwrap();
    for (n, (cols, rows)) in [(80, 24), (200, 60), (40, 12), (1, 1), (0, 0), (80, 24)].into_iter().enumerate() {
        let area = Rect::new(0, 0, cols, rows);
        assert_eq!(renderer.blank(area), Buffer::empty(area), "{cols}x{rows}");
        renderer.draw(picture(n));
        until("drawn", || renderer.wants_frame());
    }
}
