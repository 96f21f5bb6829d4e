//! How the recorder behaves: W1 to W5 of LOG-FORMAT, full disks, rotation.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;

use super::*;
use crate::core::frame::{Batch, Class, Frame, Origin};
use crate::core::output::{OutputSpec, Tag};
use crate::core::time::{MILLISECOND, iso_ms};
use crate::core::vessel::Vessel;
use crate::runtime::outputs::encode::Encoder;
use crate::runtime::testing::{MIDNIGHT, start};

fn parcel(at_ms: i64, frames: Vec<Frame>) -> Parcel {
    let vessel = Arc::new(Vessel::default());
    let sent = MIDNIGHT + at_ms * MILLISECOND;
    Parcel::new(Arc::new(Batch { generation: 0, sent, source_utc: None, frames, vessel }), false)
}

fn sentences(texts: &[&str]) -> Vec<Frame> {
    texts.iter().zip(0..).map(|(t, i)| Frame::sentence(i, 0, Bytes::from(t.to_string()))).collect()
}

fn log(everything: bool) -> Shape {
    let metadata = vec![("profile".into(), "Harbour".into())];
    Shape::Log { metadata, filter: Filter::default(), everything, tag: Tag::Off }
}

fn wanted(path: &Path, mode: Mode) -> Wanted {
    Wanted { path: path.into(), mode, shape: log(true), rotation: Rotation::default(), protected: Protected::default() }
}

fn open(path: &Path, mode: Mode) -> Result<LogFile, String> {
    LogFile::open(wanted(path, mode), start())
}

/// Header lines as W1 has them; the clock of the tests stands at midnight, give or take what the test itself takes.
const HEADER: &str = "# NMEA Simulator X log 1\n# recorded: 2026-09-22T00:00:00.";

fn written(path: &Path) -> String {
    String::from_utf8(fs::read(path).unwrap()).unwrap()
}

#[derive(Default)]
struct Notes {
    sentences: u64,
    lost: u64,
    opened: Vec<String>,
    troubles: Vec<String>,
}

impl Teller for Arc<Mutex<Notes>> {
    fn wrote(&mut self, sentences: u64, _: usize) {
        self.lock().unwrap().sentences += sentences;
    }
    fn lost(&mut self, sentences: u64) {
        self.lock().unwrap().lost += sentences;
    }
    fn open(&mut self, path: &str) {
        self.lock().unwrap().opened.push(path.into());
    }
    fn trouble(&mut self, error: &str) {
        self.lock().unwrap().troubles.push(error.into());
    }
    fn synced(&mut self, _: Option<Wall>, _: Option<u64>) {}
    fn waiting(&mut self, _: usize) {}
    fn deleted(&mut self, _: &str) {}
}

#[test]
fn a_log_has_a_header_and_a_stamp_before_each_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    let mut file = open(&path, Mode::Append).unwrap();
    file.put(&parcel(21, sentences(&["$GPHDT,1.0,T*00", "!AIVDM,1,1,,A,x,0*00"])));
    file.put(&parcel(1500, sentences(&["$GPHDT,2.0,T*00"])));
    file.flush().unwrap();
    assert_eq!(file.counts().0, 3);
    let text = written(&path);
    let (head, body) = text.split_at(text.find("2026-09-22T00:00:00.021Z").unwrap());
    assert!(head.starts_with(HEADER) && head.ends_with("Z\n# profile: Harbour\n"), "{head}");
    assert_eq!(
        body,
        "2026-09-22T00:00:00.021Z $GPHDT,1.0,T*00\n2026-09-22T00:00:00.021Z !AIVDM,1,1,,A,x,0*00\n\
         2026-09-22T00:00:01.500Z $GPHDT,2.0,T*00\n"
    );
}

#[test]
fn appending_writes_no_second_header_and_begins_behind_a_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    let before = "# NMEA Simulator X log 1\n2026-09-21T00:00:00.000Z $GPHD";
    fs::write(&path, before).unwrap();
    let mut file = open(&path, Mode::Append).unwrap();
    file.put(&parcel(0, sentences(&["$GPHDT,1.0,T*00"])));
    file.flush().unwrap();
    let text = written(&path);
    let rest = text.strip_prefix(before).expect("what was there stays");
    assert!(rest.starts_with("\n# resumed: 2026-09-22T00:00:00."), "{rest}");
    assert!(rest.ends_with("Z\n2026-09-22T00:00:00.000Z $GPHDT,1.0,T*00\n"), "{rest}");
    assert_eq!(text.matches("# NMEA").count(), 1);
}

