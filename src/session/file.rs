//! Files and pipes that are read to their end, unless the user has had enough.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::Interrupt;

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;
/// From one look at Ctrl-C to the next.
const PATIENCE: Duration = Duration::from_millis(20);

/// All bytes of a file, or of a pipe that may keep its reader waiting.
///
/// # Errors
/// What the system gives; `Interrupted` after Ctrl-C; `OutOfMemory` beyond `limit` bytes.
pub fn read_heeding(path: &Path, limit: usize, interrupt: &Interrupt) -> io::Result<Vec<u8>> {
    let (sender, pieces) = mpsc::sync_channel(4);
    let path = path.to_path_buf();
    // Neither opening a pipe nor reading it hears Ctrl-C, so a thread waits; one that nobody ever
    // answers ends with the process.
    std::thread::Builder::new().name("read".to_string()).spawn(move || {
        let read = File::open(path).and_then(|mut file| {
            loop {
                let mut piece = vec![0; PIECE];
                let count = file.read(&mut piece)?;
                piece.truncate(count);
                if sender.send(Ok(piece)).is_err() || count == 0 {
                    return Ok(());
                }
            }
        });
        if let Err(error) = read {
            // Nobody may listen any more.
            let _ = sender.send(Err(error));
        }
    })?;
    let mut bytes = Vec::new();
    loop {
        if interrupt.is_raised() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match pieces.recv_timeout(PATIENCE) {
            Ok(Ok(piece)) if piece.is_empty() => return Ok(bytes),
            Ok(Ok(piece)) if bytes.len() + piece.len() > limit => {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            Ok(Ok(piece)) => bytes.extend(piece),
            Ok(Err(error)) => return Err(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("the thread that read it failed"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_has_no_end_is_refused_and_what_never_comes_is_given_up() {
        let interrupt = Interrupt::default();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        fs::write(&path, "x = 1").unwrap();
        assert_eq!(read_heeding(&path, 100, &interrupt).unwrap(), b"x = 1");
        let kind = |path: &Path| read_heeding(path, 4 << 20, &interrupt).unwrap_err().kind();
        assert_eq!(kind(Path::new("/dev/zero")), io::ErrorKind::OutOfMemory);
        assert_eq!(kind(&folder.path().join("no")), io::ErrorKind::NotFound);
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let raiser = interrupt.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            raiser.raise();
        });
        assert_eq!(kind(&pipe), io::ErrorKind::Interrupted);
    }
}
