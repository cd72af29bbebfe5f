//! The conventions of the house that a machine can check.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the lowest up, as ARCHITECTURE.md draws them. A module imports from lower floors
/// and from its own folder only.
const FLOORS: [&[&str]; 8] = [
    &["diag", "dtype", "layout"],
    &["ir", "io", "report", "syntax"],
    &["codegen", "memory"],
    &["device", "replay"],
    &["tensor"],
    &["interp"],
    &["session"],
    &["jupyter", "notebook", "repl"],
];

/// The crates that share `src`, from the lowest up: where the modules of each are named, and which floors these are on.
const CRATES: [(&str, std::ops::RangeInclusive<usize>); 4] = [
    ("src/base.rs", 0..=1),
    ("src/engine.rs", 2..=4),
    ("src/language.rs", 5..=5),
    ("src/lib.rs", 6..=7),
];

/// What modules of one floor may still import from each other: the vocabulary below all others.
const VOCABULARY: [(&str, &str); 1] = [("layout", "diag")];

/// Third parties that keep to one place.
const TENANTS: [(&str, &[&str]); 29] = [
    ("nom", &["src/syntax/"]),
    ("cudarc", &["src/device/cuda/"]),
    ("rayon", &["src/device/cpu/"]),
    ("faer", &["src/device/cpu/factorise/"]),
    ("gemm_common", &["src/device/cpu/"]),
    ("gemm_f32", &["src/device/cpu/"]),
    ("gemm_f64", &["src/device/cpu/"]),
    ("compact_str", &["src/interp/thin.rs"]),
    ("rustyline", &["src/repl/"]),
    ("owo_colors", &["src/repl/"]),
    ("indicatif", &["src/repl/bar.rs"]),
    ("prettytable", &["src/repl/"]),
    ("png", &["src/report/html/", "src/report/figure/", "src/io/picture.rs"]),
    ("zune_jpeg", &["src/io/picture.rs"]),
    ("flate2", &["src/io/zip", "src/io/columns/codec.rs"]),
    ("brotli_decompressor", &["src/io/columns/codec.rs"]),
    ("lz4_flex", &["src/io/columns/codec.rs"]),
    ("snap", &["src/io/columns/codec.rs"]),
    ("zrip_decode", &["src/io/columns/codec.rs"]),
    ("fast_float2", &["src/io/table/quick.rs"]),
    ("crc32fast", &["src/io/zip"]),
    (
        "base64",
        &[
            "src/report/html/",
            "src/report/figure/",
            "src/repl/graphics.rs",
            "src/jupyter/",
            "src/report/evcxr.rs",
        ],
    ),
    ("ndarray", &["src/session/host/"]),
    ("clap", &["src/repl/", "src/jupyter/", "src/main.rs"]),
    ("serde_json", &["src/repl/", "src/jupyter/", "src/session/", "src/memory/"]),
    ("jupyter_protocol", &["src/jupyter/"]),
    ("jupyter_zmq_client", &["src/jupyter/wire/"]),
    ("zeromq", &["src/jupyter/wire/"]),
    ("tokio", &["src/jupyter/wire/"]),
];

const MAX_LINES: usize = 500;

struct File {
    path: String,
    text: String,
}

fn rust_files(folder: &str) -> Vec<File> {
    files_of(folder, "rs")
}

fn files_of(folder: &str, ending: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(root).unwrap().display().to_string();
                found.push(File { path, text });
            }
        }
    }
    assert!(!found.is_empty(), "no file .{ending} in {folder}");
    found
}

/// Lines of code, without comments and string contents of the plain kind.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    text.lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line))
        .filter(move |(_, line)| !is_comment(line))
}

fn report(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

fn floor_of(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

fn module_of(path: &str) -> Option<&str> {
    path.strip_prefix("src/")?.split('/').next().filter(|name| !name.ends_with(".rs"))
}

#[test]
fn every_module_has_a_floor() {
    let mut problems = Vec::new();
    for file in rust_files("src") {
        if let Some(module) = module_of(&file.path)
            && floor_of(module).is_none()
        {
            problems.push(format!("{}: `{module}` is on no floor", file.path));
        }
    }
    report(&problems);
}

#[test]
fn every_crate_has_its_floors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, floors) in CRATES {
        let text = fs::read_to_string(root.join(path)).unwrap();
        let modules =
            text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        let mut named: Vec<&str> = modules.collect();
        named.sort_unstable();
        let mut expected: Vec<&str> = FLOORS[floors].concat();
        expected.sort_unstable();
        assert_eq!(named, expected, "{path}");
    }
}