#[test]
fn an_existing_file_is_never_overwritten_silently() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    fs::write(&path, "Dear all,\n").unwrap();
    let error = open(&path, Mode::Append).err().unwrap();
    assert!(error.contains("letter.txt") && error.contains("--force"), "{error}");
    assert_eq!(written(&path), "Dear all,\n");
    open(&path, Mode::Fresh).unwrap().flush().unwrap();
    assert_eq!(written(&path), "Dear all,\n");
    assert!(written(&folder.path().join("letter-2.txt")).starts_with(HEADER));
    open(&path, Mode::Replace).unwrap().flush().unwrap();
    assert!(written(&path).starts_with(HEADER));
}

#[test]
fn a_file_that_is_being_replayed_or_written_is_refused_before_anything_happens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    fs::write(&path, "# NMEA Simulator X log 1\n").unwrap();
    let link = folder.path().join("link.nmea");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let protected = Protected::default();
    protected.set(std::slice::from_ref(&path));
    for name in [&path, &link] {
        let w = Wanted { protected: protected.clone(), ..wanted(name, Mode::Replace) };
        let error = LogFile::open(w, start()).err().unwrap();
        assert!(error.contains("is being replayed"), "{error}");
    }
    assert_eq!(written(&path), "# NMEA Simulator X log 1\n");
    let _first = open(&path, Mode::Append).unwrap();
    assert!(open(&path, Mode::Append).err().unwrap().contains("is being written already"));
    let missing = folder.path().join("none/a.nmea");
    assert!(open(&missing, Mode::Append).err().unwrap().contains("its folder does not exist"));
    assert!(open(folder.path(), Mode::Append).err().unwrap().contains("is a folder"));
}

#[test]
fn a_live_feed_is_kept_as_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    let live = |class, bytes: &'static [u8]| Frame {
        seq: 0,
        offset: 0,
        origin: Origin::Input(0),
        class,
        place: None,
        bytes: Bytes::from_static(bytes),
        sentence: (0, bytes.len() as u32),
    };
    let glued = live(Class::Sentence, b"$GPHDT,1.0,T*00$GPHDT,2.0,T*00");
    let frames = vec![
        live(Class::Sentence, b"\\s:GW*00\\$GPHDT,1.0,T*00"),
        live(Class::BadChecksum, b"$GPHDT,\xb1\0,T*11"),
        glued.clone(),
        glued, // its second sentence: the same line, written once
        live(Class::NoSentence, b"\xff\xfe"),
    ];
    let mut file = open(&path, Mode::Append).unwrap();
    file.put(&parcel(0, frames));
    file.flush().unwrap();
    let text = written(&path);
    let body = &text[text.find("# profile").unwrap()..];
    assert_eq!(
        body,
        "# profile: Harbour\n2026-09-22T00:00:00.000Z \\s:GW*00\\$GPHDT,1.0,T*00\n\
         2026-09-22T00:00:00.000Z $GPHDT,\\xB1\\x00,T*11\n\
         2026-09-22T00:00:00.000Z $GPHDT,1.0,T*00$GPHDT,2.0,T*00\n2026-09-22T00:00:00.000Z \\xFF\\xFE\n"
    );
}

#[test]
fn a_file_holds_what_its_encoder_makes_and_no_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let shape = Shape::Plain(Box::new(Encoder::new(&OutputSpec::parse("stdout;filter=HDT").unwrap())));
    let mut file = LogFile::open(Wanted { shape, ..wanted(&path, Mode::Append) }, start()).unwrap();
    file.put(&parcel(0, sentences(&["$GPHDT,1.0,T*00", "$GPGGA,1*00"])));
    file.flush().unwrap();
    assert_eq!(written(&path), "$GPHDT,1.0,T*00\r\n");
}

#[test]
fn a_loss_in_the_queue_is_noted_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    let mut file = open(&path, Mode::Append).unwrap();
    let mut late = parcel(5000, sentences(&["$GPHDT,1.0,T*00"]));
    late.lost_before = 12;
    file.put(&late);
    file.flush().unwrap();
    let note = format!("# gap: 12 sentences lost before {}\n", iso_ms(MIDNIGHT + 5000 * MILLISECOND));
    assert!(written(&path).contains(&note));
}

