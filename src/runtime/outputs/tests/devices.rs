//! Serial ports and virtual ones: both ends are pseudo-terminals.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;

use super::*;

/// The near end of a serial line, and the path of the device at its far end.
fn line() -> (File, String) {
    let near = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::NOCTTY).unwrap();
    rustix::pty::grantpt(&near).unwrap();
    rustix::pty::unlockpt(&near).unwrap();
    let path = rustix::pty::ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
    (File::from(near), path)
}

/// Reads so many bytes on a thread of its own, and gives the file back.
async fn read_from(mut file: File, n: usize) -> (String, File) {
    let read = tokio::task::spawn_blocking(move || {
        let mut bytes = vec![0; n];
        file.read_exact(&mut bytes).unwrap();
        (String::from_utf8(bytes).unwrap(), file)
    });
    read.await.unwrap()
}

/// Opens the far end of a virtual serial port as a program would.
fn open_device(path: &str) -> File {
    File::options().read(true).write(true).open(path).unwrap()
}

#[tokio::test]
async fn a_virtual_serial_port_is_read_by_its_link() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("gps");
    symlink("/nowhere", &link).unwrap(); // left by a run that was killed
    let mut b = Bench::new(&format!("pty:{}", link.display()));
    b.reaches(Link::Open).await;
    let device = open_device(link.to_str().unwrap());
    b.say(&["$GPHDT,1,T*00"], false).await;
    let (text, mut device) = read_from(device, 15).await;
    assert_eq!(text, "$GPHDT,1,T*00\r\n");
    device.write_all(b"$PACK,1*00\r\n").unwrap();
    assert_eq!(b.replies.recv().await.unwrap().1, Bytes::from_static(b"$PACK,1*00"));
    b.output.stop(&b.feeds, Duration::from_secs(2)).await;
    assert!(std::fs::symlink_metadata(&link).is_err(), "the link goes with the output");
}

