//! What is compressed, decompressed: to as many bytes as were claimed, and no more are ever asked for than the
//! compressed ones can become.

use std::fmt::{self, Display};
use std::io::Read;

use flate2::read::MultiGzDecoder;
use zrip_decode::context::DecompressContext;

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
/// A block of Zstandard takes more than one byte and becomes no more than so many.
const ZSTD_BLOCK: usize = 128 << 10;

/// Bytes that Brotli's decoder takes at once.
const BUFFER: usize = 4096;

/// What decompresses, with the tables that it keeps from page to page.
#[derive(Default)]
pub struct Decoder(DecompressContext);

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decoder")
    }
}

fn wrong(why: impl Display) -> Error {
    Error::Format(format!("a page that is compressed is damaged: {why}"))
}

fn too_much() -> Error {
    Error::Format("a page claims more bytes than it can hold".to_owned())
}

fn is_bound(bytes: &[u8], size: usize) -> bool {
    size <= bytes.len().saturating_mul(GROWTH).saturating_add(GROWTH)
}

/// Whether so much may be asked for at once, and [`fill`] knows the codec.
pub fn is_filled(codec: Codec, bytes: &[u8], size: usize) -> bool {
    let is_block = matches!(codec, Codec::Snappy | Codec::Lz4Block | Codec::Lz4Hadoop);
    (is_block || codec == Codec::Lz4Frame) && is_bound(bytes, size)
}

impl Decoder {
    /// Makes `out` so many bytes of what is compressed.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn decompress(
        &mut self,
        codec: Codec,
        bytes: &[u8],
        size: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        if size > MAX_PIECE {
            return Error::format(format!("a page of {size} bytes is too large"));
        }
        if is_filled(codec, bytes, size) {
            out.resize(size, 0);
            return fill(codec, bytes, out);
        }
        out.clear();
        match codec {
            Codec::None => out.extend_from_slice(bytes),
            Codec::Other(name) => {
                return Error::format(format!(
                    "pages that {name} has compressed are not read: write the file anew with another codec, \
                     `compression=\"zstd\"` in pyarrow and pandas"
                ));
            }
            Codec::Snappy | Codec::Lz4Block | Codec::Lz4Hadoop => return Err(too_much()),
            Codec::Lz4Frame => grown(lz4_flex::frame::FrameDecoder::new(bytes), size, out)?,
            Codec::Gzip => grown(MultiGzDecoder::new(bytes), size, out)?,
            Codec::Zstd if size.div_ceil(ZSTD_BLOCK) > bytes.len() => return Err(too_much()),
            Codec::Zstd => {
                self.0.decompress_into_with_limit(bytes, out, size).map_err(wrong)?;
            }
            Codec::Brotli => {
                grown(brotli_decompressor::Decompressor::new(bytes, BUFFER), size, out)?;
            }
        }
        match out.len() == size {
            true => Ok(()),
            false => Error::format(format!("a page has {} bytes and claims {size}", out.len())),
        }
    }
}

/// The same right where the bytes belong, all of which are written, of what [`is_filled`].
///
/// # Errors
/// What is wrong with it.
pub fn fill(codec: Codec, bytes: &[u8], out: &mut [u8]) -> Result<(), Error> {
    let size = out.len();
    let found = match codec {
        Codec::Snappy => {
            if snap::raw::decompress_len(bytes).map_err(wrong)? != size {
                return Err(too_much());
            }
            snap::raw::Decoder::new().decompress(bytes, out).map_err(wrong)?
        }
        Codec::Lz4Hadoop if hadoop(bytes, out).is_some() => size,
        Codec::Lz4Block | Codec::Lz4Hadoop => {
            lz4_flex::block::decompress_into(bytes, out).map_err(wrong)?
        }
        _ => {
            let mut frame = lz4_flex::frame::FrameDecoder::new(bytes);
            let mut found = 0;
            while found < size {
                match frame.read(&mut out[found..]).map_err(wrong)? {
                    0 => break,
                    count => found += count,
                }
            }
            found + frame.read(&mut [0]).map_err(wrong)?
        }
    };
    match found == size {
        true => Ok(()),
        false => Error::format(format!("a page has {found} bytes and claims {size}")),
    }
}

/// Bytes as they come, so that memory grows with what is there.
fn grown(decoder: impl Read, size: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    decoder.take(size as u64 + 1).read_to_end(out).map_err(wrong)?;
    Ok(())
}

/// Blocks of LZ4, each behind its length before and after, which fill `out`.
fn hadoop(bytes: &[u8], mut out: &mut [u8]) -> Option<()> {
    let number = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_be_bytes(four.try_into().ok()?) as usize)
    };
    let mut at = 0;
    while at < bytes.len() {
        let (whole, packed) = (number(at)?, number(at + 4)?);
        let block = bytes.get(at + 8..(at + 8).checked_add(packed)?)?;
        let (some, rest) = out.split_at_mut_checked(whole)?;
        if lz4_flex::block::decompress_into(block, some).ok()? != whole {
            return None;
        }
        out = rest;
        at += 8 + packed;
    }
    out.is_empty().then_some(())
}
