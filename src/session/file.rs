//! Files that are written whole or not at all.
//!
//! What is saved goes to a draft in the same folder first and takes the old file's place when all of
//! it is on the disk: a full disk, a crash or a kill leaves the old file as it was.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::Interrupt;

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;
/// From one look at Ctrl-C to the next.
const PATIENCE: Duration = Duration::from_millis(20);

/// Links that are followed, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// Writes `bytes` as the file at `path`, over an old one with its permissions. Links are followed; a
/// device or a pipe, which has nothing to keep, is written to.
///
/// # Errors
/// What the system gives; the old file is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = followed(path)?;
    let old = match fs::metadata(&target) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => {
            return OpenOptions::new().write(true).open(&target)?.write_all(bytes);
        }
        Ok(old) if old.permissions().readonly() => {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let (name, draft) = draft_in(folder)?;
    let written = finish(draft, bytes, old.as_ref()).and_then(|()| fs::rename(&name, &target));
    if written.is_err() {
        // It may be gone already.
        let _ = fs::remove_file(&name);
        return written;
    }
    // The new name survives a crash of the machine, too, where folders can be synchronised.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

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

/// Where a chain of links leads, which may be nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(about) if about.is_symlink() => {
                let link = fs::read_link(&target)?;
                target = target.parent().unwrap_or(Path::new("")).join(link);
            }
            _ => return Ok(target),
        }
    }
    Err(io::Error::other("too many links lead on from it"))
}

/// A new file under a name that nobody has.
fn draft_in(folder: &Path) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    let mut number = 0u32;
    loop {
        let name = folder.join(format!(".genesis-repl-{process}-{number}.draft"));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
            Ok(file) => return Ok((name, file)),
        }
    }
}

fn finish(mut draft: File, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    if let Some(old) = old {
        draft.set_permissions(old.permissions())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // Only root can give a file away, and only root need.
            let _ = std::os::unix::fs::fchown(&draft, Some(old.uid()), Some(old.gid()));
        }
    }
    draft.write_all(bytes)?;
    draft.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn new_and_old_files_are_whole_and_no_draft_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.py");
        write_whole(&path, b"first").unwrap();
        write_whole(&path, b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(names(folder.path()), ["a.py"]);
        let error = write_whole(&folder.path().join("no").join("b"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(
            write_whole(folder.path(), b"x").unwrap_err().kind(),
            io::ErrorKind::IsADirectory
        );
    }

    #[test]
    #[cfg(unix)]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("real"), "old").unwrap();
        fs::set_permissions(at("real"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real", at("link")).unwrap();
        symlink("link", at("far")).unwrap();
        write_whole(&at("far"), b"new").unwrap();
        assert_eq!(fs::read(at("real")).unwrap(), b"new");
        assert_eq!(fs::metadata(at("real")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        // A link to what is not there yet makes it.
        symlink("fresh", at("dangling")).unwrap();
        write_whole(&at("dangling"), b"x").unwrap();
        assert_eq!(fs::read(at("fresh")).unwrap(), b"x");
        symlink("round", at("round")).unwrap();
        assert!(write_whole(&at("round"), b"x").is_err());
        assert_eq!(names(folder.path()), ["dangling", "far", "fresh", "link", "real", "round"]);
    }

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

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_to_and_a_full_one_is_an_error() {
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        let error = write_whole(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
