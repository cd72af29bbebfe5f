//! A figure from the tuples that `pyplot` makes of it.

use super::limits::{Reach, reach};
use super::reduce;
use crate::diag::Fault;
use crate::interp::array_like::to_tensor;
use crate::interp::builtins::Call;
use crate::interp::convert;
use crate::interp::value::Value;
use crate::report::figure::{
    Anchor, Axes, Axis, ColorBar, Curve, Dash, Figure, Image, Label, Map, Mark, Rgba, Scale, Shape,
    Sign, Stroke,
};
use crate::tensor::{Engine, Tensor};

pub struct Reader<'a> {
    engine: &'a Engine,
}

/// What is not drawn, and what colours mean: both are found while marks are read.
#[derive(Default)]
struct Gathered {
    nan: u64,
    inf: u64,
    bar: Option<(f64, f64, Map)>,
}

fn parts(value: &Value) -> Result<Vec<Value>, Fault> {
    match value {
        Value::Tuple(items) => Ok(items.to_vec()),
        Value::List(items) => Ok(items.borrow().clone()),
        other => Err(Fault::type_error(format!("expected a tuple, found {}", other.type_name()))),
    }
}

fn some<const N: usize>(value: &Value) -> Result<[Value; N], Fault> {
    let parts = parts(value)?;
    let found = parts.len();
    parts.try_into().map_err(|_| Fault::type_error(format!("expected {N} parts, found {found}")))
}

fn text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.to_string(),
        _ => String::new(),
    }
}