#[test]
fn imports_go_down() {
    let mut problems = Vec::new();
    for file in rust_files("src") {
        let Some(module) = module_of(&file.path) else { continue };
        for (line, text) in code_lines(&file.text) {
            for (at, _) in text.match_indices("crate::") {
                let rest = &text[at + "crate::".len()..];
                let imported: String =
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let (Some(from), Some(to)) = (floor_of(module), floor_of(&imported)) else {
                    continue;
                };
                let is_down = to < from || imported == module;
                if !is_down && !VOCABULARY.contains(&(module, imported.as_str())) {
                    problems.push(format!("{}:{line}: `{module}` imports `{imported}`", file.path));
                }
            }
        }
    }
    report(&problems);
}

#[test]
fn third_parties_keep_to_their_place() {
    let mut problems = Vec::new();
    for file in rust_files("src") {
        for (line, text) in code_lines(&file.text) {
            for (tenant, places) in TENANTS {
                let is_use = text.trim_start().starts_with(&format!("use {tenant}::"))
                    || text.contains(&format!(" {tenant}::"));
                if is_use && !places.iter().any(|place| file.path.starts_with(place)) {
                    problems
                        .push(format!("{}:{line}: `{tenant}` belongs in {places:?}", file.path));
                }
            }
        }
    }
    report(&problems);
}

#[test]
fn files_are_rooms_not_halls() {
    let too_long = |file: &&File| file.text.lines().count() > MAX_LINES;
    let rust = ["src", "tests", "benches"].into_iter().flat_map(rust_files);
    let kernels = ["cu", "cuh"].into_iter().flat_map(|ending| files_of("kernels", ending));
    let files: Vec<File> = rust.chain(kernels).collect();
    let problems: Vec<String> = files
        .iter()
        .filter(too_long)
        .map(|file| {
            format!("{}: {} lines, at most {MAX_LINES}", file.path, file.text.lines().count())
        })
        .collect();
    report(&problems);
}

#[test]
fn every_file_says_what_it_is() {
    let is_silent = |file: &&File| !file.text.starts_with("//!");
    let files = rust_files("src");
    let silent = files.iter().filter(is_silent).filter(|file| !file.path.ends_with("tests.rs"));
    report(&silent.map(|file| format!("{}: begins without `//!`", file.path)).collect::<Vec<_>>());
}

#[test]
fn unsafe_keeps_to_its_place() {
    let mut problems = Vec::new();
    for file in rust_files("src") {
        let heaps =
            ["src/memory/host.rs", "src/memory/host_pages.rs", "src/memory/process_heap.rs"];
        let allowed = file.path.starts_with("src/device/") || heaps.contains(&file.path.as_str());
        for (line, text) in code_lines(&file.text) {
            let is_unsafe = text.contains("unsafe {")
                || text.contains("unsafe fn")
                || text.contains("unsafe impl");
            if is_unsafe && !allowed {
                problems.push(format!(
                    "{}:{line}: unsafe outside device/ and the heaps in memory/",
                    file.path
                ));
            }
        }
    }
    report(&problems);
}

/// The macros that print panic where the terminal or the pipe has died, and take along what should
/// have come after them: a kernel's end, a file that is being written.
#[test]
fn nothing_prints_that_could_panic() {
    let mut problems = Vec::new();
    for file in rust_files("src") {
        for (line, text) in code_lines(&file.text) {
            let prints = ["println!(", "eprintln!(", "print!(", "eprint!(", "dbg!("]
                .iter()
                .any(|word| text.contains(word) && !text.contains(&format!("\"{word}")));
            if prints {
                problems.push(format!("{}:{line}: write to a locked stream instead", file.path));
            }
        }
    }
    report(&problems);
}

