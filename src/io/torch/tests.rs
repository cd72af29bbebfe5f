//! Files that PyTorch wrote (`tests/torch/generate.py`), whole, cut off and changed.

use super::*;

fn goldens() -> Vec<(String, Vec<u8>)> {
    let lines = include_str!("../../../tests/torch/files.jsonl").lines();
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\": \"")).unwrap() + name.len() + 5;
        line[start..start + line[start..].find('"').unwrap()].to_owned()
    };
    let bytes = |hex: &str| {
        (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect()
    };
    lines.map(|line| (field(line, "name"), bytes(&field(line, "hex")))).collect()
}

fn of(path: &std::path::Path, bytes: &[u8]) -> Result<Contents, String> {
    std::fs::write(path, bytes).unwrap();
    read(&Source::open(path).unwrap()).map_err(|error| match error {
        Error::Format(words) => words,
        Error::System(error) => panic!("{error}"),
    })
}

/// No tensor reaches beyond its storage, no storage beyond the file.
fn check(contents: &Contents, length: u64) {
    for storage in &contents.storages {
        assert!(storage.start + storage.bytes <= length);
    }
    for item in &contents.items {
        let Item::Tensor(tensor) = item else { continue };
        let reach: u64 = tensor
            .shape
            .iter()
            .zip(&tensor.strides)
            .map(|(n, s)| (*n as u64).saturating_sub(1) * s)
            .sum();
        let end = (tensor.offset + reach + 1) * tensor.kind.size;
        let is_empty = tensor.shape.elem_count() == 0;
        assert!(is_empty || end <= contents.storages[tensor.storage].bytes, "{tensor:?}");
    }
}

#[test]
fn a_cut_is_an_error_and_no_byte_makes_it_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pt");
    let mut state = 1u32;
    for (name, whole) in goldens() {
        let Ok(contents) = of(&path, &whole) else { continue };
        check(&contents, whole.len() as u64);
        for end in (0..whole.len()).step_by(if name == "int8" { 1 } else { 97 }) {
            assert!(of(&path, &whole[..end]).is_err(), "{name} up to {end}");
        }
        for at in (0..whole.len()).step_by(if name == "shared" { 1 } else { 53 }) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut changed = whole.clone();
            changed[at] = (state >> 24) as u8;
            if let Ok(contents) = of(&path, &changed) {
                check(&contents, changed.len() as u64);
            }
        }
    }
}

/// The old format with a pickle of ours in it.
fn old(saved: &[u8], names: &[u8], storages: &[u8]) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    bytes.extend(b".\x80\x02M\xe9\x03.\x80\x02}.");
    bytes.extend([saved, names, storages].concat());
    bytes
}

fn tensor(count: &str, offset: &str, shape: &str, strides: &str) -> Vec<u8> {
    format!(
        "ctorch._utils\n_rebuild_tensor_v2\n((S'storage'\nctorch\nFloatStorage\nS'a'\nS'cpu'\n{count}NtQ\
         {offset}({shape}t({strides}tI00\nNtR."
    )
    .into_bytes()
}

#[test]
fn claims_are_held_against_the_storage_and_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pt");
    let storages = [&2u64.to_le_bytes()[..], &[0; 8]].concat();
    let names = b"](S'a'\ne.";
    let made = |saved: Vec<u8>| of(&path, &old(&saved, names, &storages));
    assert!(made(tensor("I2\n", "I0\n", "I2\n", "I1\n")).is_ok());
    assert!(made(tensor("I2\n", "I1\n", "I9\n", "I0\n")).is_ok());
    let (huge, most) = ("I1152921504606846976\n", "I9223372036854775807\n");
    for (count, offset, shape, strides, words) in [
        ("I2\n", "I0\n", "I3\n", "I1\n", "beyond its storage"),
        ("I2\n", "I1\n", "I2\n", "I1\n", "beyond its storage"),
        ("I2\n", "I0\n", huge, "I1\n", "beyond its storage"),
        ("I2\n", most, "I1\n", "I1\n", "beyond its storage"),
        ("I2\n", "I0\n", "I2\n", most, "beyond its storage"),
        ("I2\n", "I0\n", most, most, "beyond its storage"),
        ("I2\n", "I0\n", "I4294967296\nI4294967296\nI4\n", "I0\nI0\nI0\n", "more elements"),
        ("I2\n", "I0\n", "I2\n", "I-1\n", "none"),
        ("I2\n", "I-1\n", "I2\n", "I1\n", "none"),
        ("I2\n", "I0\n", "I2\n", "", "none"),
        (huge, "I0\n", "I2\n", "I1\n", "two lengths"),
        (most, "I0\n", "I2\n", "I1\n", "can't have"),
        ("I-2\n", "I0\n", "I2\n", "I1\n", "no length"),
    ] {
        let error = made(tensor(count, offset, shape, strides)).unwrap_err();
        assert!(error.contains(words), "{shape} {strides}: {error}");
    }
    let one = tensor("I2\n", "I0\n", "I2\n", "I1\n");
    let fails = |bytes: Vec<u8>, words: &str| {
        let error = of(&path, &bytes).unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    fails(old(&one, names, &storages[..12]), "cut off");
    fails(old(&one, b"].", &storages), "not in the file");
    fails(old(&one, b"](S'a'\nS'a'\ne.", &storages), "no tensor's");
    let large = [&(1u64 << 60).to_le_bytes()[..], &[0; 8]].concat();
    fails(old(&one, names, &large), "two lengths");
    fails(old(b"cos\nsystem\n(S'true'\ntR.", names, &storages), "`os.system`");
    fails(old(b"ctorch\nFloatStorage\n.", b"].", b""), "neither a tensor");
    fails(b"no file".to_vec(), "no file of PyTorch's");
}
