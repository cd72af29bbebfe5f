//! Tensors as marks: reduced where they lie, so that only what is seen is read.

use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::layout::Shape;
use crate::report::figure::{Curve, Dots, Image, Map, Rgba, Scale, Sign};
use crate::tensor::{
    BinaryOp, Engine, Error, HostArray, IndexItem, Operand, Reduction, ScatterOp, Tensor, UnaryOp,
};

/// More points than this are counted in cells of a grid, of which there are so many.
const MOST_DOTS: usize = 20_000;
const GRID: (usize, usize) = (480, 360);

/// Rows and columns of an image at most.
const MOST_CELLS: usize = 512;

/// What a tensor holds.
#[derive(Debug, Clone, Copy)]
pub struct Extremes {
    /// Of the finite numbers; the wrong way round where there is none.
    pub low: f64,
    pub high: f64,
    pub nan: u64,
    pub inf: u64,
}

/// Numbers that colour points.
pub struct Tints {
    pub values: Tensor,
    /// Where the ramp begins and ends.
    pub range: (f64, f64),
    pub map: Map,
}

impl Tints {
    fn color(&self, value: f64) -> Rgba {
        let (low, high) = self.range;
        match high > low {
            true => self.map.color(((value - low) / (high - low)).clamp(0.0, 1.0)),
            false => self.map.color(if value.is_nan() { value } else { 0.0 }),
        }
    }
}

fn floats(array: &HostArray) -> Vec<f64> {
    array.to_scalars().into_iter().map(|value| value.as_f64()).collect()
}

/// All numbers of a tensor.
pub fn all(engine: &Engine, x: &Tensor) -> Result<Vec<f64>, Error> {
    let wide = engine.cast(&engine.ravel(x)?, DType::F64)?;
    Ok(floats(&engine.read(&[&wide])?.remove(0)))
}

pub fn extremes(engine: &Engine, x: &Tensor) -> Result<Extremes, Error> {
    let (low, high, nan, inf) = (f64::INFINITY, f64::NEG_INFINITY, 0, 0);
    if x.elem_count() == 0 {
        return Ok(Extremes { low, high, nan, inf });
    }
    let wide = engine.cast(x, DType::F64)?;
    let finite = engine.unary(UnaryOp::IsFinite, &wide)?;
    let end = |reduction: Reduction, none: f64| {
        let bounded = engine.select(&finite, &wide, Scalar::Float(none))?;
        engine.reduce(reduction, &bounded, None, false)
    };
    let count = |test: UnaryOp| {
        engine.reduce(Reduction::CountNonzero, &engine.unary(test, &wide)?, None, false)
    };
    let nodes = [
        end(Reduction::Min, f64::INFINITY)?,
        end(Reduction::Max, f64::NEG_INFINITY)?,
        count(UnaryOp::IsNan)?,
        count(UnaryOp::IsInf)?,
    ];
    let found = engine.read(&nodes.iter().collect::<Vec<_>>())?;
    let [low, high] = [0, 1].map(|at| found[at].scalar(0).as_f64());
    let [nan, inf] = [2, 3].map(|at| found[at].scalar(0).as_i64() as u64);
    Ok(Extremes { low, high, nan, inf })
}

/// Points one after the other; a point stands for several where there are many.
pub fn curve(engine: &Engine, x: Option<&Tensor>, y: &Tensor) -> Result<Curve, Error> {
    let (stroke, sign, size) = (None, None, 0.0);
    if y.elem_count() == 0 {
        let [x, y, low, high] = [const { Vec::new() }; 4];
        return Ok(Curve { x, y, low, high, stroke, sign, size });
    }
    let line = engine.curves(x, std::slice::from_ref(y))?.remove(0);
    let x = (0..line.mean.len()).map(|at| line.at(at)).collect();
    let (low, high) = match line.step > 1 {
        true => (line.low, line.high),
        false => (Vec::new(), Vec::new()),
    };
    Ok(Curve { x, y: line.mean, low, high, stroke, sign, size })
}