#[test]
fn rotation_by_size_keeps_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    let rotation = Rotation { bytes: Some(150), keep: Some(2), ..Rotation::default() };
    let mut file = LogFile::open(Wanted { rotation, ..wanted(&path, Mode::Append) }, start()).unwrap();
    for i in 0..8 {
        file.put(&parcel(i, sentences(&["$GPHDT,1.0,T*00", "$GPHDT,2.0,T*00"])));
        file.flush().unwrap();
        file.rotate_if_due().unwrap();
    }
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left.len(), 2, "{left:?}");
    for name in left {
        assert!(written(&folder.path().join(name)).starts_with(HEADER));
    }
}

/// `keep` counts what earlier runs left, and deletes nothing else: not other names, other sources, other programs' files,
/// links, what is being written or replayed.
#[test]
fn files_of_earlier_runs_are_counted_and_nothing_else_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let log = "# NMEA Simulator X log 1\n# recorded: 2026-09-20T00:00:00.000Z\n# profile: Harbour\n";
    let day = |n: u32| format!("nmeasimx-202609{n:02}T100000Z-harbour.nmea");
    let age = |name: &str, days: u64| {
        let file = fs::File::options().append(true).open(at(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + days * 86_400)).unwrap();
    };
    for n in 1..=5 {
        fs::write(at(&day(n)), log).unwrap();
        age(&day(n), u64::from(n));
    }
    let others = [
        ("harbour.nmea", log),
        ("nmeasimx-20260901T100000Z-sea.nmea", log),
        ("nmeasimx-20260902T100000Z-harbour.nmea.gz", log),
        ("nmeasimx-20260903T110000Z-harbour.nmea", "# NMEA Simulator X log 1\n# profile: Another\n"),
        ("nmeasimx-20260904T110000Z-harbour.nmea", "$GPHDT,1.0,T*00\n"),
        ("nmeasimx-20260905T110000Z-harbour.nmea", log),
        ("nmeasimx-20260906T110000Z-harbour.nmea", log),
    ];
    for (name, text) in others {
        fs::write(at(name), text).unwrap();
        age(name, 0);
    }
    let link = at("nmeasimx-20260907T110000Z-harbour.nmea");
    std::os::unix::fs::symlink(at("harbour.nmea"), &link).unwrap();
    let protected = Protected::default();
    protected.set(&[at("nmeasimx-20260905T110000Z-harbour.nmea")]);
    let _written = open(&at("nmeasimx-20260906T110000Z-harbour.nmea"), Mode::Append).unwrap();

    let rotation = Rotation { bytes: Some(150), keep: Some(3), ..Rotation::default() };
    let now = at("nmeasimx-20260922T100000Z-harbour.nmea");
    let mut file = LogFile::open(Wanted { rotation, protected, ..wanted(&now, Mode::Fresh) }, start()).unwrap();
    let left = || (1..=5).filter(|n| at(&day(*n)).exists()).collect::<Vec<_>>();
    assert_eq!(left(), [4, 5], "the present one is the third");
    assert_eq!(file.take_deleted(), [1, 2, 3].map(|n| at(&day(n)).display().to_string()));
    for i in 0..2 {
        file.put(&parcel(i, sentences(&["$GPHDT,1.0,T*00", "$GPHDT,2.0,T*00", "$GPHDT,3.0,T*00"])));
        file.flush().unwrap();
        file.rotate_if_due().unwrap();
    }
    assert_eq!(left(), [0; 0]);
    assert!(now.exists() && names::alternative(&now, 2).exists() && names::alternative(&now, 3).exists());
    for (name, _) in others {
        assert!(at(name).exists(), "{name}");
    }
    assert!(fs::symlink_metadata(link).is_ok());
}

