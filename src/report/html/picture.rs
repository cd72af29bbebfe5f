//! Heat maps as PNG: a palette of colours, one byte a cell before it is packed.

use png::{BitDepth, ColorType, Encoder};

use crate::report::Heat;
use crate::report::heat::{Color, ODD, Scale};

/// Colours of the palette; the last one is for what is no finite number.
const COLORS: usize = 64;

/// A heat map as the bytes of a PNG, each cell so many pixels wide and high.
pub fn png(heat: &Heat, zoom: (usize, usize)) -> Vec<u8> {
    colored(heat, Scale::of(heat.values.iter().copied()), zoom)
}

/// The colours of a scale from its lower end to its upper one, and the width and height of that.
pub fn strip(scale: Scale) -> (Vec<u8>, (usize, usize)) {
    let (cols, zoom) = (COLORS - 2, (2, 10));
    let (low, high) = scale.ends();
    let along = |at: usize| {
        let share = at as f64 / (cols - 1) as f64;
        low * (1.0 - share) + high * share
    };
    let values = (0..cols).map(along).collect();
    let (title, block, extent) = (String::new(), (1, 1), (1, cols));
    let heat = Heat { title, rows: 1, cols, values, block, extent };
    (colored(&heat, Some(scale), zoom), (cols * zoom.0, zoom.1))
}

fn colored(heat: &Heat, scale: Option<Scale>, (wide, high): (usize, usize)) -> Vec<u8> {
    let steps = COLORS - 2;
    let color = |step: usize| match scale {
        _ if step == COLORS - 1 => ODD,
        Some(scale) => scale.color_at(step as f64 / steps as f64),
        None => Color { rgb: [128; 3], alpha: 128 },
    };
    let index = |value: &f64| match scale {
        _ if !value.is_finite() => (COLORS - 1) as u8,
        Some(scale) => (scale.place(*value) * steps as f64).round() as u8,
        None => 0,
    };
    let cells: Vec<u8> = heat.values.iter().map(index).collect();
    let mut pixels = Vec::with_capacity(cells.len() * wide * high);
    for row in cells.chunks(heat.cols.max(1)) {
        let line: Vec<u8> = row.iter().flat_map(|cell| std::iter::repeat_n(*cell, wide)).collect();
        (0..high).for_each(|_| pixels.extend_from_slice(&line));
    }
    let palette: Vec<Color> = (0..COLORS).map(color).collect();
    let mut bytes = Vec::new();
    let (width, height) = (heat.cols * wide, heat.rows * high);
    let mut encoder = Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.iter().flat_map(|color| color.rgb).collect::<Vec<u8>>());
    encoder.set_trns(palette.iter().map(|color| color.alpha).collect::<Vec<u8>>());
    // Writing to memory can't fail, and an empty picture is no picture.
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&pixels)?;
        writer.finish()
    });
    if written.is_ok() { bytes } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_become_squares() {
        let heat = Heat {
            title: String::new(),
            rows: 1,
            cols: 3,
            values: vec![-1.0, f64::NAN, 1.0],
            block: (1, 1),
            extent: (1, 3),
        };
        let bytes = png(&heat, (2, 2));
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (6, 2));
        assert_eq!(pixels[8..12], [ODD.rgb[0], ODD.rgb[1], ODD.rgb[2], 255]);
        assert_eq!(pixels[..24], pixels[24..]);
        assert_eq!(png(&heat, (2, 2)), bytes);
    }

    #[test]
    fn an_empty_picture_is_none() {
        let heat = Heat {
            title: String::new(),
            rows: 0,
            cols: 0,
            values: Vec::new(),
            block: (1, 1),
            extent: (0, 0),
        };
        assert!(png(&heat, (1, 1)).is_empty());
    }
}
