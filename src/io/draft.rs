//! Files that are written whole or not at all.
//!
//! What is saved goes to a draft in the same folder first and takes the old file's place when all of
//! it is on the disk: a full disk, a crash or a kill leaves the old file as it was. Where there is no
//! old file, nothing can be lost, and nobody waits for the disk: a full disk or a kill leaves no file,
//! and only if the machine itself stops within seconds may the new one be there in part.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Links that are followed, as many as Linux follows.
const MAX_LINKS: usize = 40;
/// Bytes from which on the system is told how much will come.
#[cfg(all(target_os = "linux", feature = "rustix"))]
const FORETOLD: u64 = 1 << 20;

/// A file that is being written. Dropped before [`Draft::commit`] it leaves no trace.
#[derive(Debug)]
pub struct Draft {
    file: File,
    /// Where it stands meanwhile, and whose place it takes. A device is written to itself.
    names: Option<(PathBuf, PathBuf)>,
    /// Whether there is a file whose place it takes.
    is_over_old: bool,
}

impl Draft {
    /// Begins a file at `path`, over an old one with its permissions. Links are followed; a device or
    /// a pipe, which has nothing to keep, is written to.
    ///
    /// # Errors
    /// What the system gives; the old file is as it was.
    pub fn new(path: &Path) -> io::Result<Draft> {
        let target = followed(path)?;
        let old = match fs::metadata(&target) {
            Ok(old) if old.is_dir() => return Err(io::Error::from_raw_os_error(21)),
            Ok(old) if !old.is_file() => {
                let file = OpenOptions::new().write(true).open(&target)?;
                return Ok(Draft { file, names: None, is_over_old: false });
            }
            Ok(old) if old.permissions().readonly() => {
                return Err(io::Error::from_raw_os_error(13));
            }
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (name, file) = draft_in(folder_of(&target))?;
        let is_over_old = old.is_some();
        let draft = Draft { file, names: Some((name, target)), is_over_old };
        if let Some(old) = old {
            draft.take_after(&old)?;
        }
        Ok(draft)
    }

    fn take_after(&self, old: &Metadata) -> io::Result<()> {
        self.file.set_permissions(old.permissions())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // Only root can give a file away, and only root need.
            let _ = std::os::unix::fs::fchown(&self.file, Some(old.uid()), Some(old.gid()));
        }
        Ok(())
    }

    /// Tells the system that about so many bytes will come: it finds room for all of them at once, which takes a
    /// quarter off the time of writing. Where it can't, nothing is lost but that.
    pub fn foretell(&self, bytes: u64) {
        #[cfg(all(target_os = "linux", feature = "rustix"))]
        if self.names.is_some() && bytes >= FORETOLD {
            use rustix::fs::{FallocateFlags, fallocate};
            let _ = fallocate(&self.file, FallocateFlags::KEEP_SIZE, 0, bytes);
        }
        let _ = bytes;
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// What the system gives; the old file is as it was.
    pub fn commit(mut self) -> io::Result<()> {
        let Some((name, target)) = &self.names else { return Ok(()) };
        // Another program may have made one meanwhile.
        let is_over_old = self.is_over_old || fs::symlink_metadata(target).is_ok();
        if is_over_old {
            self.file.sync_all()?;
        }
        fs::rename(name, target)?;
        if is_over_old {
            // The new name survives a crash of the machine, too, where folders can be synchronised.
            let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
        }
        self.names = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some((name, _)) = &self.names {
            // It may be gone already.
            let _ = fs::remove_file(name);
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes `bytes` as the file at `path`, as [`Draft::new`] says.
///
/// # Errors
/// What the system gives; the old file is as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::new(path)?;
    draft.write_all(bytes)?;
    draft.commit()
}

fn folder_of(target: &Path) -> &Path {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
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
        let mut given_up = Draft::new(&path).unwrap();
        given_up.write_all(b"half").unwrap();
        drop(given_up);
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
    fn what_was_foretold_and_did_not_come_is_no_part_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for (foretold, length) in [(0, 3), (5 << 20, 3), (1 << 20, 2 << 20), (u64::MAX, 1)] {
            let mut draft = Draft::new(&path).unwrap();
            draft.foretell(foretold);
            draft.write_all(&vec![7; length]).unwrap();
            draft.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), vec![7; length]);
        }
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
    fn a_device_is_written_to_and_a_full_one_is_an_error() {
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        let error = write_whole(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
