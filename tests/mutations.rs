//! Good files of every format, changed at random: each is read or refused, soon and in little memory. What walks
//! through them is what fuzzing calls (`fuzz/walk.rs`).

#[path = "../fuzz/walk.rs"]
mod walk;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use genesis_repl::session::{Config, Nobody, Session};

/// The heap, and how much of it there was at the most.
struct Counted;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is handed on to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static HEAP: Counted = Counted;

/// Changed files of each reader.
const ROUNDS: usize = 10_000;
/// What walking through one may take, of files of a few kilobytes: a piece that claims more is not asked for.
const MEMORY: usize = 256 << 20;
const TIME: Duration = Duration::from_secs(5);

/// Numbers that are the same every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// The bytes that stand as hexadecimal digits in the lines of a file of tests.
fn kept(file: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file));
    let text = text.expect("a file of tests");
    let lines = text.lines().filter(|line| is_wanted(line));
    let hex = |line: &str| {
        let (_, rest) = line.split_once("\"hex\": \"")?;
        let (hex, _) = rest.split_once('"')?;
        let pairs = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16));
        pairs.collect::<Result<Vec<u8>, _>>().ok()
    };
    lines.filter_map(hex).collect()
}

/// Good files by their endings.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config::default().with_device("cpu").expect("a device");
    let mut session = Session::new(config).expect("a session");
    let at = folder.path().display();
    let program = format!(
        "import numpy as np\nimport torch\nx = arange(24.0).reshape(4, 6)\n\
         np.save('{at}/a.npy', x)\nnp.save('{at}/b.npy', arange(5, dtype=int16).reshape(5, 1).T)\n\
         np.savez('{at}/a.npz', x=x, y=arange(3))\nnp.savez_compressed('{at}/b.npz', x=zeros(500))\n\
         save('{at}/a.safetensors', {{'layers.0.w': x, 'layers.1.w': x.astype(float16)}})\n\
         save('{at}/a.csv', x)\n:mem save {at}/a.json\n:mem save {at}/a.pickle\n"
    );
    let error = session.run(&program, &mut Nobody).error;
    assert!(error.is_none(), "{error:?}");
    let mut seeds = Vec::new();
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let endings = walk::READERS.iter().flat_map(|reader| reader.2);
        if let Some(known) = endings.into_iter().find(|known| **known == ending) {
            seeds.push((*known, fs::read(&path).expect("a file")));
        }
    }
    let index = br#"{"metadata": {"total_size": 8}, "weight_map": {"a": "x.safetensors", "b": "y.safetensors"}}"#;
    seeds.push(("index", index.to_vec()));
    seeds.push(("csv", b"1,2,3\n# said\n4,-5e3,nan\n7,8,9\r\n".to_vec()));
    seeds.push(("trace", b"a 1 100\na 2 200 # said\nf 1\n".to_vec()));
    let more = |ending: &'static str, files: Vec<Vec<u8>>, seeds: &mut Vec<_>| {
        assert!(!files.is_empty(), "no files .{ending}");
        seeds.extend(files.into_iter().map(|file| (ending, file)));
    };
    more("pt", kept("torch/files.jsonl", |line| line.contains("\"is_new\": true")), &mut seeds);
    more("old", kept("torch/files.jsonl", |line| line.contains("\"is_new\": false")), &mut seeds);
    more("gguf", kept("gguf/blocks.jsonl", |line| line.contains("\"file\"")), &mut seeds);
    more("png", kept("pictures/pictures.jsonl", |line| line.contains(".png")), &mut seeds);
    more("jpg", kept("pictures/pictures.jsonl", |line| line.contains(".jpg")), &mut seeds);
    more("columns", kept("columns/files.jsonl", |_| true), &mut seeds);
    seeds
}

/// A file with a few bytes of another one's, or other numbers, or parts that are missing or twice there.
fn changed(whole: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..1 + draw.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = draw.below(bytes.len());
        // What describes the rest stands at an end, mostly.
        let at = match draw.below(3) {
            0 => at.min(draw.below(64)),
            1 => bytes.len() - 1 - draw.below(bytes.len().min(600)),
            _ => at,
        };
        let end = (at + 1 + draw.below(8)).min(bytes.len());
        match draw.below(7) {
            0 => bytes[at] = draw.below(256) as u8,
            1 => bytes[at] ^= 1 << draw.below(8),
            2 => bytes[at..end].fill([0, 0xff, 0x7f, 0x80][draw.below(4)]),
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..end)),
            5 => {
                let twice = bytes[at..end].to_vec();
                bytes.splice(at..at, twice);
            }
            _ => bytes[at] = bytes[at].wrapping_add([1, 0xff, 2, 0xfe][draw.below(4)]),
        }
    }
    bytes
}

#[test]
fn changed_files_are_read_or_refused() {
    let (seeds, mut draw) = (seeds(), Draw(0x9e37_79b9_7f4a_7c15));
    for (name, walk, endings) in walk::READERS {
        let own: Vec<&Vec<u8>> = seeds
            .iter()
            .filter(|(ending, _)| endings.contains(ending))
            .map(|(_, file)| file)
            .collect();
        assert!(own.len() >= endings.len(), "{name}: {}", own.len());
        for whole in &own {
            walk(whole);
        }
        for round in 0..ROUNDS {
            let bytes = changed(own[draw.below(own.len())], &mut draw);
            let before = LIVE.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            let begun = Instant::now();
            walk(&bytes);
            let (peak, took) = (PEAK.load(Ordering::Relaxed) - before, begun.elapsed());
            assert!(peak < MEMORY && took < TIME, "{name} {round}: {peak} bytes, {took:?}");
        }
    }
}

/// What fuzzing has found, by the name of its reader.
#[test]
fn what_was_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let reader = path.file_stem().and_then(|name| name.to_str()).expect("a reader's name");
        let (_, walk, _) = walk::READERS.iter().find(|(name, ..)| *name == reader).expect(reader);
        walk(&fs::read(&path).expect("a file"));
    }
}
