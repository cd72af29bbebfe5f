//! What was typed in former sessions: a text file, one input a line, line breaks written as `\n`.
//!
//! Each input is appended in one write, so that sessions side by side do not tear each other's
//! lines. Only its owner may read the file: inputs hold paths, names, sometimes passwords. What can't be
//! written, to a full disk for example, waits for the next input.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::session::write_whole;

/// Inputs of former sessions that are kept.
pub const MAX_ENTRIES: usize = 10_000;
/// Bytes at the end of the file that are read; a larger file is cut to its newest inputs.
const MAX_BYTES: u64 = 4 << 20;

/// The file of former inputs, open for appending.
#[derive(Debug)]
pub struct HistoryFile {
    path: PathBuf,
    /// Inputs that could not be written yet, as lines.
    waiting: String,
}

impl HistoryFile {
    /// The file in the platform's data folder; none where the platform has no such folder.
    pub fn usual() -> Option<HistoryFile> {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(HistoryFile::at(strategy.data_dir().join("genesis-repl").join("history")))
    }

    fn at(path: PathBuf) -> HistoryFile {
        HistoryFile { path, waiting: String::new() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The inputs of former sessions, the oldest first. No file is no input.
    ///
    /// # Errors
    /// What reading gave.
    pub fn load(&self) -> io::Result<Vec<String>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let about = file.metadata()?;
        if !about.is_file() {
            // A device such as /dev/full would be read without end.
            return Ok(Vec::new());
        }
        let skipped = about.len().saturating_sub(MAX_BYTES);
        file.seek(SeekFrom::Start(skipped))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().skip(usize::from(skipped > 0)).collect();
        let newest = &lines[lines.len().saturating_sub(MAX_ENTRIES)..];
        if skipped > 0 {
            write_whole(&self.path, (newest.join("\n") + "\n").as_bytes())?;
        }
        Ok(newest.iter().map(|line| unescape(line)).filter(|entry| !entry.is_empty()).collect())
    }

    /// Adds an input, and those that wait.
    ///
    /// # Errors
    /// What making the folder or writing gave; the input waits then.
    pub fn append(&mut self, entry: &str) -> io::Result<()> {
        self.waiting += &(escape(entry) + "\n");
        self.write()?;
        self.waiting.clear();
        Ok(())
    }

    fn write(&self) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true).read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.path)?;
        let about = file.metadata()?;
        if about.is_file() {
            keep_private(&file, &about)?;
            // A disk that was full may have torn the last line.
            if about.len() > 0 {
                let mut last = [0];
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    return file.write_all(format!("\n{}", self.waiting).as_bytes());
                }
            }
        }
        file.write_all(self.waiting.as_bytes())
    }
}

/// Takes away what former versions let others do.
#[cfg(unix)]
fn keep_private(file: &File, about: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    match about.permissions().mode() & 0o077 {
        0 => Ok(()),
        _ => file.set_permissions(fs::Permissions::from_mode(0o600)),
    }
}

#[cfg(not(unix))]
fn keep_private(_file: &File, _about: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

fn escape(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescape(line: &str) -> String {
    let mut entry = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => entry.push(c),
            _ => match chars.next() {
                Some('n') => entry.push('\n'),
                Some('r') => entry.push('\r'),
                Some(other) => entry.push(other),
                None => entry.push('\\'),
            },
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = HistoryFile::at(folder.path().join("deep").join("history"));
        assert_eq!(file.load().unwrap(), Vec::<String>::new());
        let entries = ["x = [1,\n  2]", r"'\n' + r'\\'", "名前 = 1"];
        for entry in entries {
            file.append(entry).unwrap();
        }
        assert_eq!(file.load().unwrap(), entries);
    }

    #[test]
    fn a_huge_file_is_cut_to_its_newest_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile::at(folder.path().join("history"));
        let lines: Vec<String> = (0..400_000).map(|n| format!("x = {n} + 1000")).collect();
        fs::write(&file.path, lines.join("\n") + "\n").unwrap();
        let loaded = file.load().unwrap();
        assert_eq!(loaded.len(), MAX_ENTRIES);
        assert_eq!(loaded.last().unwrap(), "x = 399999 + 1000");
        assert!(fs::metadata(&file.path).unwrap().len() < MAX_BYTES);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_full_disk_refused_comes_later_and_a_torn_line_ruins_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let mut file = HistoryFile::at("/dev/full".into());
        assert!(file.append("a = 1").is_err() && file.append("b = 2").is_err());
        fs::write(&path, "old\ntor").unwrap();
        file.path = path;
        file.append("c = 3").unwrap();
        file.append("d = 4").unwrap();
        assert_eq!(file.load().unwrap(), ["old", "tor", "a = 1", "b = 2", "c = 3", "d = 4"]);
    }

    #[test]
    #[cfg(unix)]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mut file = HistoryFile::at(folder.path().join("history"));
        let mode =
            |file: &HistoryFile| fs::metadata(&file.path).unwrap().permissions().mode() & 0o777;
        file.append("x").unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file.path, fs::Permissions::from_mode(0o644)).unwrap();
        file.append("y").unwrap();
        assert_eq!(mode(&file), 0o600);
    }

    #[test]
    fn a_full_disk_is_an_error_and_not_a_hang() {
        let path = PathBuf::from("/dev/full");
        if path.exists() {
            let mut file = HistoryFile::at(path);
            assert!(file.load().unwrap().is_empty());
            assert!(file.append("x").is_err());
        }
    }
}