#[test]
fn no_state_outlives_a_session() {
    // What waits there is gone before whoever has dropped it goes on; free memory of the process is nobody's.
    let others = ["src/interp/letting_go.rs", "src/memory/process_heap.rs", "src/main.rs"];
    let is_other = |file: &File| others.iter().any(|path| Path::new(&file.path) == Path::new(path));
    let mut problems = Vec::new();
    for file in rust_files("src").into_iter().filter(|file| !is_other(file)) {
        for (line, text) in code_lines(&file.text) {
            let text = text.trim_start();
            let is_static = text.starts_with("static ")
                || text.starts_with("pub static ")
                || text.starts_with("pub(crate) static ");
            if is_static || text.starts_with("thread_local!") {
                problems.push(format!("{}:{line}: static state", file.path));
            }
        }
    }
    report(&problems);
}

#[test]
fn nothing_is_left_undone() {
    let mut problems = Vec::new();
    for file in rust_files("src") {
        for (line, text) in file.text.lines().enumerate() {
            for word in ["todo!(", "unimplemented!(", "TODO", "FIXME", "XXX"] {
                if text.contains(word) {
                    problems.push(format!("{}:{}: {word}", file.path, line + 1));
                }
            }
        }
    }
    report(&problems);
}

/// Numbers of the CPU's kernels at which none of them takes another way, and why.
const NO_THRESHOLD: [(&str, &str, &str); 90] = [
    ("line.rs", "WIDE", "where the second half of a buffer begins"),
    ("matmul/wanted.rs", "LEAST_COLUMNS", "of columns: numpy_products.py has 95 and 96"),
    (
        "matmul/wanted.rs",
        "LEAST_COPIED",
        "of elements: numpy_products.py has operands on both sides",
    ),
    ("matmul/wanted.rs", "MOST_COPIED", "of bytes: what is larger is read as it lies"),
    (
        "exec/columns.rs",
        "LEAST_SHARED",
        "of chunks: whole_lines has as many, and one element fewer",
    ),
    ("sort/leading.rs", "LOOK", "of sorted keys: tested there on both sides"),
    ("lanes/places.rs", "FEW_COLUMNS", "of a row: folds has rows of every length up to 34"),
    ("lanes/points.rs", "TOGETHER", "of points: twice as many, and one fewer, are in folds"),
    ("lanes/points.rs", "STATE", "of a lane's accumulator"),
    ("lanes/total.rs", "NEAR_LANES", "a quarter of LANES"),
    ("matmul/small.rs", "NEAR_BYTES", "of a matrix: tested there on both sides"),
    ("matmul/small.rs", "MOST_ROWS", "of a product: tested there on both sides"),
    ("matmul/small.rs", "TURNED", "of rows: tested there on both sides"),
    ("matmul/tall.rs", "COLUMNS", "of a product: tested there on both sides"),
    ("elements.rs", "LINE", "of a cache"),
    ("elements.rs", "SET", "of a cache"),
    ("lanes/bools.rs", "BYTES", "of a row: folds has rows on both sides"),
    ("exec/pattern/avx512.rs", "MOST_PERMUTED", "of times: tested there on both sides"),
    ("matmul/thin.rs", "TOGETHER", "as many rows as small::COLUMNS"),
    ("matmul/thin.rs", "LONG", "of a row's vectors: tested there on both sides"),
    ("matmul/mod.rs", "ALONE", "of a product's work: tested there with any number of threads"),
    ("exec/pattern/mod.rs", "MOST_WOVEN", "of parts: joining has fewer and more"),
    ("exec/lines.rs", "NEAR_WOVEN", "of bytes: joining has results that it cuts"),
    (
        "exec/geometry.rs",
        "CACHE_LINE",
        "of bytes, which say how much memory is reached: windows has both sides",
    ),
    ("exec/columns.rs", "REACHED", "of a measure of work, which decides over threads alone"),
    (
        "exec/direction.rs",
        "VECTOR",
        "of bytes: lanes, which tests of rows in turn have both sides of",
    ),
    ("exec/block.rs", "VECTOR", "of bytes in a row: windows has both sides"),
    ("exec/pattern/mod.rs", "STRING", "of bytes in one run: tested there on both sides"),
    ("exec/rows.rs", "MAX_CHUNKS", "more elements than memory holds"),
    ("exec/form.rs", "KEEP_ACROSS", "of elements of many rows: side_by_side has fewer and more"),
    ("exec/form.rs", "KEEP_STACKED", "more elements than a test has time for; fewer: side_by_side"),
    ("exec/plan.rs", "LIGHT", "of a lane's work: few has light maps and heavy ones"),
    ("exec/lines.rs", "MOST_APART", "of a stride: windows has both sides"),
    ("exec/form.rs", "KEPT_BYTES", "of a block, whose lanes it cuts: side_by_side has both"),
    ("exec/form.rs", "FEW_BYTES", "of a lane: programs have fewer and more"),
    ("fused/sums/mod.rs", "PIECE", "of lanes: tested there on both sides"),
    ("fused/sums/overlapping.rs", "FREE", "registers"),
    ("fused/sums/overlapping.rs", "VECTOR", "the bytes of a register"),
    ("team.rs", "CLOSED", "a bit of a count"),
    ("team.rs", "ONE", "a bit of a count"),
    ("team.rs", "LOOKS", "how often a thread looks before it sleeps"),
    ("exec/frame.rs", "ALIGN", "of addresses"),
    ("exec/launch.rs", "MAX_PLANS", "of plans that are kept"),
    ("random/philox.rs", "ROUNDS", "of a generator"),
    ("random/mod.rs", "GROUP", "two or four times LANES"),
    ("fourier/plans.rs", "KEPT", "of plans that are kept: tested there"),
    ("fourier/plans.rs", "MANY", "of plans that are kept: tested there"),
    (
        "fourier/line.rs",
        "STRETCH",
        "of numbers that are moved at once: the tests' lines are around it",
    ),
    ("fourier/long.rs", "SIDE", "far below LONG"),
    ("fourier/long.rs", "PIECE", "the least that a thread takes, far below LONG"),
    ("factorise/alone.rs", "STACK", "of a thread's stack"),
    ("factorise/alone.rs", "ROWS", "how much is copied between two looks at Ctrl-C"),
    ("factorise/mod.rs", "PARTS", "how many threads there are"),
    ("factorise/mod.rs", "ALONE", "256 rows and columns, which are in the list"),
    ("factorise/dense.rs", "ALIGNMENT", "of addresses"),
    ("factorise/lu.rs", "MANY", "of exchanges: tested there on both sides"),
    ("factorise/panel.rs", "TINY", "of rows: tested there on both sides"),
    ("factorise/panel.rs", "TOGETHER", "of columns: tested there on both sides"),
    ("factorise/panel.rs", "PARTS", "of a product: bidiagonal.rs has any number of threads"),
    ("factorise/chase.rs", "WIDTH", "of a band: both ways to two diagonals test both sides"),
    ("factorise/chase.rs", "SWEEPS", "of a group, far below the sides in the list"),
    ("factorise/chase.rs", "LAG", "of sweeps: the number of threads would change results"),
    ("factorise/chase.rs", "BEHIND", "of groups: as LAG"),
    ("factorise/chase.rs", "STEPS", "of sweeps: as LAG"),
    ("factorise/chase.rs", "PATIENCE", "of a thread that waits"),
    ("factorise/bidiagonal.rs", "FAR", "of a side: 256, which is in the list"),
    ("factorise/bidiagonal.rs", "ABOVE", "of a band's memory"),
    ("factorise/bidiagonal.rs", "STEP", "of a band's memory"),
    ("factorise/bidiagonal.rs", "COLUMN", "of a band's memory"),
    ("factorise/bidiagonal.rs", "BEFORE", "of a kind of band"),
    ("factorise/tridiagonal.rs", "FAR", "of a side: eigen.rs tests both"),
    ("factorise/tridiagonal.rs", "STEP", "of a band's memory"),
    ("factorise/tridiagonal.rs", "COLUMN", "of a band's memory"),
    ("factorise/tridiagonal.rs", "BEFORE", "of a kind of band"),
    ("factorise/tridiagonal.rs", "PARTS", "of a product: tested there with any number of threads"),
    ("factorise/tridiagonal.rs", "TILE", "of columns: tested there on both sides"),
    ("factorise/eigen.rs", "BLOCK", "of reflections: the sides in the list are on both"),
    ("factorise/root_free.rs", "MOST", "of steps for an eigenvalue"),
    ("factorise/quotients.rs", "MOST", "of steps for a singular value"),
    ("fill.rs", "PIECE", "FILLED_AT_ONCE for memory that the host reaches"),
    ("scan/mod.rs", "GROUP", "LONG is so many times CHUNK"),
    ("sort/in_place.rs", "SHORT", "128, which is in the list"),
    ("scatter/mod.rs", "MAX_PARTS", "how many threads there are"),
    ("sort/quick/partition.rs", "LINE", "of a cache"),
    ("sort/quick/eights.rs", "EIGHT", "of a network: 8 is in the list"),
    ("lanes/float16.rs", "PIECE", "LANES"),
    ("scatter/count.rs", "COPIES", "4 times 4 for each place, around which its test counts"),
    ("line.rs", "MOST", "WIDE_LANES"),
    (
        "line.rs",
        "DENSE",
        "of bytes: tensor/row has dense lines on both sides, of each size of elements",
    ),
    (
        "exec/lines.rs",
        "SHORT_STREAM",
        "of bytes in a line of a large window: windows has both sides",
    ),
];

