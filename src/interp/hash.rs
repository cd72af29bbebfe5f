//! `hash(value)`, as CPython's for numbers and tuples of them. Tables go by the same numbers, so that an
//! object meets the number or the text that it says it equals.

use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;

use super::complex;
use super::depth::with_room;
use super::object::bytes::Bytes;
use super::value::Value;

/// The modulus of the hashes of numbers.
const PRIME: u64 = (1 << 61) - 1;

/// Of None, as CPython's from 3.12 on.
const NONE: i64 = 0xfca8_6420;

/// Of an integer.
#[inline]
pub fn of_int(number: i64) -> i64 {
    match u64::try_from(number) {
        Ok(size) if size < PRIME => number,
        _ => signed(number.unsigned_abs() % PRIME, number < 0),
    }
}

/// Of a text.
#[inline]
pub fn of_text(text: &str) -> i64 {
    of_part(text)
}

/// Of a float: that of the integer where it is one.
pub fn of_float(number: f64) -> i64 {
    if number.is_infinite() {
        return if number > 0.0 { 314_159 } else { -314_159 };
    }
    if number.is_nan() || number == 0.0 {
        return 0;
    }
    let bits = number.abs().to_bits();
    let (mantissa, exponent) = match (bits & ((1 << 52) - 1), (bits >> 52) as i64) {
        (mantissa, 0) => (mantissa, -1074),
        (mantissa, exponent) => (mantissa | 1 << 52, exponent - 1075),
    };
    // 2^61 is 1, so that a power of two turns the bits around.
    let turn = exponent.rem_euclid(61) as u32;
    let reduced = mantissa % PRIME;
    let turned = (u128::from(reduced) << turn) % u128::from(PRIME);
    signed(turned as u64, number < 0.0)
}

/// -1 stands for an error in CPython.
fn signed(size: u64, is_negative: bool) -> i64 {
    let hash = if is_negative { -(size as i64) } else { size as i64 };
    if hash == -1 { -2 } else { hash }
}

/// How tables go by these numbers: sixteen that follow one another lie side by side, so that a program that counts
/// up finds what it needs near what it had; farther ones lie anywhere.
#[derive(Debug, Clone, Default)]
pub struct Neighbours(u64);

/// Makes [`Neighbours`].
pub type Neighbourhood = BuildHasherDefault<Neighbours>;

impl Hasher for Neighbours {
    #[inline]
    fn write_i64(&mut self, number: i64) {
        let number = number as u64;
        let mixed = (number >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ mixed >> 32;
        // A table looks at the highest bits before it compares keys.
        self.0 = (mixed & !15 | number & 15) ^ (number & 15) << 57;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i64(self.0 as i64 ^ i64::from(*byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Of a value that can be a key. An object has the number that its class gave when it was asked last.
pub fn of(value: &Value) -> i64 {
    match value {
        Value::Int(number) => of_int(*number),
        Value::Wide(number) => signed(number % PRIME, false),
        Value::Bool(flag) => i64::from(*flag),
        Value::Float(number) => of_float(*number),
        Value::Complex(number) => complex::hash_of(**number),
        Value::Str(text) => of_text(text),
        Value::None => NONE,
        Value::Tuple(items) => with_room(|| of_items(items)),
        // In any order.
        Value::FrozenSet(elements) => {
            let part = |hash: i64| of_part(&hash) as u64;
            let sum =
                || elements.iter().map(|key| part(of(key.value()))).fold(0, u64::wrapping_add);
            of_part(&with_room(sum))
        }
        Value::Range(range) => of_part(&**range),
        Value::Object(object) => match (object.hash(), object.plain()) {
            (Some(hash), _) => hash,
            (None, Some(plain)) => of(plain),
            (None, None) => of_part(&Rc::as_ptr(object)),
        },
        Value::Opaque(opaque) if let Some(bytes) = opaque.inside::<Bytes>() => of_part(bytes),
        Value::Bound(bound) => of_method(&bound.receiver, of(&bound.callable)),
        Value::Method(method) => of_method(&method.receiver, of_part(&method.function.name)),
        Value::Function(function) => of_part(&function.name),
        Value::Type(of) => of_part(of),
        Value::Tensor(_) => of_part(&value.type_of()),
        other => match other.identity() {
            Some((place, _)) => of_part(&place),
            None => of_part(&other.type_of()),
        },
    }
}

/// Methods of one object are equal, whatever the object says of itself.
fn of_method(receiver: &Value, function: i64) -> i64 {
    let receiver = match receiver.identity() {
        Some((place, _)) => of_part(&place),
        None => of(receiver),
    };
    receiver ^ function
}

fn of_part<T: Hash + ?Sized>(part: &T) -> i64 {
    let mut hasher = FxHasher::default();
    part.hash(&mut hasher);
    (hasher.finish() >> 1) as i64
}

pub fn of_items(items: &[Value]) -> i64 {
    const PRIMES: [u64; 3] =
        [11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 2_870_177_450_012_600_261];
    let lane = |sum: u64, item: &Value| {
        let sum = sum.wrapping_add((of(item) as u64).wrapping_mul(PRIMES[1]));
        sum.rotate_left(31).wrapping_mul(PRIMES[0])
    };
    let sum = items.iter().fold(PRIMES[2], lane);
    let whole = sum.wrapping_add(items.len() as u64 ^ (PRIMES[2] ^ 3_527_539));
    if whole == u64::MAX { 1_546_275_796 } else { whole as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_have_one_hash() {
        for number in [0, 1, -1, -2, 7, 1 << 52, -(1 << 52), 1 << 60, i64::MIN] {
            assert_eq!(of_int(number), of_float(number as f64), "{number}");
        }
        assert_eq!((of_int(-1), of_int((1 << 61) - 1), of_int(i64::MAX)), (-2, 0, 3));
        assert_eq!((of_float(0.5), of_float(-0.5)), (1 << 60, -(1 << 60)));
    }
}
