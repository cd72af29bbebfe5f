//! Beside what the package `gguf` makes of blocks and writes (`tests/gguf/generate.py`).

use super::*;

fn rows() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let lines = include_str!("../../../tests/gguf/blocks.jsonl").lines();
    let field = |line: &str, name: &str| {
        let start = line.find(&format!("\"{name}\": \""))? + name.len() + 5;
        Some(line[start..start + line[start..].find('"')?].to_owned())
    };
    let bytes = |hex: String| {
        (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect()
    };
    let row = |line: &str| {
        let bits = field(line, "bits").unwrap_or_default();
        (field(line, "name").unwrap(), bytes(field(line, "hex").unwrap()), bytes(bits))
    };
    lines.map(row).collect()
}

fn of(path: &std::path::Path, bytes: &[u8]) -> Result<Header, String> {
    std::fs::write(path, bytes).unwrap();
    read_header(&Source::open(path).unwrap(), true).map_err(|error| match error {
        Error::Format(words) => words,
        Error::System(error) => panic!("{error}"),
    })
}

#[test]
fn blocks_are_the_numbers_of_the_reference_to_the_bit() {
    for (name, raw, bits) in rows().into_iter().filter(|(name, ..)| name != "file") {
        let kind = Kind::of_name(&name).unwrap();
        let mut numbers = vec![0f32; kind.block];
        let mut found = Vec::new();
        for block in raw.chunks_exact(kind.size) {
            kind.widen.unwrap()(block, &mut numbers);
            found.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        assert!(found == bits, "{name}");
    }
    let mut block = vec![0; 292];
    block[..4].copy_from_slice(&0.5f32.to_le_bytes());
    block[4..6].copy_from_slice(&[3, 0xfe]);
    let mut numbers = vec![0f32; 256];
    Kind::of_name("Q8_K").unwrap().widen.unwrap()(&block, &mut numbers);
    assert_eq!(numbers[..3], [1.5, -1.0, 0.0]);
}

#[test]
fn a_cut_is_an_error_and_no_byte_makes_it_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gguf");
    let whole = rows().pop().unwrap().1;
    let header = of(&path, &whole).unwrap();
    assert_eq!(header.entries.len(), 7);
    let end = header.entries.iter().map(|entry| entry.start + entry.bytes).max().unwrap();
    for cut in 0..end as usize {
        assert!(of(&path, &whole[..cut]).is_err(), "{cut}");
    }
    let mut state = 3u32;
    for at in 0..header.entries[0].start as usize {
        for _ in 0..3 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut changed = whole.clone();
            changed[at] = (state >> 24) as u8;
            if let Ok(header) = of(&path, &changed) {
                assert!(
                    header
                        .entries
                        .iter()
                        .all(|entry| entry.start + entry.bytes <= whole.len() as u64)
                );
            }
        }
    }
}

/// A file of one tensor and no notes.
fn one(axes: &[u64], kind: u32, start: u64) -> Vec<u8> {
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    bytes.extend(1u64.to_le_bytes());
    bytes.extend(0u64.to_le_bytes());
    bytes.extend(1u64.to_le_bytes());
    bytes.push(b'x');
    bytes.extend((axes.len() as u32).to_le_bytes());
    axes.iter().for_each(|length| bytes.extend(length.to_le_bytes()));
    bytes.extend(kind.to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(32) + 64, 0);
    bytes
}

#[test]
fn claims_are_held_against_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gguf");
    assert!(of(&path, &one(&[4, 4], 0, 0)).is_ok());
    let fails = |bytes: Vec<u8>, words: &str| {
        let error = of(&path, &bytes).unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    fails(one(&[17], 0, 0), "cut off");
    fails(one(&[1 << 60], 0, 0), "cut off");
    fails(one(&[1 << 62], 28, 0), "can't be in a file");
    fails(one(&[1 << 32, 1 << 32, 4], 0, 0), "more elements");
    fails(one(&[4], 0, 8), "multiple of 32");
    fails(one(&[4], 0, u64::MAX - 31), "cut off");
    fails(one(&[16], 2, 0), "blocks of 32");
    fails(one(&[4], 99, 0), "unknown type: 99");
    fails(one(&[1; 9], 0, 0), "9 axes");
    let mut many = one(&[4], 0, 0);
    many[8..16].copy_from_slice(&(1u64 << 60).to_le_bytes());
    fails(many, "too short");
    let mut deep = b"GGUF\x03\0\0\0".to_vec();
    deep.extend(0u64.to_le_bytes());
    deep.extend(1u64.to_le_bytes());
    deep.extend(1u64.to_le_bytes());
    deep.push(b'k');
    deep.extend([9, 0, 0, 0]);
    deep.extend([9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0].repeat(50));
    fails(deep, "unknown type: 9");
    fails(b"GGUF\0\0\0\x03".to_vec(), "largest byte");
    fails(b"GGUF\x01\0\0\0".to_vec(), "version 1");
}
