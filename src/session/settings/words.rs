//! Values of settings as words, and back.

use crate::diag::Fault;
use crate::memory::parse_size;
use crate::report::human_bytes;
use crate::tensor::DeviceId;

#[cold]
pub fn wrong(expected: &str, found: &str) -> Fault {
    Fault::value_error(format!("expected {expected}, found `{found}`"))
}

pub fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_string()
}

pub fn flag(value: &str) -> Result<bool, Fault> {
    match value.to_lowercase().as_str() {
        "on" | "true" | "1" | "yes" => Ok(true),
        "off" | "false" | "0" | "no" => Ok(false),
        _ => Err(wrong("`on` or `off`", value)),
    }
}

pub fn number(value: &str, low: usize, high: usize) -> Result<usize, Fault> {
    let number = value.replace('_', "").parse().ok();
    number
        .filter(|number| (low..=high).contains(number))
        .ok_or_else(|| wrong(&format!("a whole number from {low} to {high}"), value))
}

/// A size that reads back exactly: in a unit where it is whole.
pub fn size(bytes: usize) -> String {
    if bytes == 0 {
        return "0".to_string();
    }
    let text = human_bytes(bytes as u64).replace(".0 ", "").replace(' ', "");
    if parse_size(&text).ok() == Some(bytes) { text } else { bytes.to_string() }
}

/// A device from its name.
///
/// # Errors
/// ValueError.
pub fn parse_device(name: &str) -> Result<DeviceId, Fault> {
    DeviceId::from_name(name)
        .ok_or_else(|| wrong("a device such as `cpu`, `cuda` or `cuda:1`", name))
}
