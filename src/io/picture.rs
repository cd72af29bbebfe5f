//! Pictures: PNG, read and written, and JPEG, read. Rows of pixels, samples of one or two bytes.
//!
//! What a header claims is held against the file's length before there is memory for it: no format packs
//! more pixels into a byte than are counted here.

use std::cell::Cell;
use std::io::{self, Cursor, Read, Write};

use png::{BitDepth, ColorType, Compression, DecodeOptions, Transformations};

use super::{Error, Source};

/// Bytes that deflating makes of one, at the most.
const MOST_GROWTH: u64 = 1032;
/// Bytes of a file, at the most.
const MAX_LENGTH: u64 = 1 << 30;

/// The size of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    pub width: usize,
    pub height: usize,
    /// 1 grey, 2 with how opaque it is, 3 red, green, blue, 4 both.
    pub channels: usize,
    /// Bytes of a sample: 1 or 2.
    pub depth: usize,
}

impl Frame {
    /// Bytes of a row.
    pub fn row(&self) -> usize {
        self.width * self.channels * self.depth
    }
}

/// Whether bytes begin a picture that is read here.
pub fn is_picture(begin: &[u8]) -> bool {
    begin.starts_with(b"\x89PNG") || begin.starts_with(&[0xff, 0xd8, 0xff])
}

/// A picture of which the size is known, to be read.
pub struct Picture {
    pub frame: Frame,
    inside: Inside,
}

enum Inside {
    Png(Box<png::Reader<Cursor<Vec<u8>>>>),
    Jpeg(Box<jpeg::Decoder>),
}

impl Picture {
    /// # Errors
    /// What the system gives; it is no picture, a broken one or one of an impossible size.
    pub fn open(source: &Source) -> Result<Picture, Error> {
        let length = source.length();
        if length > MAX_LENGTH {
            return Error::format(format!("a picture of {length} bytes is too large"));
        }
        let mut bytes = Vec::new();
        source.range(0, length).read_to_end(&mut bytes)?;
        match bytes.get(..3) {
            Some(b"\x89PN") => open_png(bytes),
            Some([0xff, 0xd8, 0xff]) => {
                let (frame, decoder) = jpeg::open(bytes)?;
                Ok(Picture { frame, inside: Inside::Jpeg(Box::new(decoder)) })
            }
            _ => Error::format("it is neither a PNG nor a JPEG"),
        }
    }

    /// Gives its rows from the top on, some at once, samples in this machine's order of bytes.
    ///
    /// # Errors
    /// What is wrong with the picture; those of `take`.
    pub fn rows<E: From<Error>>(
        self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let frame = self.frame;
        let mut reader = match self.inside {
            Inside::Jpeg(decoder) => return take(&jpeg::pixels(*decoder, frame)?),
            Inside::Png(reader) => reader,
        };
        let mut give = |row: &mut [u8]| {
            if frame.depth == 2 && cfg!(target_endian = "little") {
                row.chunks_exact_mut(2).for_each(<[u8]>::reverse);
            }
            take(row)
        };
        if reader.info().interlaced {
            let mut whole = vec![0; frame.row() * frame.height];
            reader.next_frame(&mut whole).map_err(broken)?;
            give(&mut whole)?;
        } else {
            let mut row = vec![0; frame.row()];
            for _ in 0..frame.height {
                reader.read_row(&mut row).map_err(broken)?;
                give(&mut row)?;
            }
        }
        reader.finish().map_err(broken)?;
        Ok(())
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({:?})", self.frame)
    }
}

fn broken(error: impl ToString) -> Error {
    Error::Format(format!("the picture is broken or cut off: {}", error.to_string().to_lowercase()))
}

fn larger<T>(frame: Frame, length: u64) -> Result<T, Error> {
    let Frame { width, height, .. } = frame;
    Error::format(format!("{width} by {height} pixels are more than {length} bytes can hold"))
}

fn open_png(bytes: Vec<u8>) -> Result<Picture, Error> {
    let length = bytes.len() as u64;
    let mut options = DecodeOptions::default();
    options.set_ignore_checksums(false);
    let mut decoder = png::Decoder::new_with_options(Cursor::new(bytes), options);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_limits(png::Limits { bytes: 1 << 40 });
    let reader = decoder.read_info().map_err(broken)?;
    let (color, depth) = reader.output_color_type();
    let info = reader.info();
    let (width, height) = (info.width as usize, info.height as usize);
    // What `png` does not check: whole colours, and no more of their opacities.
    if let (ColorType::Indexed, Some(palette)) = (info.color_type, &info.palette) {
        let opacities = info.trns.as_ref().map_or(0, |trns| trns.len());
        if palette.len() % 3 != 0 || palette.len() > 3 * 256 || opacities > palette.len() / 3 {
            return Err(broken("its palette has parts of colours"));
        }
    }
    let depth = if depth == BitDepth::Sixteen { 2 } else { 1 };
    let frame = Frame { width, height, channels: color.samples(), depth };
    let packed = (info.raw_row_length() as u64).saturating_mul(height as u64);
    if packed > length.saturating_mul(MOST_GROWTH) {
        return larger(frame, length);
    }
    Ok(Picture { frame, inside: Inside::Png(Box::new(reader)) })
}

