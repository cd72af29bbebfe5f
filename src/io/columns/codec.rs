//! What is compressed, decompressed: to as many bytes as were claimed, and no more are ever asked for than the
//! compressed ones can become.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::MAX_PIECE;
use crate::io::Error;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Codec {
    None,
    Snappy,
    Gzip,
    /// Blocks of LZ4 by themselves, and behind lengths as Hadoop writes them.
    Lz4Block,
    Lz4Hadoop,
    Lz4Frame,
    Zstd,
    Brotli,
    /// One that is not read.
    Other(&'static str),
}

/// A byte of LZ4 becomes no more than so many, one of Snappy far fewer.
const GROWTH: usize = 256;

/// Bytes that Brotli's decoder takes at once.
const BUFFER: usize = 4096;

/// So many bytes of what is compressed.
///
/// # Errors
/// What is wrong with it.
pub fn decompress(codec: Codec, bytes: Vec<u8>, size: usize) -> Result<Vec<u8>, Error> {
    if size > MAX_PIECE {
        return Error::format(format!("a page of {size} bytes is too large"));
    }
    let wrong = |why: &dyn std::fmt::Display| {
        Error::Format(format!("a page that is compressed is damaged: {why}"))
    };
    let too_much = || Error::Format("a page claims more bytes than it can hold".to_owned());
    let is_bound = size <= bytes.len().saturating_mul(GROWTH).saturating_add(GROWTH);
    let found = match codec {
        Codec::None => bytes,
        Codec::Other(name) => {
            return Error::format(format!(
                "pages that {name} has compressed are not read: write the file anew with another codec, \
                 `compression=\"zstd\"` in pyarrow and pandas"
            ));
        }
        Codec::Snappy => {
            let claimed = snap::raw::decompress_len(&bytes).map_err(|error| wrong(&error))?;
            if claimed != size || !is_bound {
                return Err(too_much());
            }
            snap::raw::Decoder::new().decompress_vec(&bytes).map_err(|error| wrong(&error))?
        }
        Codec::Lz4Block | Codec::Lz4Hadoop if !is_bound => return Err(too_much()),
        Codec::Lz4Block => {
            lz4_flex::block::decompress(&bytes, size).map_err(|error| wrong(&error))?
        }
        Codec::Lz4Hadoop => match hadoop(&bytes, size) {
            Some(found) => found,
            None => lz4_flex::block::decompress(&bytes, size).map_err(|error| wrong(&error))?,
        },
        Codec::Lz4Frame => {
            grown(lz4_flex::frame::FrameDecoder::new(&bytes[..]), size).map_err(|e| wrong(&e))?
        }
        Codec::Gzip => {
            grown(MultiGzDecoder::new(&bytes[..]), size).map_err(|error| wrong(&error))?
        }
        Codec::Zstd => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(&bytes[..]);
            grown(decoder.map_err(|error| wrong(&error))?, size).map_err(|error| wrong(&error))?
        }
        Codec::Brotli => {
            let decoder = brotli_decompressor::Decompressor::new(&bytes[..], BUFFER);
            grown(decoder, size).map_err(|error| wrong(&error))?
        }
    };
    match found.len() == size {
        true => Ok(found),
        false => Error::format(format!("a page has {} bytes and claims {size}", found.len())),
    }
}

/// Bytes as they come, so that memory grows with what is there.
fn grown(decoder: impl Read, size: usize) -> std::io::Result<Vec<u8>> {
    let mut found = Vec::new();
    decoder.take(size as u64 + 1).read_to_end(&mut found)?;
    Ok(found)
}

/// Blocks of LZ4, each behind its length before and after.
fn hadoop(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let number = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_be_bytes(four.try_into().ok()?) as usize)
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let (whole, packed) = (number(at)?, number(at + 4)?);
        let block = bytes.get(at + 8..(at + 8).checked_add(packed)?)?;
        if found.len().checked_add(whole)? > size {
            return None;
        }
        found.extend(lz4_flex::block::decompress(block, whole).ok()?);
        at += 8 + packed;
    }
    Some(found)
}
