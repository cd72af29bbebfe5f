//! What a user searches for.

use crate::dtype::{DType, Scalar};

/// Digits of a number that count, as cells show it; more where more are typed.
const DIGITS: i32 = 4;

/// A test that an element passes or not. Of complex numbers the magnitude is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Test {
    /// NaN or infinite.
    Odd,
    Nan,
    Infinite,
    /// Compared exactly.
    Is(Relation, Scalar),
    /// At least the first and at most the second.
    Between(f64, f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

const RELATIONS: [(&str, Relation); 7] = [
    ("==", Relation::Equal),
    ("!=", Relation::NotEqual),
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("<", Relation::Less),
    (">", Relation::Greater),
    ("=", Relation::Equal),
];

impl Test {
    /// The test that a text means for elements of a type: `3`, `0.1235`, `> 2`, `!= 0`, `nan`, `inf`; nothing means
    /// what is no finite number.
    ///
    /// # Errors
    /// What is wrong with the text, in a sentence.
    pub fn parse(text: &str, dtype: DType) -> Result<Test, String> {
        let text = text.trim();
        let relation = RELATIONS.iter().find(|(sign, _)| text.starts_with(sign));
        let (sign, relation) = relation.map_or(("", None), |(sign, it)| (*sign, Some(*it)));
        let number = text[sign.len()..].trim();
        match (number.to_ascii_lowercase().as_str(), relation) {
            ("", None) => return Ok(Test::Odd),
            ("nan", None) => return Ok(Test::Nan),
            ("inf", None) => return Ok(Test::Infinite),
            _ => {}
        }
        let exact = exact(number, dtype);
        match (relation, exact, number.parse::<f64>()) {
            (Some(relation), Some(scalar), _) => Ok(Test::Is(relation, scalar)),
            (None, Some(scalar), _) if dtype.is_integer() || dtype == DType::Bool => {
                Ok(Test::Is(Relation::Equal, scalar))
            }
            (None, _, Ok(value)) if value.is_finite() => {
                let half = half_unit(number, value);
                Ok(Test::Between(value - half, value + half))
            }
            (_, _, Ok(value)) => {
                Ok(Test::Is(relation.unwrap_or(Relation::Equal), Scalar::Float(value)))
            }
            _ => Err(format!("expected a number, `nan`, `inf` or `> 2`, found `{text}`")),
        }
    }
}

/// The number as an element's type compares it without rounding.
fn exact(number: &str, dtype: DType) -> Option<Scalar> {
    if dtype == DType::Bool {
        return match number {
            "True" | "true" | "1" => Some(Scalar::Int(1)),
            "False" | "false" | "0" => Some(Scalar::Int(0)),
            _ => None,
        };
    }
    let whole = number.parse::<i64>().ok().map(Scalar::Int);
    whole.or_else(|| number.parse::<u64>().ok().map(Scalar::Wide)).filter(|_| dtype.is_integer())
}

/// Half a unit of the last digit that counts.
fn half_unit(number: &str, value: f64) -> f64 {
    let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let typed = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    let first = match value == 0.0 {
        true => power,
        false => value.abs().log10().floor() as i32,
    };
    let shown = first - (DIGITS - 1);
    0.5 * 10f64.powi(shown.min(power - typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_what_is_shown_as_it() {
        let test = |text| Test::parse(text, DType::F32).unwrap();
        let holds = |text, value: f64| match test(text) {
            Test::Between(low, high) => (low..=high).contains(&value),
            other => panic!("{other:?}"),
        };
        assert!(holds("0.1235", 0.123456) && !holds("0.1235", 0.1234));
        assert!(holds("5", 5.0004) && !holds("5", 5.001));
        assert!(holds("-1.5e3", -1500.2) && !holds("-1.5e3", -1501.0));
        assert!(holds("0.123456", 0.1234561) && !holds("0.123456", 0.1235));
        assert!(holds("0", 0.0) && !holds("0", 0.001));
        assert_eq!((test(""), test("nan"), test("INF")), (Test::Odd, Test::Nan, Test::Infinite));
        assert_eq!(test("-inf"), Test::Is(Relation::Equal, Scalar::Float(f64::NEG_INFINITY)));
        assert_eq!(test("> 2"), Test::Is(Relation::Greater, Scalar::Float(2.0)));
        assert_eq!(test("!=0"), Test::Is(Relation::NotEqual, Scalar::Float(0.0)));
        assert!(Test::parse("> x", DType::F32).is_err());
    }

    #[test]
    fn whole_numbers_are_exact() {
        let test = |text, dtype| Test::parse(text, dtype).unwrap();
        let least = Scalar::Int(i64::MIN);
        assert_eq!(test("-9223372036854775808", DType::I64), Test::Is(Relation::Equal, least));
        let most = Scalar::Wide(u64::MAX);
        assert_eq!(test("18446744073709551615", DType::U64), Test::Is(Relation::Equal, most));
        assert_eq!(test("True", DType::Bool), Test::Is(Relation::Equal, Scalar::Int(1)));
        assert!(matches!(test("2.5", DType::I8), Test::Between(..)));
    }
}