#[tokio::test]
async fn a_file_in_the_place_of_a_link_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes");
    std::fs::write(&file, "mine").unwrap();
    let b = Bench::new(&format!("pty:{}", file.display()));
    let status = b.reaches(Link::Waiting).await;
    assert!(status.last_error.unwrap().contains("is no link"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
}

#[tokio::test(start_paused = true)]
async fn who_opens_a_virtual_port_again_reads_what_is_new() {
    let mut b = Bench::new("pty");
    let path = b.reaches(Link::Open).await.at;
    b.say(&["$GPHDT,1,T*00"], false).await;
    let (text, device) = read_from(open_device(&path), 15).await;
    assert_eq!(text, "$GPHDT,1,T*00\r\n");
    // Nobody reads it for a minute; a device would have nothing of that either.
    let mut waiting = 0;
    for second in 100..=160 {
        b.say(&[&format!("$GPHDT,{second},T*00")], false).await;
        // The kernel moves the bytes in its own time, not in ours.
        while rustix::io::ioctl_fionread(&device).unwrap() == waiting {
            tokio::time::sleep(Duration::from_millis(1)).await;
            std::thread::sleep(Duration::from_millis(1));
        }
        waiting = rustix::io::ioctl_fionread(&device).unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    drop(device);
    let (text, device) = read_from(open_device(&path), 17).await;
    let first: u32 = text["$GPHDT,".len()..][..3].parse().unwrap();
    assert!((149..=160).contains(&first), "no older than ten seconds: {text}");
    drop(device);
    assert_eq!(b.reaches(Link::Open).await.last_error, None);
    b.output.stop(&b.feeds, Duration::from_secs(2)).await;
    assert!(b.events().iter().all(|e| !e.contains("tried again")), "{:?}", b.events());
}

#[tokio::test]
async fn a_serial_port_is_written_and_comes_back() {
    let (near, path) = line();
    let b = Bench::new(&format!("serial:{path}@38400"));
    b.reaches(Link::Open).await;
    b.say(&["$GPHDT,1,T*00", "$GPRMC,1*00"], false).await;
    let (text, near) = read_from(near, 28).await;
    assert_eq!(text, "$GPHDT,1,T*00\r\n$GPRMC,1*00\r\n");
    drop(near); // unplugged
    let status = b.reaches(Link::Waiting).await;
    assert!(status.last_error.unwrap().starts_with(&path));
}

/// What `/dev/serial/by-id` is for: the adapter comes back as another device, and its link leads there.
#[tokio::test]
async fn a_device_that_returns_under_another_name_is_found_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let by_id = folder.path().join("usb-Adapter_A1-if00-port0");
    let (near, first) = line();
    symlink(&first, &by_id).unwrap();
    let b = Bench::new(&format!("serial:{}@38400", by_id.display()));
    b.reaches(Link::Open).await;
    b.say(&["$GPHDT,1,T*00"], false).await;
    let (text, near) = read_from(near, 15).await;
    assert_eq!(text, "$GPHDT,1,T*00\r\n");
    let (other, second) = line();
    assert_ne!(first, second);
    drop(near);
    std::fs::remove_file(&by_id).unwrap();
    b.reaches(Link::Waiting).await;
    symlink(&second, &by_id).unwrap();
    b.reaches(Link::Open).await;
    b.say(&["$GPHDT,2,T*00"], false).await;
    assert_eq!(read_from(other, 15).await.0, "$GPHDT,2,T*00\r\n");
    let told = b.events();
    assert_eq!(told.iter().filter(|e| e.contains("tried again")).count(), 1, "{told:?}");
    assert_eq!(told.iter().filter(|e| e.contains("open again")).count(), 1, "{told:?}");
}

/// Twenty-five sentences a second are about three times what 4800 baud carry (480 bytes a second). What is counted as sent
/// arrived, whole; the position goes every second, and what gave way is said.
#[tokio::test(start_paused = true)]
async fn a_line_of_4800_baud_carries_what_matters_and_says_what_it_left_out() {
    const SECONDS: usize = 30;
    let (mut near, path) = line();
    let mut b = Bench::new(&format!("serial:{path}@4800"));
    b.reaches(Link::Open).await;
    let reader = std::thread::spawn(move || {
        let (mut all, mut some) = (Vec::new(), [0; 4096]);
        // Closed at the far end, a pseudo-terminal ends with an error.
        while let Ok(n @ 1..) = near.read(&mut some) {
            all.extend_from_slice(&some[..n]);
        }
        String::from_utf8(all).unwrap()
    });
    let mut said = 0;
    for second in 0..SECONDS {
        let mut texts =
            vec![format!("$GPRMC,1000{second:02}.00,A,3752.8000,N,02337.2000,E,6.5,225.0,220926,5.1,E,A*00")];
        let others = "GGA GLL VTG ZDA GSA GSV HDG HDT HDM ROT VHW VBW DPT DBT DBS MTW MWD VWR VWT RSA GNS GST VLW VDR";
        texts.extend(
            others.split(' ').map(|f| format!("$II{f},1,1,{second:02},{}*00", "1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0")),
        );
        assert_eq!(texts.len(), 25);
        said += texts.len();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        b.say(&texts, false).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let load = b.output.row(b.around.clock.wall(), false).load.unwrap();
    b.output.stop(&b.feeds, Duration::from_secs(600)).await;
    let row = b.output.row(0, false);
    let text = reader.join().unwrap();
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!((row.sentences, row.bytes), (lines.len() as u64, text.len() as u64), "shown as sent: sent");
    assert_eq!(row.sentences + row.dropped, said as u64);
    assert!(lines.iter().all(|l| l.starts_with('$') && l.ends_with("*00")), "whole sentences");
    let positions = lines.iter().filter(|l| l.starts_with("$GPRMC")).count();
    assert_eq!(positions, SECONDS, "the position each second");
    // A second or two may still have waited when it was stopped.
    assert!(text.len() <= 480 * (SECONDS + 3), "{} bytes", text.len());
    assert!(text.len() >= 480 * (SECONDS - 2), "the line is used: {} bytes", text.len());
    assert!(load > 200.0, "{load} %");
    let warned: Vec<String> = b.events().into_iter().filter(|e| e.contains("left out")).collect();
    assert_eq!(warned.len(), 1, "{:?}", b.events());
    assert!(warned[0].contains("GSV") && !warned[0].contains("RMC"), "{warned:?}");
}
