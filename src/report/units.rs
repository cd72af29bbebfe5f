//! Quantities as people read them.

use std::time::Duration;

const BINARY: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Bytes in binary units: `512 B`, `3.8 MiB`, `128 GiB`.
pub fn human_bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = 0;
    // 1023.95 would print as 1024.0 of the smaller unit.
    while value >= 1023.95 && unit + 1 < BINARY.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", BINARY[unit]) }
}

/// Bytes a second in decimal units, as makers of memory count: `4,120 GB/s`.
pub fn human_rate(bytes_a_second: f64) -> String {
    let giga = bytes_a_second / 1e9;
    match giga {
        giga if giga < 9.95 => format!("{giga:.1} GB/s"),
        giga => format!("{} GB/s", human_count(giga.round() as u64)),
    }
}

/// A change in bytes, always with its sign: `+4.0 MiB`, `-512 B`.
pub fn signed_bytes(change: i64) -> String {
    let sign = if change < 0 { '-' } else { '+' };
    format!("{sign}{}", human_bytes(change.unsigned_abs()))
}

/// A count with thousands set apart: `1,048,576`.
pub fn human_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things: `1 segment`, `1,024 segments`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {noun}"),
        count => format!("{} {noun}s", human_count(count)),
    }
}

/// A duration to three digits: `850 ns`, `31.2 µs`, `4.05 s`, `2 min 5 s`.
pub fn human_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds >= 59.95 {
        let whole = seconds.round() as u64;
        return match (whole / 3600, whole / 60 % 60, whole % 60) {
            (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
            (hours, minutes, _) => format!("{hours} h {minutes} min"),
        };
    }
    let (value, unit) = match duration.as_nanos() {
        nanos @ 0..1_000 => return format!("{nanos} ns"),
        1_000..999_500 => (seconds * 1e6, "µs"),
        999_500..999_500_000 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    let decimals = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// Seconds to three digits, or to a tenth of a nanosecond below a microsecond: means of many runs.
pub fn human_seconds(seconds: f64) -> String {
    match seconds * 1e9 {
        nanos if nanos < 999.95 => format!("{nanos:.1} ns"),
        _ => human_duration(Duration::from_secs_f64(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let cases = [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (4_000_000, "3.8 MiB")];
        for (bytes, text) in cases {
            assert_eq!(human_bytes(bytes), text);
        }
        assert_eq!(human_bytes(1024 * 1024 - 1), "1.0 MiB");
        assert_eq!(human_bytes(u64::MAX), "16.0 EiB");
        assert_eq!(signed_bytes(-4096), "-4.0 KiB");
        assert_eq!(signed_bytes(i64::MIN), "-8.0 EiB");
    }

    #[test]
    fn rates() {
        let cases = [(1.26e9, "1.3 GB/s"), (9.96e9, "10 GB/s"), (4.1234e12, "4,123 GB/s")];
        for (rate, text) in cases {
            assert_eq!(human_rate(rate), text);
        }
    }

    #[test]
    fn counts() {
        assert_eq!(human_count(999), "999");
        assert_eq!(human_count(1_048_576), "1,048,576");
        assert_eq!(["a", "b"].map(|noun| counted(1, noun)), ["1 a", "1 b"]);
        assert_eq!(
            [0, 2, 1_048_576].map(|n| counted(n, "row")),
            ["0 rows", "2 rows", "1,048,576 rows"]
        );
    }

    #[test]
    fn durations() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1.00 µs"),
            (9_933, "9.93 µs"),
            (9_996, "10.0 µs"),
            (99_960, "100 µs"),
            (31_234, "31.2 µs"),
            (999_600, "1.00 ms"),
            (4_050_000_000, "4.05 s"),
            (125_000_000_000, "2 min 5 s"),
            (7_380_000_000_000, "2 h 3 min"),
        ];
        for (nanos, text) in cases {
            assert_eq!(human_duration(Duration::from_nanos(nanos)), text);
        }
        let cases =
            [(3.14e-9, "3.1 ns"), (999.96e-9, "1.00 µs"), (9.933e-6, "9.93 µs"), (2.0, "2.00 s")];
        for (seconds, text) in cases {
            assert_eq!(human_seconds(seconds), text);
        }
    }
}
