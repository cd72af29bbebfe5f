//! `json.dumps`

use std::fmt::Write;

use super::super::super::Call;
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::long_text;
use crate::interp::room::Pace;
use crate::interp::value::Value;
use crate::report::python_float;

/// How an error ends that comes up too deep in values.
const ENCODING: &str = "while encoding a JSON object";

pub(super) fn dumps(call: &mut Call<'_>) -> Result<Value, Fault> {
    if !call.is_none("cls") {
        return encoded(call);
    }
    let indent = match call.value("indent") {
        Value::None => None,
        Value::Str(text) => Some(text.to_string()),
        _ => Some(" ".repeat(call.int("indent")?.clamp(0, 1000) as usize)),
    };
    let (item, key) = match call.value("separators") {
        Value::None if indent.is_some() => (",".to_owned(), ": ".to_owned()),
        Value::None => (", ".to_owned(), ": ".to_owned()),
        given => match &call.evaluator.iterate(given)?[..] {
            [Value::Str(item), Value::Str(key)] => (item.to_string(), key.to_string()),
            _ => {
                let message = "expected separators as a pair of strings";
                return Err(call.fault_at("separators", Fault::type_error(message)));
            }
        },
    };
    let mut writer = Writer {
        call,
        indent,
        item,
        key,
        skips_keys: call.bool("skipkeys")?,
        is_ascii: call.bool("ensure_ascii")?,
        allows_nan: call.bool("allow_nan")?,
        sorts: call.bool("sort_keys")?,
        open: Vec::new(),
        text: String::new(),
        pace: Pace::new(call.engine()),
    };
    writer.value(call.value(0))?;
    Ok(Value::str(writer.text))
}

/// As an encoder of another class writes it.
fn encoded(call: &Call<'_>) -> Result<Value, Fault> {
    let names =
        ["skipkeys", "ensure_ascii", "allow_nan", "indent", "separators", "default", "sort_keys"];
    let given = names.into_iter().filter(|name| call.given(*name));
    let options = given.map(|name| (name.into(), call.value(name).clone()));
    let encoder = call.evaluator.call_value(call.value("cls"), [], options)?;
    let encode = call.evaluator.attribute(&encoder, "encode")?;
    call.evaluator.call_value(&encode, [call.value(0).clone()], [])
}

struct Writer<'a, 'b> {
    call: &'a Call<'b>,
    indent: Option<String>,
    item: String,
    key: String,
    skips_keys: bool,
    is_ascii: bool,
    allows_nan: bool,
    sorts: bool,
    /// The containers that are being written.
    open: Vec<*const ()>,
    text: String,
    pace: Pace<'b>,
}

impl Writer<'_, '_> {
    fn value(&mut self, value: &Value) -> Result<(), Fault> {
        self.pace.step(16)?;
        match value.plain() {
            Value::None => self.text.push_str("null"),
            Value::Bool(flag) => self.text.push_str(if *flag { "true" } else { "false" }),
            Value::Int(number) => self.text.push_str(&number.to_string()),
            Value::Wide(number) => self.text.push_str(&number.to_string()),
            Value::Float(number) => {
                let text = self.float(*number)?;
                self.text.push_str(&text);
            }
            // NumPy's float64 is a float of Python's.
            Value::Tensor(number) if number.is_scalar() && number.dtype() == DType::F64 => {
                let number = self.call.engine().item(number)?.as_f64();
                let text = self.float(number)?;
                self.text.push_str(&text);
            }
            Value::Str(text) => {
                self.string(text)?;
            }
            Value::List(_) | Value::Tuple(_) if self.is_false(value)? => self.text.push_str("[]"),
            Value::List(list) => {
                let place = std::rc::Rc::as_ptr(list).cast();
                let items = self.call.evaluator.first_items(value, usize::MAX)?;
                self.nested(place, |writer| writer.array(&items))?;
            }
            Value::Tuple(items) => {
                let place = items.as_ptr();
                let items = self.call.evaluator.first_items(value, usize::MAX)?;
                self.nested(place, |writer| writer.array(&items))?;
            }
            _ => match value.as_dict() {
                Some(_) if self.is_false(value)? => self.text.push_str("{}"),
                Some(dict) => {
                    let place = std::rc::Rc::as_ptr(dict).cast();
                    let pairs = self.call.evaluator.pairs_of(value)?;
                    self.nested(place, |writer| writer.object(pairs))?;
                }
                None => self.other(value)?,
            },
        }
        Ok(())
    }

