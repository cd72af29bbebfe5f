//! One stream of bytes, compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes as gzip packs them; the same bytes always give the same file.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}