/// Somebody tidies up, or pulls the stick out: an alarm, and the recording goes on under its name.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_taken_away_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    let (sender, mut receiver) = queue::queue(1 << 20);
    let notes = Arc::new(Mutex::new(Notes::default()));
    let mut file = LogFile::open(wanted(&path, Mode::Append), Clock::system()).unwrap();
    let thread = {
        let mut teller = notes.clone();
        std::thread::spawn(move || work(&mut receiver, &mut file, Clock::system(), &mut teller, &|| false))
    };
    let until = async |right: &dyn Fn(&Notes) -> bool| {
        let waited = async {
            while !right(&notes.lock().unwrap()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), waited).await.unwrap();
    };
    sender.push(parcel(0, sentences(&["$GPHDT,1.0,T*00"]))).await.ok().unwrap();
    until(&|n| n.sentences == 1).await;
    let elsewhere = folder.path().join("kept.nmea");
    fs::rename(&path, &elsewhere).unwrap();
    sender.push(parcel(1, sentences(&["$GPHDT,2.0,T*00"]))).await.ok().unwrap();
    until(&|n| n.opened.len() == 2).await;
    sender.push(parcel(2, sentences(&["$GPHDT,3.0,T*00"]))).await.ok().unwrap();
    drop(sender);
    tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
    assert!(notes.lock().unwrap().troubles[0].contains("was removed, renamed"), "{:?}", notes.lock().unwrap().troubles);
    let (old, new) = (written(&elsewhere), written(&path));
    assert!(old.contains("$GPHDT,1.0,T*00\n"), "{old}");
    assert!(new.starts_with("# NMEA Simulator X log 1\n") && new.ends_with(" $GPHDT,3.0,T*00\n"), "{new}");
    assert_eq!((old + &new).matches("$GPHDT,2.0").count(), 1, "nothing twice, nothing lost");
}

/// A device cannot be synced, and has not to be.
#[test]
fn a_device_is_written_like_a_file() {
    let shape = Shape::Plain(Box::new(Encoder::new(&OutputSpec::parse("stdout").unwrap())));
    let mut file = LogFile::open(Wanted { shape, ..wanted(Path::new("/dev/null"), Mode::Append) }, start()).unwrap();
    let another = Shape::Plain(Box::new(Encoder::new(&OutputSpec::parse("stdout").unwrap())));
    let second = Wanted { shape: another, ..wanted(Path::new("/dev/null"), Mode::Append) };
    assert!(LogFile::open(second, start()).is_ok(), "a device takes any number of writers");
    file.put(&parcel(0, sentences(&["$GPHDT,1.0,T*00"])));
    file.flush().unwrap();
    assert_eq!(file.sync(), Ok(()));
}

/// `/dev/full` takes nothing and says that the disk is full; then the name leads to a real file again.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_an_alarm_and_writing_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nmea");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let (sender, mut receiver) = queue::queue(1 << 20);
    let notes = Arc::new(Mutex::new(Notes::default()));
    let stop = Arc::new(AtomicBool::new(false));
    let shape = Shape::Plain(Box::new(Encoder::new(&OutputSpec::parse("stdout").unwrap())));
    let mut file = LogFile::open(Wanted { shape, ..wanted(&path, Mode::Append) }, Clock::system()).unwrap();
    let thread = {
        let (mut teller, stop) = (notes.clone(), stop.clone());
        std::thread::spawn(move || {
            let stop = || stop.load(Ordering::Relaxed);
            work(&mut receiver, &mut file, Clock::system(), &mut teller, &stop);
        })
    };
    sender.push(parcel(0, sentences(&["$GPHDT,1.0,T*00"]))).await.ok().unwrap();
    let waited = async {
        while notes.lock().unwrap().troubles.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), waited).await.unwrap();
    assert!(notes.lock().unwrap().troubles[0].contains("the disk is full"));
    fs::remove_file(&path).unwrap();
    sender.push(parcel(1, sentences(&["$GPHDT,2.0,T*00"]))).await.ok().unwrap();
    drop(sender);
    tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
    assert_eq!(written(&path), "$GPHDT,1.0,T*00\r\n$GPHDT,2.0,T*00\r\n");
    let notes = notes.lock().unwrap();
    assert_eq!((notes.sentences, notes.lost, notes.opened.len()), (2, 0, 2));
}

/// What cannot be written at the end is counted as lost, and nobody waits for it.
#[test]
fn a_disk_that_stays_full_does_not_hold_up_the_end() {
    let (sender, mut receiver) = queue::queue(1 << 20);
    let shape = Shape::Plain(Box::new(Encoder::new(&OutputSpec::parse("stdout").unwrap())));
    let wanted = Wanted { shape, ..wanted(Path::new("/dev/full"), Mode::Append) };
    let mut file = LogFile::open(wanted, start()).unwrap();
    let mut notes = Arc::new(Mutex::new(Notes::default()));
    for i in 0..3 {
        sender.try_push(parcel(i, sentences(&["$GPHDT,1.0,T*00"]))).ok().unwrap();
    }
    drop(sender);
    work(&mut receiver, &mut file, start(), &mut notes, &|| false);
    let notes = notes.lock().unwrap();
    assert_eq!((notes.sentences, notes.lost), (0, 3));
}
