//! Arrays in files: against files that NumPy wrote (`tests/numpy/files.py`), and against files that nobody should.

#[path = "files/checkpoints.rs"]
mod checkpoints;
#[cfg(feature = "parquet")]
#[path = "files/columns.rs"]
mod columns;
#[path = "files/figures.rs"]
mod figures;
#[path = "files/gguf.rs"]
mod gguf;
#[path = "files/pictures.rs"]
mod pictures;
#[path = "suite/printed.rs"]
mod printed;
#[path = "files/tables.rs"]
mod tables;
#[path = "files/torch.rs"]
mod torch;

use std::fs;
use std::path::{Path, PathBuf};

use genesis_repl::session::{Config, Session};
use printed::Printed;
use serde_json::Value;

struct Desk {
    session: Session,
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let config = Config::default().with_device("cpu").expect("a device");
        let session = Session::new(config).expect("a session");
        let folder = tempfile::tempdir().expect("a folder");
        let mut desk = Desk { session, folder };
        desk.run("import numpy as np").expect("NumPy");
        desk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a program, in which `@name` is a file of the folder; what it prints, or its error with the hints.
    fn run(&mut self, program: &str) -> Result<String, String> {
        let program = program.replace('@', &format!("{}/", self.folder.path().display()));
        let mut out = Printed::default();
        match self.session.run(&program, &mut out).error {
            Some(error) => {
                let words = std::iter::once(&error.message).chain(&error.hints);
                let words: Vec<&str> = words.map(String::as_str).collect();
                Err(format!("{}: {}", error.name(), words.join("; ")))
            }
            None => Ok(out.0.trim().to_owned()),
        }
    }

    #[track_caller]
    fn prints(&mut self, program: &str, expected: &str) {
        assert_eq!(self.run(program).as_deref(), Ok(expected), "{program}");
    }

