//! What a reader makes of any bytes, all of it looked at. `cargo test` changes good files at random and walks through
//! them; the fuzz targets give it whatever they think of.
#![allow(dead_code)]

use std::io::Read;

use genesis_repl::dtype::DType;
use genesis_repl::io::table::{Form, Number};
use genesis_repl::io::{Error, Source, gguf, npy, picture, safetensors, table, torch, zip};
use genesis_repl::replay;

/// A reader, what it makes of bytes, and the endings of its files.
pub type Reader = (&'static str, fn(&[u8]), &'static [&'static str]);

pub const READERS: &[Reader] = &[
    ("npy", npy, &["npy"]),
    ("archive", archive, &["npz", "pt"]),
    ("checkpoint", checkpoint, &["safetensors", "index"]),
    ("gguf", gguf, &["gguf"]),
    ("pickled", pickled, &["pt", "old"]),
    ("image", image, &["png", "jpg"]),
    ("text_table", text_table, &["csv"]),
    ("columns", columns, &["columns"]),
    ("trace", trace, &["json", "pickle", "trace"]),
];

/// Bytes of a member or of pixels that are looked at.
const MOST: usize = 1 << 20;

pub fn npy(bytes: &[u8]) {
    if let Ok(header) = npy::read_header(&mut &bytes[..]) {
        assert!(header.length <= bytes.len());
        let _ = header.data();
    }
}

pub fn archive(bytes: &[u8]) {
    let source = Source::of_bytes(bytes.to_vec());
    let Ok(members) = zip::members(&source) else { return };
    for member in members.iter().take(8) {
        if let Ok(reader) = member.open(&source) {
            let mut read = Vec::new();
            let _ = reader.take(MOST as u64).read_to_end(&mut read);
        }
        let _ = member.place(&source);
    }
}

pub fn checkpoint(bytes: &[u8]) {
    if let Ok(header) = safetensors::read_header(&Source::of_bytes(bytes.to_vec())) {
        for entry in header.entries {
            assert!(entry.start + entry.bytes <= bytes.len() as u64);
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = safetensors::read_index(text);
    }
}

pub fn gguf(bytes: &[u8]) {
    if let Ok(header) = gguf::read_header(&Source::of_bytes(bytes.to_vec()), true) {
        for entry in header.entries {
            assert!(entry.start + entry.bytes <= bytes.len() as u64);
        }
    }
    for name in ["Q4_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_K"] {
        let Some(kind) = gguf::Kind::of_name(name) else { continue };
        if let (Some(widen), Some(block)) = (kind.widen, bytes.get(..kind.size)) {
            widen(block, &mut vec![0.0; kind.block]);
        }
    }
}

pub fn pickled(bytes: &[u8]) {
    if let Ok(contents) = torch::read(&Source::of_bytes(bytes.to_vec())) {
        for storage in contents.storages {
            assert!(storage.start + storage.bytes <= bytes.len() as u64);
        }
    }
}

pub fn image(bytes: &[u8]) {
    let Ok(picture) = picture::Picture::open(&Source::of_bytes(bytes.to_vec())) else { return };
    // The engine makes room for as much before it asks for it.
    let frame = &picture.frame;
    if frame.row().saturating_mul(frame.height) <= MOST {
        let _ = picture.rows(|_| Ok::<(), Error>(()));
    }
}

pub fn text_table(bytes: &[u8]) {
    for delimiter in [None, Some(b',')] {
        for kind in [Number::Float, Number::Integer { low: -128, high: 127 }] {
            let (comments, columns, filling) = (vec![b'#'], None, None);
            let form = Form { delimiter, comments, columns, kind, filling, is_loose: false };
            let read = form.read(bytes, usize::MAX);
            assert!(read.numbers.len() >= read.rows * read.width);
        }
    }
    assert_eq!(table::cuts(bytes, 7).concat(), bytes);
}

pub fn columns(bytes: &[u8]) {
    use genesis_repl::io::columns::{self, Want};
    let source = Source::of_bytes(bytes.to_vec());
    let Ok(table) = columns::open(&source) else { return };
    for (at, column) in table.columns.iter().enumerate().take(16) {
        let Some(form) = column.form else { continue };
        let Ok(Some(reading)) = table.reading(&source, at) else { continue };
        for dtype in [form.dtype, DType::F64] {
            let want = Want { dtype, fill: Some(vec![0; dtype.size()]), is_mask: false };
            for number in 0..reading.pieces.len().min(16) {
                // As above.
                let piece = &reading.pieces[number];
                if piece.memory > 64 * MOST {
                    continue;
                }
                let mut bytes = vec![0; piece.rows * dtype.size()];
                let _ = reading.fill(number, &want, 0..piece.rows, &mut bytes);
            }
        }
    }
}

pub fn trace(bytes: &[u8]) {
    let _ = replay::read(&mut &bytes[..], bytes.len() as u64);
}