#[cfg(not(feature = "jpeg"))]
mod jpeg {
    use super::{Error, Frame};

    /// No picture has one.
    pub enum Decoder {}

    pub fn open(_: Vec<u8>) -> Result<(Frame, Decoder), Error> {
        Error::format("this build reads no JPEG: it was made without the feature `jpeg`")
    }

    pub fn pixels(decoder: Decoder, _: Frame) -> Result<Vec<u8>, Error> {
        match decoder {}
    }
}

#[cfg(feature = "jpeg")]
mod jpeg {
    use zune_jpeg::JpegDecoder;
    use zune_jpeg::zune_core::bytestream::ZCursor;
    use zune_jpeg::zune_core::colorspace::ColorSpace;
    use zune_jpeg::zune_core::options::DecoderOptions;

    use super::{Error, Frame, broken, larger};

    pub type Decoder = JpegDecoder<ZCursor<Vec<u8>>>;

    /// Pixels that a byte tells, at the most: two bits tell a block of 64.
    const MOST_PIXELS: u64 = 256;

    pub fn open(bytes: Vec<u8>) -> Result<(Frame, Decoder), Error> {
        let length = bytes.len() as u64;
        if !has_end(&bytes) {
            return Err(broken("its end is missing"));
        }
        let options = DecoderOptions::default()
            .set_strict_mode(true)
            .set_max_width(u16::MAX.into())
            .set_max_height(u16::MAX.into());
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
        decoder.decode_headers().map_err(broken)?;
        let (Some((width, height)), Some(space)) =
            (decoder.dimensions(), decoder.input_colorspace())
        else {
            return Err(broken("it has no size"));
        };
        let (target, channels) = match space {
            ColorSpace::Luma => (ColorSpace::Luma, 1),
            _ => (ColorSpace::RGB, 3),
        };
        decoder.set_options(options.jpeg_set_out_colorspace(target));
        let frame = Frame { width, height, channels, depth: 1 };
        if (width * height) as u64 > length.saturating_mul(MOST_PIXELS) {
            return larger(frame, length);
        }
        Ok((frame, decoder))
    }

    pub fn pixels(mut decoder: Decoder, frame: Frame) -> Result<Vec<u8>, Error> {
        let pixels = decoder.decode().map_err(broken)?;
        match pixels.len() == frame.row() * frame.height {
            true => Ok(pixels),
            false => Err(broken("it has another size than it says")),
        }
    }

    /// Whether the end comes behind the beginning of the pixels: what a cut leaves has none.
    fn has_end(bytes: &[u8]) -> bool {
        let mut at = 2;
        while let Some([0xff, code, high, low]) = bytes.get(at..at + 4) {
            match code {
                0xff => at += 1,
                0xda => return bytes[at..].windows(2).any(|two| two == [0xff, 0xd9]),
                _ => at += 2 + usize::from(*high) * 256 + usize::from(*low),
            }
        }
        false
    }
}

/// Writes a PNG: `give` puts its samples, from the top left on, in this machine's order of bytes; no sample is
/// cut in two.
///
/// # Errors
/// What the system gives; a side that is 0 or too long; those of `give`.
pub fn write<E: From<Error>>(
    to: &mut impl Write,
    frame: Frame,
    give: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), E>,
) -> Result<(), E> {
    let side = |length: usize| match u32::try_from(length) {
        Ok(length @ 1..=0x7fff_ffff) => Ok(length),
        _ => Error::format(format!("a picture can't be {length} pixels wide or high")),
    };
    let code = Cell::new(0);
    let system = |error| system(error, &code);
    let to = Told { to, code: &code };
    let mut encoder = png::Encoder::new(to, side(frame.width)?, side(frame.height)?);
    encoder.set_color(match frame.channels {
        1 => ColorType::Grayscale,
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    });
    encoder.set_depth(if frame.depth == 2 { BitDepth::Sixteen } else { BitDepth::Eight });
    encoder.set_compression(Compression::Balanced);
    let mut writer = encoder.write_header().map_err(system)?;
    let mut stream = writer.stream_writer().map_err(system)?;
    give(&mut |samples| {
        if frame.depth == 1 || cfg!(target_endian = "big") {
            return stream.write_all(samples).map_err(|error| system(error.into()));
        }
        let mut turned = samples.to_vec();
        turned.chunks_exact_mut(2).for_each(<[u8]>::reverse);
        stream.write_all(&turned).map_err(|error| system(error.into()))
    })?;
    stream.finish().map_err(system)?;
    writer.finish().map_err(system)?;
    Ok(())
}

/// A writer that keeps the number of the system's error, of which the encoder hands on the words alone.
struct Told<'a, W> {
    to: &'a mut W,
    code: &'a Cell<i32>,
}

impl<W: Write> Write for Told<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to
            .write(bytes)
            .inspect_err(|error| self.code.set(error.raw_os_error().unwrap_or_default()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn system(error: png::EncodingError, code: &Cell<i32>) -> Error {
    match error {
        png::EncodingError::IoError(_) if code.get() != 0 => {
            Error::System(io::Error::from_raw_os_error(code.get()))
        }
        png::EncodingError::IoError(error) => Error::System(error),
        other => Error::Format(other.to_string()),
    }
}