/// Points of their own; the cells of a grid that hold any where there are many.
pub fn dots(
    engine: &Engine,
    [x, y]: [&Tensor; 2],
    scales: [Scale; 2],
    sizes: &Tensor,
    tints: Option<Tints>,
    sign: Sign,
) -> Result<Dots, Fault> {
    if x.elem_count() <= MOST_DOTS {
        let colors = match &tints {
            Some(tints) => {
                all(engine, &tints.values)?.into_iter().map(|v| tints.color(v)).collect()
            }
            None => Vec::new(),
        };
        let (x, y, sizes) = (all(engine, x)?, all(engine, y)?, all(engine, sizes)?);
        return Ok(Dots { x, y, sizes, colors, sign });
    }
    let straight = |x: &Tensor, scale: Scale| {
        let wide = engine.cast(&engine.ravel(x)?, DType::F64)?;
        match scale {
            Scale::Linear => Ok(wide),
            Scale::Log => engine.unary(UnaryOp::Log10, &wide),
        }
    };
    let (along, up) = (straight(x, scales[0])?, straight(y, scales[1])?);
    let finite = engine.binary(
        BinaryOp::BitAnd,
        &engine.unary(UnaryOp::IsFinite, &along)?,
        &engine.unary(UnaryOp::IsFinite, &up)?,
    )?;
    let (along, up) = (engine.compress(&along, &finite)?, engine.compress(&up, &finite)?);
    let (across, down) = (extremes(engine, &along)?, extremes(engine, &up)?);
    let cell = |x: &Tensor, ends: &Extremes, count: usize| -> Result<Tensor, Error> {
        let span = (ends.high - ends.low).max(f64::MIN_POSITIVE);
        let away = engine.binary(BinaryOp::Sub, x, Scalar::Float(ends.low))?;
        let along = engine.binary(BinaryOp::Mul, &away, Scalar::Float(count as f64 / span))?;
        let bound = Scalar::Float(count as f64 - 1.0);
        engine.cast(&engine.binary(BinaryOp::Min, &along, bound)?, DType::I64)
    };
    let (wide, high) = GRID;
    let rows = engine.binary(BinaryOp::Mul, &cell(&up, &down, high)?, Scalar::Int(wide as i64))?;
    let place = engine.binary(BinaryOp::Add, &rows, &cell(&along, &across, wide)?)?;
    let gathered = |values: Operand, dtype: DType| -> Result<Vec<f64>, Error> {
        let zero = engine.full(&Shape::from([wide * high]), Scalar::Int(0), dtype)?;
        let sums = engine.copy(&zero)?;
        engine.scatter(ScatterOp::Add, &sums, &[IndexItem::Tensor(place.clone())], values)?;
        Ok(floats(&engine.read(&[&sums])?.remove(0)))
    };
    let counts = gathered(Operand::from(Scalar::Int(1)), DType::I64)?;
    let sums = match &tints {
        Some(tints) => {
            let wide = engine.cast(&engine.ravel(&tints.values)?, DType::F64)?;
            Some(gathered(Operand::from(&engine.compress(&wide, &finite)?), DType::F64)?)
        }
        None => None,
    };
    let sizes = all(engine, sizes)?.into_iter().take(1).collect();
    let mut dots = Dots { x: Vec::new(), y: Vec::new(), sizes, colors: Vec::new(), sign };
    for (at, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
        let centre = |at: usize, ends: &Extremes, count: usize, scale: Scale| {
            let value = ends.low + (ends.high - ends.low) * (at as f64 + 0.5) / count as f64;
            if scale == Scale::Log { 10f64.powf(value) } else { value }
        };
        dots.x.push(centre(at % wide, &across, wide, scales[0]));
        dots.y.push(centre(at / wide, &down, high, scales[1]));
        if let (Some(sums), Some(tints)) = (&sums, &tints) {
            dots.colors.push(tints.color(sums[at] / count));
        }
    }
    Ok(dots)
}

/// A matrix, or a picture of three or four colours, and the ends of its ramp where it has one.
pub fn image(
    engine: &Engine,
    x: &Tensor,
    [low, high]: [Option<f64>; 2],
) -> Result<(Image, Option<(f64, f64)>), Error> {
    let (rows, cols, extent) = (0, 0, [0.0; 4]);
    let mut image = Image { rows, cols, colors: Vec::new(), shades: Vec::new(), extent };
    if x.rank() == 2 {
        let found = extremes(engine, x)?;
        let (low, high) = (low.unwrap_or(found.low), high.unwrap_or(found.high));
        let sheet = engine.sheet(x, MOST_CELLS)?;
        (image.rows, image.cols) = (sheet.rows, sheet.cols);
        let shade = |value: f64| match high > low {
            true => ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0),
            false if value.is_nan() => value,
            false => 0.0,
        };
        let odd = |value: f64| if value.is_finite() { shade(value) } else { f64::NAN };
        image.shades = sheet.values.into_iter().map(odd).collect();
        return Ok((image, Some((low, high))));
    }
    let most = if x.dtype().is_float() { 1.0 } else { 255.0 };
    let mut channels = Vec::new();
    for channel in 0..x.shape()[2] {
        let one = engine.squeeze(&engine.narrow(x, 2, channel, 1, 1)?, Some(&[2]))?;
        let sheet = engine.sheet(&one, MOST_CELLS)?;
        (image.rows, image.cols) = (sheet.rows, sheet.cols);
        channels.push(sheet.values);
    }
    for at in 0..image.rows * image.cols {
        let part = |channel: usize| match channels.get(channel) {
            Some(values) => (values[at] / most * 255.0).round().clamp(0.0, 255.0) as u8,
            None => 255,
        };
        let color = [0, 1, 2, 3].map(part);
        let [red, green, blue, _] = color.map(f64::from);
        image.shades.push((0.299 * red + 0.587 * green + 0.114 * blue) / 255.0);
        image.colors.push(color);
    }
    Ok((image, None))
}