/// The tests of operations stand on both sides of each threshold that is in a list (`tensor/thresholds.rs`), and each
/// that the code has is in one.
#[test]
fn every_threshold_is_in_a_list() {
    let files: Vec<File> = rust_files("src/device/cpu")
        .into_iter()
        .filter(|file| !file.path.contains("tests") && !file.path.contains("trials"))
        .collect();
    let inside = |file: &File| file.path.trim_start_matches("src/device/cpu/").to_string();
    let room = |file: &File| inside(file).split('/').next().unwrap_or_default().to_string();
    let mut lists = Vec::new();
    for file in &files {
        for (at, _) in file.text.match_indices("THRESHOLDS: &[usize]") {
            let list = file.text[at..].split(';').next().unwrap_or_default();
            lists.push((room(file), list.to_string()));
        }
        if inside(file) == "mod.rs" {
            let list = file.text.split("pub mod thresholds").nth(1).unwrap_or_default();
            lists.push((String::new(), list.split("\n}").next().unwrap_or_default().to_string()));
        }
    }
    let is_listed = |name: &str, of: &str| {
        lists.iter().any(|(room, list)| {
            let mut words = list.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            words.any(|word| match word.rsplit_once("::") {
                Some((path, last)) => {
                    last == name
                        && (room == of
                            || path.contains(of.trim_end_matches(".rs"))
                            || room.is_empty())
                }
                None => word == name && (room == of || room.is_empty()),
            })
        })
    };
    let mut problems = Vec::new();
    for file in &files {
        for (_, line) in code_lines(&file.text) {
            let Some((before, _)) = line.split_once(": usize") else { continue };
            let Some(name) = before.split_once("const ").map(|it| it.1.trim()) else { continue };
            if !before.trim_start().starts_with("pub") && !before.trim_start().starts_with("const")
            {
                continue;
            }
            let is_trait = !line.contains('=') || name.starts_with("LANE");
            let is_excused =
                NO_THRESHOLD.iter().any(|(path, of, _)| *path == inside(file) && *of == name);
            if name.chars().all(|c| c.is_uppercase() || c == '_')
                && !is_trait
                && !is_excused
                && !is_listed(name, &room(file))
            {
                problems.push(format!("{}: {name} is in no list of thresholds", file.path));
            }
        }
    }
    report(&problems);
}

#[test]
fn the_changelog_begins_with_this_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let changelog = fs::read_to_string(root.join("CHANGELOG.md")).unwrap();
    let head = changelog.lines().find(|line| line.starts_with("## ")).unwrap();
    assert!(head.contains(env!("CARGO_PKG_VERSION")) || head.contains("Unreleased"), "{head}");
}
