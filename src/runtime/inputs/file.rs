//! A file that grows: what is written from now on. Follows one that is cut, or replaced under its name.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use bytes::BytesMut;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};

use super::{Alone, BLOCK, Teller, What};
use crate::runtime::session::snapshot::Link;

/// How often a file is looked at.
const LOOK: Duration = Duration::from_millis(100);

pub(super) async fn run(path: &str, mut teller: Teller) -> Result<(), Alone> {
    teller.state(Link::Opening, "", None).await?;
    // What already stands in the file is no live feed; a file that replaces it later is read from its start.
    let mut from = SeekFrom::End(0);
    loop {
        match open(path, from).await {
            Ok(file) => {
                teller.state(Link::Open, "", None).await?;
                let why = follow(path, file, &teller).await?;
                from = SeekFrom::Start(0);
                if let Some(error) = why {
                    teller.state(Link::Waiting, "", Some(format!("{path}: {error}; waiting for it"))).await?;
                }
            }
            Err(error) => {
                from = SeekFrom::Start(0);
                teller.state(Link::Waiting, "", Some(format!("{path}: {error}; waiting for it"))).await?;
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn open(path: &str, from: SeekFrom) -> io::Result<File> {
    let mut file = File::open(path).await?;
    if file.metadata().await?.is_dir() {
        return Err(io::Error::other("is a folder"));
    }
    file.seek(from).await?;
    Ok(file)
}

/// Reads on until the file is cut or replaced (`None`), or cannot be read (the error).
async fn follow(path: &str, mut file: File, teller: &Teller) -> Result<Option<io::Error>, Alone> {
    let mut buffer = BytesMut::new();
    loop {
        buffer.reserve(BLOCK);
        match file.read_buf(&mut buffer).await {
            Ok(0) => match is_the_same(path, &mut file).await {
                Ok(true) => tokio::time::sleep(LOOK).await,
                Ok(false) => return Ok(None),
                Err(error) => return Ok(Some(error)),
            },
            Ok(_) => teller.tell(What::Bytes(buffer.split().freeze())).await?,
            Err(error) => return Ok(Some(error)),
        }
    }
}

/// Whether the open file is still the one of that name and not shorter than what was read.
async fn is_the_same(path: &str, file: &mut File) -> io::Result<bool> {
    let read = file.stream_position().await?;
    let (open, named) = (file.metadata().await?, tokio::fs::metadata(path).await?);
    Ok(open.ino() == named.ino() && open.dev() == named.dev() && named.len() >= read)
}