impl<'a> Reader<'a> {
    pub fn new(call: &Call<'a>) -> Reader<'a> {
        Reader { engine: call.engine() }
    }

    fn float(&self, value: &Value) -> Result<f64, Fault> {
        convert::float(self.engine, value)
    }

    fn optional(&self, value: &Value) -> Result<Option<f64>, Fault> {
        match value {
            Value::None => Ok(None),
            value => self.float(value).map(Some),
        }
    }

    fn floats<const N: usize>(&self, value: &Value) -> Result<[f64; N], Fault> {
        let mut floats = [0.0; N];
        for (float, part) in floats.iter_mut().zip(some::<N>(value)?) {
            *float = self.float(&part)?;
        }
        Ok(floats)
    }

    fn truth(&self, value: &Value) -> Result<bool, Fault> {
        convert::truth(self.engine, value)
    }

    fn tensor(&self, value: &Value) -> Result<Tensor, Fault> {
        to_tensor(self.engine, value, None)
    }

    fn color(&self, value: &Value) -> Result<Rgba, Fault> {
        Ok(self.floats::<4>(value)?.map(|part| part.clamp(0.0, 255.0) as u8))
    }

    pub fn figure(&self, value: &Value) -> Result<Figure, Fault> {
        let [width, height, title, axes] = some(value)?;
        let axes: Result<Vec<Axes>, Fault> = parts(&axes)?.iter().map(|v| self.axes(v)).collect();
        let (width, height) = (self.float(&width)?, self.float(&height)?);
        Ok(Figure { width, height, title: text(&title), axes: axes? })
    }

    fn axes(&self, value: &Value) -> Result<Axes, Fault> {
        let [place, title, x, y, marks, flags, bar, odd] = some(value)?;
        let [has_legend, has_grid, has_frame, is_equal] = some(&flags)?;
        let scales = [scale(&x)?, scale(&y)?];
        let [nan, inf] = self.floats(&odd)?.map(|count| count as u64);
        let mut gathered = Gathered { nan, inf, bar: None };
        let marks = parts(&marks)?;
        let marks = marks.iter().map(|mark| self.mark(mark, scales, &mut gathered));
        let marks = marks.collect::<Result<Vec<Mark>, Fault>>()?;
        let [mut along, mut up] = scales.map(Reach::new);
        marks.iter().for_each(|mark| reach(mark, &mut along, &mut up));
        let (x, y) = (self.axis(&x, &along)?, self.axis(&y, &up)?);
        let bar = match (&bar, gathered.bar) {
            (Value::None, _) | (_, None) => None,
            (label, Some((low, high, map))) => {
                Some(ColorBar { label: text(label), low, high, map })
            }
        };
        Ok(Axes {
            place: self.floats(&place)?,
            title: text(&title),
            x,
            y,
            marks,
            has_legend: self.truth(&has_legend)?,
            has_grid: self.truth(&has_grid)?,
            has_frame: self.truth(&has_frame)?,
            is_equal: self.truth(&is_equal)?,
            bar,
            note: gathered.note(),
        })
    }

    fn axis(&self, value: &Value, reach: &Reach) -> Result<Axis, Fault> {
        let [label, _, low, high, margin, ticks, is_turned] = some(value)?;
        let scale = scale(value)?;
        let (from, to) = reach.ends(scale, self.float(&margin)?);
        let (from, to) = if self.truth(&is_turned)? { (to, from) } else { (from, to) };
        let ends = (self.optional(&low)?.unwrap_or(from), self.optional(&high)?.unwrap_or(to));
        let mut axis = Axis::new(scale, widened(ends, scale));
        axis.label = text(&label);
        if !matches!(ticks, Value::None) {
            let mut found = Vec::new();
            for tick in parts(&ticks)? {
                let [at, label] = some(&tick)?;
                found.push((self.float(&at)?, text(&label)));
            }
            axis.ticks = Some(found);
        }
        Ok(axis)
    }

    /// `((low, high), (low, high), [(at, label)…], [(at, label)…])`
    pub fn view(&self, value: &Value) -> Result<Value, Fault> {
        let axes = self.axes(value)?;
        let ends =
            |axis: &Axis| Value::tuple([Value::Float(axis.ends.0), Value::Float(axis.ends.1)]);
        let ticks = |axis: &Axis| {
            let tick =
                |(at, label): (f64, String)| Value::tuple([Value::Float(at), Value::str(label)]);
            Value::list(axis.marks(9).0.into_iter().map(tick).collect())
        };
        Ok(Value::tuple([ends(&axes.x), ends(&axes.y), ticks(&axes.x), ticks(&axes.y)]))
    }

    fn mark(
        &self,
        value: &Value,
        scales: [Scale; 2],
        gathered: &mut Gathered,
    ) -> Result<Mark, Fault> {
        let all = parts(value)?;
        let [kind, name, color, rest @ ..] = all.as_slice() else {
            return Err(Fault::type_error("expected a mark"));
        };
        let (name, color) = (text(name), self.color(color)?);
        let shape = match (text(kind).as_str(), rest) {
            ("curve", [x, y, width, dash, sign, size]) => {
                let (x, y) = (self.place(x, gathered)?, self.tensor(y)?);
                gathered.count(self.engine, &y)?;
                let line = reduce::curve(self.engine, x.as_ref(), &y)?;
                let stroke = match self.optional(width)? {
                    Some(width) => Some(Stroke { width, dash: dash_of(dash)? }),
                    None => None,
                };
                let sign = Sign::of(&text(sign));
                Shape::Curve(Curve { stroke, sign, size: self.float(size)?, ..line })
            }
            ("dots", [x, y, sizes, values, sign]) => {
                let (x, y) = (self.tensor(x)?, self.tensor(y)?);
                gathered.count(self.engine, &x)?;
                gathered.count(self.engine, &y)?;
                let sizes = self.tensor(sizes)?;
                let values = self.colors(values, gathered)?;
                let sign = Sign::of(&text(sign)).unwrap_or(Sign::Disc);
                Shape::Dots(reduce::dots(self.engine, [&x, &y], scales, &sizes, values, sign)?)
            }
            ("boxes", [left, low, right, high, edge, is_flat]) => {
                let ends = self.columns([left, low, right, high], gathered)?;
                let edge = match edge {
                    Value::None => None,
                    edge => Some(self.color(edge)?),
                };
                Shape::Boxes { boxes: rows(&ends), is_flat: self.truth(is_flat)?, edge }
            }
            ("area", [x, low, high]) => {
                let [x, low, high] = self.columns([x, low, high], gathered)?;
                Shape::Area { x, low, high }
            }
            ("segments", [x0, y0, x1, y1, width, dash]) => {
                let ends = self.columns([x0, y0, x1, y1], &mut Gathered::default())?;
                let stroke = Stroke { width: self.float(width)?, dash: dash_of(dash)? };
                Shape::Segments { ends: rows(&ends), stroke }
            }
            ("image", [x, extent, map, low, high, is_upper]) => {
                let x = self.tensor(x)?;
                gathered.count(self.engine, &x)?;
                let (mut sheet, range) =
                    reduce::image(self.engine, &x, [self.optional(low)?, self.optional(high)?])?;
                let map = Map::of(&text(map)).unwrap_or_default();
                if let Some((low, high)) = range {
                    sheet.colors = sheet.shades.iter().map(|shade| map.color(*shade)).collect();
                    gathered.bar = Some((low, high, map));
                }
                self.placed(sheet, extent, self.truth(is_upper)?)?
            }
            ("label", [x, y, words, size, anchor, drop]) => {
                let anchor = match text(anchor).as_str() {
                    "center" => Anchor::Middle,
                    "right" => Anchor::End,
                    _ => Anchor::Start,
                };
                let [x, y, size, drop] = [x, y, size, drop].map(|value| self.float(value));
                let words = text(words);
                Shape::Label(Label { x: x?, y: y?, text: words, size: size?, anchor, drop: drop? })
            }
            (kind, _) => return Err(Fault::type_error(format!("no mark is a {kind}"))),
        };
        Ok(Mark { name, color, shape })
    }

    /// An image at its place; one that begins below is turned around, so that its first row is the upper one.
    fn placed(&self, mut image: Image, extent: &Value, is_upper: bool) -> Result<Shape, Fault> {
        let [left, right, low, high] = self.floats(extent)?;
        if !is_upper {
            let cols = image.cols.max(1);
            image.colors = image.colors.rchunks(cols).flatten().copied().collect();
            image.shades = image.shades.rchunks(cols).flatten().copied().collect();
        }
        image.extent = [left, low, right, high];
        Ok(Shape::Image(image))
    }

    fn place(&self, x: &Value, gathered: &mut Gathered) -> Result<Option<Tensor>, Fault> {
        let x = match x {
            Value::None => return Ok(None),
            x => self.tensor(x)?,
        };
        gathered.count(self.engine, &x)?;
        Ok(Some(x))
    }

    /// What colours points: their numbers, where the ramp begins and ends, and the ramp.
    fn colors(
        &self,
        value: &Value,
        gathered: &mut Gathered,
    ) -> Result<Option<reduce::Tints>, Fault> {
        if matches!(value, Value::None) {
            return Ok(None);
        }
        let [values, low, high, map] = some(value)?;
        let values = self.tensor(&values)?;
        let found = reduce::extremes(self.engine, &values)?;
        let low = self.optional(&low)?.unwrap_or(found.low);
        let high = self.optional(&high)?.unwrap_or(found.high);
        let map = Map::of(&text(&map)).unwrap_or_default();
        gathered.bar = Some((low, high, map));
        Ok(Some(reduce::Tints { values, range: (low, high), map }))
    }

    fn columns<const N: usize>(
        &self,
        values: [&Value; N],
        gathered: &mut Gathered,
    ) -> Result<[Vec<f64>; N], Fault> {
        let mut columns = [const { Vec::new() }; N];
        for (column, value) in columns.iter_mut().zip(values) {
            *column = reduce::all(self.engine, &self.tensor(value)?)?;
        }
        let odd = (0..columns[0].len()).filter(|at| columns.iter().any(|c| c[*at].is_nan()));
        gathered.nan += odd.count() as u64;
        Ok(columns)
    }
}

impl Gathered {
    fn count(&mut self, engine: &Engine, x: &Tensor) -> Result<(), Fault> {
        let found = reduce::extremes(engine, x)?;
        (self.nan, self.inf) = (self.nan + found.nan, self.inf + found.inf);
        Ok(())
    }