    /// Whether a container's class says that it is empty, which CPython asks where it writes several lines.
    fn is_false(&self, value: &Value) -> Result<bool, Fault> {
        let is_asked = self.indent.is_some() && matches!(value, Value::Object(_));
        Ok(is_asked && !self.call.evaluator.truth(value)?)
    }

    /// What JSON has no form for goes through `default`.
    fn other(&mut self, value: &Value) -> Result<(), Fault> {
        if self.call.is_none("default") {
            let name = value.class_name();
            let message = format!("Object of type {name} is not JSON serializable");
            let fault = Fault::type_error(message);
            return Err(match value {
                Value::Tensor(_) => fault.with_hint("`x.tolist()` gives a tensor's elements"),
                _ => fault,
            });
        }
        let other =
            self.call.evaluator.call_value(self.call.value("default"), [value.clone()], [])?;
        self.call.evaluator.deeper(ENCODING, || self.value(&other))
    }

    fn nested(
        &mut self,
        place: *const (),
        write: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.open.contains(&place) {
            return Err(Fault::value_error("Circular reference detected"));
        }
        self.open.push(place);
        self.call.evaluator.deeper(ENCODING, || write(self))?;
        self.open.pop();
        Ok(())
    }

    /// A new line in the innermost container, or `out` further out.
    fn line(&mut self, out: usize) {
        if let Some(indent) = &self.indent {
            // What `default` gave stands where the value stood.
            let depth = self.open.iter().filter(|place| !place.is_null()).count() - out;
            self.text.push('\n');
            self.text.push_str(&indent.repeat(depth));
        }
    }

    fn array(&mut self, items: &[Value]) -> Result<(), Fault> {
        self.text.push('[');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text.push_str(&self.item);
            }
            self.line(0);
            self.value(item)?;
        }
        if !items.is_empty() {
            self.line(1);
        }
        self.text.push(']');
        Ok(())
    }

    fn object(&mut self, mut pairs: Vec<(Value, Value)>) -> Result<(), Fault> {
        if self.sorts {
            let mut order: Vec<usize> = (0..pairs.len()).collect();
            let mut failed = None;
            order.sort_by(|a, b| {
                let order = self.call.evaluator.order("<", &pairs[*a].0, &pairs[*b].0);
                order
                    .unwrap_or_else(|error| {
                        failed.get_or_insert(error);
                        None
                    })
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
            if let Some(error) = failed {
                return Err(error.into());
            }
            pairs = order.into_iter().map(|at| pairs[at].clone()).collect();
        }
        self.text.push('{');
        let mut is_first = true;
        for (key, value) in pairs {
            let name = match key.plain() {
                Value::Str(text) => text.to_string(),
                Value::Int(number) => number.to_string(),
                Value::Wide(number) => number.to_string(),
                Value::Float(number) => self.float(*number)?,
                Value::Bool(true) => "true".to_owned(),
                Value::Bool(false) => "false".to_owned(),
                Value::None => "null".to_owned(),
                _ if self.skips_keys => continue,
                other => {
                    let name = other.class_name();
                    let message = format!("keys must be str, int, float, bool or None, not {name}");
                    return Err(Fault::type_error(message));
                }
            };
            if !is_first {
                self.text.push_str(&self.item);
            }
            is_first = false;
            self.line(0);
            self.string(&name)?;
            self.text.push_str(&self.key);
            self.value(&value)?;
        }
        if !is_first {
            self.line(1);
        }
        self.text.push('}');
        Ok(())
    }

    fn float(&self, number: f64) -> Result<String, Fault> {
        if number.is_finite() {
            return Ok(python_float(number));
        }
        if !self.allows_nan {
            return Err(Fault::value_error("Out of range float values are not JSON compliant"));
        }
        Ok(match number {
            _ if number.is_nan() => "NaN",
            _ if number > 0.0 => "Infinity",
            _ => "-Infinity",
        }
        .to_owned())
    }

    fn string(&mut self, text: &str) -> Result<(), Fault> {
        self.text.push('"');
        for piece in long_text::pieces(text) {
            let before = self.text.len();
            self.escaped(piece);
            self.pace.step(self.text.len() - before)?;
        }
        self.text.push('"');
        Ok(())
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                '\u{8}' => self.text.push_str("\\b"),
                '\u{c}' => self.text.push_str("\\f"),
                c if c < ' ' || self.is_ascii && !(' '..='~').contains(&c) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        // Writing to a string does not fail.
                        let _ = write!(self.text, "\\u{unit:04x}");
                    }
                }
                c => self.text.push(c),
            }
        }
    }
}
