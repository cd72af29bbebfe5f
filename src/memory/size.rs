//! Sizes of memory as people write them: `8GiB`, `512MB`, `1e9`, `4096`.

use crate::diag::Fault;

/// Units in capital letters, and the bytes of each. A letter alone means the binary unit, as in
/// `docker -m 8g` and `java -Xmx8g`.
const UNITS: [(&str, f64); 17] = [
    ("", 1.0),
    ("B", 1.0),
    ("K", 1024.0),
    ("KB", 1e3),
    ("KIB", 1024.0),
    ("M", 1_048_576.0),
    ("MB", 1e6),
    ("MIB", 1_048_576.0),
    ("G", 1_073_741_824.0),
    ("GB", 1e9),
    ("GIB", 1_073_741_824.0),
    ("T", 1_099_511_627_776.0),
    ("TB", 1e12),
    ("TIB", 1_099_511_627_776.0),
    ("BYTES", 1.0),
    ("P", 1_125_899_906_842_624.0),
    ("PIB", 1_125_899_906_842_624.0),
];

/// Bytes from a size.
///
/// # Errors
/// ValueError that says what a size looks like.
pub fn parse_size(text: &str) -> Result<usize, Fault> {
    let text = text.trim();
    let wrong = || {
        Fault::value_error(format!(
            "expected a size such as `8GiB`, `512MB`, `1e9` or `4096`, found `{text}`"
        ))
    };
    let digits = text.replace('_', "");
    let is_unit = |c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E');
    let cut = digits.find(is_unit).unwrap_or(digits.len());
    let (number, unit) = (digits[..cut].trim(), digits[cut..].to_uppercase());
    let scale = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale);
    let (Ok(number), Some(scale)) = (number.parse::<f64>(), scale) else {
        return Err(wrong());
    };
    let bytes = number * scale;
    if !bytes.is_finite() || bytes < 0.0 {
        return Err(wrong());
    }
    if bytes >= (1u64 << 62) as f64 {
        return Err(Fault::value_error(format!("expected a size below 4 EiB, found `{text}`")));
    }
    // Whole numbers of bytes beyond 2^53 have no exact f64.
    Ok(digits.parse().unwrap_or(bytes as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            ("4096", 4096),
            ("1e9", 1_000_000_000),
            ("8GiB", 8 << 30),
            ("8 gib", 8 << 30),
            ("512MB", 512_000_000),
            ("1.5KiB", 1536),
            ("2G", 2 << 30),
            ("1_000B", 1000),
            ("0", 0),
            ("1e3 KB", 1_000_000),
            ("9007199254740993", 9_007_199_254_740_993),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text).ok(), Some(bytes), "{text}");
        }
        for text in ["", "GiB", "8XiB", "-1", "nan", "inf", "1e300", "8 GiB x", "0x10", "8EiB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