    #[track_caller]
    fn fails(&mut self, program: &str, words: &str) {
        let error = self.run(program).expect_err(program);
        assert!(error.contains(words), "{program}: {error}");
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn goldens() -> Vec<Value> {
    let lines = include_str!("numpy/files.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check_goldens(desk: &mut Desk, some: usize) {
    for case in goldens().iter().step_by(some) {
        let file = bytes(&case["hex"]);
        fs::write(desk.at("n.npy"), &file).unwrap();
        let shape: Vec<String> =
            case["shape"].as_array().unwrap().iter().map(ToString::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        let dtype = case["dtype"].as_str().unwrap();
        let expected = format!("{dtype} ({}{comma})", shape.join(", "));
        desk.prints("x = np.load('@n.npy')\nprint(x.dtype.name, x.shape)", &expected);
        desk.run("np.save('@o.npy', x)\nx.tofile('@o.bin')").unwrap();
        desk.run("np.load('@n.npy', mmap_mode='r')[...].tofile('@m.bin')").unwrap();
        assert_eq!(fs::read(desk.at("o.bin")).unwrap(), bytes(&case["bits"]), "{expected}");
        assert_eq!(fs::read(desk.at("m.bin")).unwrap(), bytes(&case["bits"]), "{expected}");
        // What NumPy wrote in this machine's order is what we write, byte for byte. An array that lies
        // both ways is written by rows.
        let text = String::from_utf8_lossy(&file[..64]).into_owned();
        if !text.contains("'>") {
            assert_eq!(fs::read(desk.at("o.npy")).unwrap(), file, "{expected}");
        }
    }
}

#[test]
fn what_numpy_writes_is_read_and_written_again_to_the_byte() {
    check_goldens(&mut Desk::new(), 1);
}

#[test]
fn the_same_on_a_pretended_gpu() {
    let mut desk = Desk::new();
    desk.run(":device simulate 1GiB").unwrap();
    check_goldens(&mut desk, 7);
    desk.prints("print(np.load('@n.npy').device)", "cuda:0");
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    let mut desk = Desk::new();
    desk.run("np.save('@a.npy', arange(3))\nnp.savez('@a.npz', x=arange(3))").unwrap();
    desk.run("save('@a.safetensors', {'x': arange(3)})").unwrap();
    for name in ["a.npy", "a.npz", "a.safetensors"] {
        let whole = fs::read(desk.at(name)).unwrap();
        for end in (0..whole.len()).step_by(3) {
            fs::write(desk.at(name), &whole[..end]).unwrap();
            let error = desk.run(&format!("load('@{name}')['x']")).unwrap_err();
            let is_clear = error.starts_with("ValueError: ") || error.starts_with("EOFError: ");
            assert!(is_clear, "{name} up to {end}: {error}");
        }
    }
}

#[test]
fn changed_bytes_never_crash() {
    let mut desk = Desk::new();
    desk.run("np.savez_compressed('@a.npz', x=arange(5))").unwrap();
    desk.run("save('@a.safetensors', {'x': arange(3), 'y': ones((2, 2))})").unwrap();
    let mut state = 7u32;
    for name in ["a.npz", "a.safetensors"] {
        let whole = fs::read(desk.at(name)).unwrap();
        for _ in 0..150 {
            let mut changed = whole.clone();
            for _ in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 8) as usize % changed.len();
                changed[at] = state as u8;
            }
            fs::write(desk.at("b").with_extension(&name[2..]), changed).unwrap();
            let _ = desk.run(&format!("[x[...] for x in load('@b.{}').values()]", &name[2..]));
        }
    }
    desk.prints("print(1 + 1)", "2");
}

#[test]
fn an_old_file_stays_where_writing_fails() {
    let mut desk = Desk::new();
    desk.run("np.save('@a.npy', arange(3))\nsave('@a.safetensors', {'x': arange(3)})").unwrap();
    let old = (fs::read(desk.at("a.npy")).unwrap(), fs::read(desk.at("a.safetensors")).unwrap());
    desk.fails("np.save('@a.npy', [None])", "objects would be pickles");
    desk.fails(
        "save('@a.safetensors', {'x': ones(2), 'z': array([1j])[:0].astype('c16')})",
        "complex128",
    );
    desk.fails("np.save('@a.npy', arange(3) // array([0, 0, 0]))", "division");
    desk.fails("save('@a.npz', arange(3))", "dictionary");
    desk.fails("np.save('@no/a.npy', arange(3))", "No such file");
    let new = (fs::read(desk.at("a.npy")).unwrap(), fs::read(desk.at("a.safetensors")).unwrap());
    assert!(old == new);
    assert_eq!(desk.names(), ["a.npy", "a.safetensors"]);
}

#[test]
fn running_out_of_memory_leaves_nothing_allocated() {
    let mut desk = Desk::new();
    desk.run("np.save('@a.npy', zeros(1000000))\nnp.savez('@a.npz', x=zeros(1000000))").unwrap();
    desk.run(":device simulate 2MiB").unwrap();
    desk.fails("np.load('@a.npy')", "memory");
    desk.fails("np.load('@a.npz')['x']", "memory");
    desk.prints("print(torch.cuda.memory_allocated())", "0");
}

#[test]
fn archives_are_mappings() {
    let mut desk = Desk::new();
    desk.run("np.savez('@a', arange(2), y=ones((2, 2)))\nd = np.load('@a.npz')").unwrap();
    desk.prints(
        "print(d.files, 'y' in d, len(d), list(d), d['arr_0'], d.f.y.sum())",
        "['y', 'arr_0'] True 2 ['y', 'arr_0'] [0 1] 4.0",
    );
    desk.prints(
        "def f(**arrays):\n    return sorted(arrays)\nprint(f(**d), d.get('no', 3))",
        "['arr_0', 'y'] 3",
    );
    desk.prints("with np.load('@a.npz') as d:\n    print(d['y.npy'].shape)", "(2, 2)");
    desk.fails("d['y']", "closed");
    desk.fails("np.load('@a.npz')['z']", "z is not a file in the archive: there are y, arr_0");
    desk.fails("np.savez('@b', arange(2), arr_0=1)", "Cannot use un-named variables");
}

#[test]
fn arrays_on_the_disk_are_read_and_written_in_place() {
    let mut desk = Desk::new();
    desk.run("x = arange(2 * 300 * 400).reshape(2, 300, 400)\nnp.save('@x.npy', x)").unwrap();
    desk.run("np.save('@f.npy', x.T)\nm = np.load('@x.npy', mmap_mode='r')\nf = np.load('@f.npy', mmap_mode='r').T").unwrap();
    for index in [
        "0",
        "1, 5",
        "1, 5, 7",
        "..., 3",
        ":, ::7, ::-3",
        "::-1",
        "None, :, 2:2",
        "0, :, None",
        "[1, 0]",
        "x > 200000",
    ] {
        let asked = format!(
            "print((m[{index}] == x[{index}]).all(), m[{index}].shape == x[{index}].shape)"
        );
        desk.prints(&asked, "True True");
    }
    desk.prints("m = np.load('@f.npy', mmap_mode='r')\nprint((m[..., 1] == x.T[..., 1]).all(), (m[7] == x.T[7]).all())", "True True");
    desk.prints(
        "print((m - 1).sum() == (x - 1).sum(), m.mean() == x.mean(), len(m), np.max(m))",
        "True True 400 239999",
    );
    desk.fails("m[0] = 1", "read-only");
    desk.run("w = np.memmap('@w.bin', dtype='int16', mode='w+', shape=(3, 4))\nw[1] = arange(4)\nw[:, ::2] = -1\nw[[0], 3] = 7").unwrap();
    desk.prints(
        "print(np.fromfile('@w.bin', dtype='int16').tolist())",
        "[-1, 0, -1, 7, -1, 1, -1, 3, -1, 0, -1, 0]",
    );
    fs::OpenOptions::new().write(true).open(desk.at("w.bin")).unwrap().set_len(5).unwrap();
    desk.fails("w[:]", "the file ends");
}

#[test]
fn tables_are_read_as_the_language_reads_them() {
    let mut desk = Desk::new();
    desk.run("rng = np.random.default_rng(1)\nx = rng.normal(size=(500, 7))\nnp.savetxt('@t.txt', x, header='a\\nb')").unwrap();
    desk.run("lines = open('@t.txt').read().split('\\n')").unwrap();
    for how in [
        "",
        "skiprows=100",
        "max_rows=7",
        "usecols=(3, -1)",
        "unpack=True",
        "dtype='float32'",
        "usecols=2, ndmin=2",
    ] {
        let asked = format!(
            "a, b = np.loadtxt('@t.txt', {how}), np.loadtxt(lines, {how})\nprint(a.dtype == b.dtype, a.shape == b.shape, (a == b).all())"
        );
        desk.prints(&asked, "True True True");
    }
    for (text, how, words) in [
        ("1 2\n3 x\n", "", "could not convert string 'x' to float32 at row 1, column 2."),
        ("1 2\n3\n", "", "the number of columns changed from 2 to 1 at row 2"),
        ("1 2\n", "usecols=5", "invalid column index 5 at row 1 with 2 columns"),
        ("1 300\n", "dtype='int8'", "could not convert string '300' to int8"),
    ] {
        fs::write(desk.at("bad.txt"), text).unwrap();
        desk.fails(&format!("np.loadtxt('@bad.txt', {how})"), words);
    }
    fs::write(desk.at("a.csv"), "x,y\n1,\n3,4\n").unwrap();
    desk.prints("print(load('@a.csv').tolist())", "[[1.0, nan], [3.0, 4.0]]");
    desk.prints(
        "print(np.genfromtxt('@a.csv', delimiter=',', filling_values=-5).tolist())",
        "[[-5.0, -5.0], [1.0, -5.0], [3.0, 4.0]]",
    );
    desk.prints("save('@b.tsv', x)\nprint((load('@b.tsv') == x).all())", "True");
}

#[test]
fn checkpoints_are_read_as_they_are_asked_for() {
    let mut desk = Desk::new();
    desk.run("t = {f'layers.{i}.{p}.weight': full((4, 3), i) for i in range(3) for p in 'qk'}")
        .unwrap();
    desk.run("t['norm'] = array([1, 2], dtype='bfloat16')\nsave('@m.safetensors', t)\nck = load('@m.safetensors')").unwrap();
    let table = desk.run("print(ck)").unwrap();
    assert!(
        table.contains("layers.{0..2}.q.weight")
            && table.contains("total")
            && table.contains("bfloat16"),
        "{table}"
    );
    desk.prints("print(len(ck), len(ck['layers.*.q.weight']), ck['norm'].dtype, ck['layers.2.k.weight'][1:, 0].tolist())", "7 3 bfloat16 [2, 2, 2]");
    desk.prints("from safetensors.torch import load_file, save_file, safe_open\nprint(load_file('@m.safetensors')['norm'].tolist())", "[1.0, 2.0]");
    let found = desk.session.complete("ck[\"no", 6);
    assert_eq!(found.items, [("norm".to_owned(), String::new())]);
    fs::write(
        desk.at("m.safetensors.index.json"),
        r#"{"metadata": {}, "weight_map": {"norm": "m.safetensors"}}"#,
    )
    .unwrap();
    desk.prints("print(list(load('@m.safetensors.index.json')))", "['norm']");
    desk.fails("ck['layers.9*']", "no tensor of the checkpoint matches");
    fs::OpenOptions::new()
        .write(true)
        .open(desk.at("m.safetensors"))
        .unwrap()
        .set_len(100)
        .unwrap();
    desk.fails("ck['norm'][...]", "the file ends");
    desk.fails("load('@m.safetensors')", "beyond the file");
}

#[test]
fn what_is_no_file_of_arrays_is_said() {
    let mut desk = Desk::new();
    fs::write(desk.at("x.bin"), "something else").unwrap();
    desk.fails(
        "np.load('@x.bin')",
        ".npy, .npz, .safetensors, .pt, .gguf, .parquet, .arrow, .feather, .png, .jpg, .csv, .tsv and .txt are known",
    );
    desk.fails("np.load('@x.bin', allow_pickle=True)", "pickles are not read");
    desk.fails("np.load('@none.npy')", "No such file or directory");
    desk.fails("np.load('@')", "Is a directory");
    desk.fails("save('@x.jpg', ones(3))", "no file ends with .jpg");
    desk.fails("np.load(3)", "expected str, bytes or os.PathLike object, not int");
    fs::write(desk.at("e.npy"), "").unwrap();
    desk.fails("np.load('@e.npy')", "EOFError: No data left in file");
    assert!(Path::new("/dev/null").exists());
    desk.fails("np.load('/dev/null')", "not a file on a disk");
}

#[test]
fn folders_are_made_and_nothing_is_taken_away() {
    let mut desk = Desk::new();
    desk.run("import os\nfrom pathlib import Path").unwrap();
    desk.prints("os.mkdir('@a')\nprint(os.path.isdir('@a'))", "True");
    desk.prints(
        "os.makedirs('@b/c/d')\nos.makedirs('@b/c', exist_ok=True)\nprint(os.listdir('@b'))",
        "['c']",
    );
    desk.prints("os.makedirs('@e/f/')\nprint(os.path.isdir('@e/f'))", "True");
    desk.prints("Path('@g/h').mkdir(parents=True)\nPath('@g').mkdir(exist_ok=True)\nprint(Path('@g/h').is_dir())", "True");
    let walk = "print(sorted(os.path.basename(path) for path, _, _ in os.walk('@b')))";
    desk.prints(walk, "['b', 'c', 'd']");
    desk.fails("os.mkdir('@a')", "FileExistsError: [Errno 17] File exists");
    desk.fails("os.makedirs('@b/c')", "FileExistsError: [Errno 17] File exists");
    desk.fails("Path('@i/j').mkdir()", "FileNotFoundError: [Errno 2] No such file or directory");
    desk.run("open('@k', 'w').close()").unwrap();
    desk.fails("os.makedirs('@k', exist_ok=True)", "FileExistsError");
    desk.fails("os.makedirs('@k/l')", "NotADirectoryError");
    desk.fails("Path('@k').mkdir(exist_ok=True)", "FileExistsError");
    for refused in
        ["os.remove('@k')", "os.rename('@k', '@l')", "os.rmdir('@a')", "Path('@k').unlink()"]
    {
        desk.fails(refused, "NotImplementedError: programs");
    }
    assert_eq!(desk.names(), ["a", "b", "e", "g", "k"]);
    // What is explained is not done.
    desk.run(":explain os.mkdir('@z')").unwrap();
    assert!(!desk.at("z").exists());
}
