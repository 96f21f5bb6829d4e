//! The thread that reads, on a pseudoterminal.

use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use super::*;
use crate::term::test_pty::{pair, until};
use crate::ui::keys::Code;

fn next(events: &mut mpsc::Receiver<Input>) -> Option<Input> {
    let mut got = None;
    until("an event", || match events.try_recv() {
        Ok(event) => {
            got = Some(event);
            true
        }
        Err(mpsc::error::TryRecvError::Empty) => false,
        Err(mpsc::error::TryRecvError::Disconnected) => true,
    });
    got
}

#[test]
fn keys_and_pastes_arrive_in_order() {
    let (far, tty) = pair();
    let (mut reader, mut events) = Reader::start(tty, false, || {}).unwrap();
    far.press(b"a\x1b[A\x1b[200~two\nlines\x1b[201~\x1b");
    let key = |code| Some(Input::Key(Key::of(code)));
    assert_eq!(next(&mut events), key(Code::Char('a')));
    assert_eq!(next(&mut events), key(Code::Up));
    assert_eq!(next(&mut events), Some(Input::Paste("two lines".to_owned())));
    // a lone Esc, once nothing has followed it
    assert_eq!(next(&mut events), key(Code::Esc));
    reader.stop();
    assert_eq!(next(&mut events), None);
}

#[test]
fn changes_of_the_size_are_one_event() {
    let (far, tty) = pair();
    let (reader, mut events) = Reader::start(tty, false, || {}).unwrap();
    for cols in [100, 90, 40] {
        far.resize(cols, 12);
        reader.go_on();
    }
    assert_eq!(next(&mut events), Some(Input::Resize(Size { cols: 40, rows: 12 })));
    far.resize(0, 0);
    reader.go_on();
    assert_eq!(next(&mut events), Some(Input::Resize(Size { cols: 0, rows: 0 })));
    // the same size again is none
    reader.go_on();
    far.press(b"q");
    assert_eq!(next(&mut events), Some(Input::Key(Key::char('q'))));
}

#[test]
fn a_terminal_that_is_gone_is_one_event_and_no_loop() {
    static GONE: AtomicUsize = AtomicUsize::new(0);
    let (far, tty) = pair();
    let (reader, mut events) = Reader::start(tty, false, || {
        GONE.fetch_add(1, Ordering::SeqCst);
    })
    .unwrap();
    far.press(b"x");
    assert_eq!(next(&mut events), Some(Input::Key(Key::char('x'))));
    drop(far);
    assert_eq!(next(&mut events), Some(Input::Hangup));
    assert_eq!(next(&mut events), None);
    assert_eq!(GONE.load(Ordering::SeqCst), 1);
    assert!(reader.wake_ups() < 10, "{} wake-ups", reader.wake_ups());
}

#[test]
fn nothing_is_read_while_the_screen_is_left() {
    let (far, tty) = pair();
    let (reader, mut events) = Reader::start(Arc::clone(&tty), false, || {}).unwrap();
    reader.pause();
    until("the pause", || reader.wake_ups() >= 1);
    far.press(b"ls\r");
    std::thread::sleep(Duration::from_millis(100));
    assert!(events.try_recv().is_err());
    // the shell would have got them
    let mut bytes = [0; 8];
    assert_eq!(tty.read(&mut bytes).unwrap(), 3);
    reader.go_on();
    far.press(b"k");
    assert_eq!(next(&mut events), Some(Input::Key(Key::char('k'))));
}

#[test]
fn a_full_queue_loses_keys_and_nothing_else() {
    let (far, tty) = pair();
    let (reader, mut events) = Reader::start(tty, false, || {}).unwrap();
    for _ in 0..6 {
        far.press(&[b'j'; 100]);
    }
    until("dropped keys", || reader.dropped() == 6 * 100 - QUEUE as u64);
    far.resize(60, 16);
    reader.go_on();
    std::thread::sleep(Duration::from_millis(100));
    for _ in 0..QUEUE {
        assert_eq!(next(&mut events), Some(Input::Key(Key::char('j'))));
    }
    assert_eq!(next(&mut events), Some(Input::Resize(Size { cols: 60, rows: 16 })));
}
