//! Arrays printed by `report` against NumPy's own text, character for character. The cases come
//! from `tests/numpy/print_goldens.py`; GENESIS_PRINT_GOLDENS names another, larger file of them.

use genesis_repl::dtype::DType;
use genesis_repl::layout::Shape;
use genesis_repl::report::{Elements, PrintOptions, Window, format_repr, format_str};
use serde_json::Value;

#[test]
fn prints_as_numpy_does() {
    let committed = include_str!("numpy/print_goldens.jsonl").to_string();
    let text = match std::env::var("GENESIS_PRINT_GOLDENS") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => committed,
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let shape: Shape = integers(&case["shape"]).iter().map(|n| *n as usize).collect();
        let options = options(&case["options"]);
        let elements = elements(&case);
        let window = Window::of(&shape, &options);
        assert_eq!(window.shape().elem_count(), elements.len(), "window of {shape:?}");
        for (form, ours) in [
            ("repr", format_repr(&shape, &elements, &options)),
            ("str", format_str(&shape, &elements, &options)),
        ] {
            let numpy = case[form].as_str().unwrap();
            if ours != numpy {
                wrong.push(format!(
                    "{} {options:?}\nNumPy: {numpy}\nours:  {ours}\n",
                    case["dtype"]
                ));
            }
        }
        count += 1;
    }
    println!("{count} arrays, each as repr and as str");
    assert!(count >= 300, "too few cases to mean anything");
    let shown: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} texts differ:\n{}", wrong.len(), shown.join("\n"));
}

fn options(json: &Value) -> PrintOptions {
    let field = |name: &str| json[name].as_u64().unwrap() as usize;
    PrintOptions {
        precision: field("precision"),
        threshold: field("threshold"),
        edgeitems: field("edgeitems"),
        linewidth: field("linewidth"),
        suppress_small: json["suppress"].as_bool().unwrap(),
        default_float: DType::F64,
        ..PrintOptions::default()
    }
}

fn elements(case: &Value) -> Elements {
    let dtype = DType::from_name(case["dtype"].as_str().unwrap()).unwrap();
    match dtype {
        DType::Bool => {
            Elements::Bool(integers(&case["values"]).into_iter().map(|v| v != 0).collect())
        }
        dtype if dtype.is_float() => {
            let values = case["values"].as_array().unwrap();
            let floats = values.iter().map(|v| hexadecimal_float(v.as_str().unwrap())).collect();
            Elements::Float(floats, dtype)
        }
        dtype => Elements::Int(integers(&case["values"]), dtype),
    }
}

fn integers(json: &Value) -> Vec<i128> {
    let integer = |v: &Value| v.as_i64().map(i128::from).or(v.as_u64().map(i128::from)).unwrap();
    json.as_array().unwrap().iter().map(integer).collect()
}

/// Python's `float.hex`: `-0x1.8p+3`, `nan`, `inf`.
fn hexadecimal_float(text: &str) -> f64 {
    let (sign, magnitude) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let Some(digits) = magnitude.strip_prefix("0x") else {
        return sign * magnitude.parse::<f64>().unwrap();
    };
    let (mantissa, exponent) = digits.split_once('p').unwrap();
    let (int, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = u64::from_str_radix(&format!("{int}{frac}"), 16).unwrap() as f64;
    let power = exponent.parse::<i32>().unwrap() - 4 * frac.len() as i32;
    // Two steps, as 2^power alone may be below the smallest float.
    sign * whole * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
}