    fn note(&self) -> String {
        let counts = [(self.nan, "nan"), (self.inf, "inf")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
        match words.is_empty() {
            true => String::new(),
            false => format!("not drawn: {}", words.join(", ")),
        }
    }
}

fn rows(columns: &[Vec<f64>; 4]) -> Vec<[f64; 4]> {
    (0..columns[0].len()).map(|at| [0, 1, 2, 3].map(|column| columns[column][at])).collect()
}

fn scale(axis: &Value) -> Result<Scale, Fault> {
    let [_, scale, ..] = some::<7>(axis)?;
    Ok(if text(&scale) == "log" { Scale::Log } else { Scale::Linear })
}

fn dash_of(value: &Value) -> Result<Dash, Fault> {
    let text = text(value);
    Dash::of(&text).ok_or_else(|| Fault::value_error(format!("'{text}' is no style of a line")))
}

/// Ends that differ, and lie where the scale has numbers.
fn widened((low, high): (f64, f64), scale: Scale) -> (f64, f64) {
    let is_bad = |end: f64| !end.is_finite() || (scale == Scale::Log && end <= 0.0);
    match (is_bad(low), is_bad(high)) {
        (true, true) => scale.around(1.0, -1.0, (0.0, 0.0)),
        (true, false) => (if scale == Scale::Log { high / 1e3 } else { high - 1.0 }, high),
        (false, true) => (low, if scale == Scale::Log { low * 1e3 } else { low + 1.0 }),
        (false, false) if low == high => scale.around(low, high, (0.0, 0.0)),
        (false, false) => (low, high),
    }
}
