//! `time`: clocks, and the time as a calendar writes it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tz::{LocalTimeType, TimeZone};

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::{Module, Value};

const fn time(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Time, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    time("time()", |_| Ok(Value::Float(now().as_secs_f64())), "Seconds since 1970.")
        .example("import time\ntime.time() > 1e9"),
    time("time_ns()", |_| Ok(Value::Int(now().as_nanos() as i64)), "Nanoseconds since 1970.")
        .example("import time\ntime.time_ns() > 10 ** 18"),
    time(
        "perf_counter()",
        |call| Ok(Value::Float(steady(call).as_nanos() as f64 * 1e-9)),
        "Seconds of a clock that never goes back; differences measure time.",
    )
    .aliases(&["monotonic"])
    .example("import time\ntime.perf_counter() > 0"),
    time(
        "perf_counter_ns()",
        |call| Ok(Value::Int(steady(call).as_nanos() as i64)),
        "Nanoseconds of a clock that never goes back; differences measure time.",
    )
    .aliases(&["monotonic_ns"]),
    time(
        "process_time()",
        |_| Ok(Value::Float(worked("/proc/self/task")? as f64 * 1e-9)),
        "Seconds that processors have worked for this process's threads.",
    ),
    time(
        "process_time_ns()",
        |_| Ok(Value::Int(worked("/proc/self/task")?)),
        "Nanoseconds that processors have worked for this process's threads.",
    ),
    time("sleep(seconds)", sleep, "Waits; Ctrl-C ends it.")
        .acts()
        .example("import time\ntime.sleep(0)"),
    time(
        "strftime(format, time=None, /)",
        strftime,
        "A time as a format such as `%Y-%m-%d %H:%M:%S` writes it; without one, now and here.",
    ),
];

/// Parts of a time as [`parts`] gives them, for what is written in the language.
pub const PARTS: Builtin =
    Builtin::new("parts_of_time(seconds=None, /)", |call| Ok(parts(seconds(call, 0)?)))
        .homes(Homes::NONE)
        .doc("(year, month, day, hour, minute, second, weekday, day of the year, 0) in UTC.");

/// Where the local time stands beside UTC, for what is written in the language.
pub const OFFSET: Builtin = Builtin::new("offset_of_time(seconds, /)", |call| {
    let (offset, is_summer, name) = local(seconds(call, 0)?);
    Ok(Value::tuple([Value::Int(offset), Value::Int(i64::from(is_summer)), Value::str(name)]))
})
.homes(Homes::NONE)
.doc("(seconds that the local time is ahead of UTC, whether it is summer time, the zone's name).");

/// How far the local time is ahead of UTC then, whether it is summer time, and the zone's name.
fn local(seconds: i64) -> (i64, bool, String) {
    let zone = TimeZone::local().unwrap_or_else(|_| TimeZone::utc());
    let utc = LocalTimeType::utc();
    let local = zone.find_local_time_type(seconds).unwrap_or(&utc);
    let name = match local.time_zone_designation() {
        "" => "UTC",
        name => name,
    };
    (i64::from(local.ut_offset()), local.is_dst(), name.to_owned())
}

/// The year and the week that a day belongs to, as ISO 8601 counts weeks: the first has a Thursday.
fn iso_week(year: i64, yearday: i64, weekday: i64) -> (i64, i64) {
    let length = |year: i64| 365 + i64::from(is_leap(year));
    let week = (yearday - 1 - weekday + 10) / 7;
    // The weekday on which the year began decides whether it has 53 weeks.
    let first = (weekday - (yearday - 1)).rem_euclid(7);
    let weeks = |first: i64, year: i64| 52 + i64::from(first == 3 || first == 2 && is_leap(year));
    if week < 1 {
        let before = (first - length(year - 1)).rem_euclid(7);
        return (year - 1, weeks(before, year - 1));
    }
    if week > weeks(first, year) { (year + 1, 1) } else { (year, week) }
}

/// A clock that stands at one second when the session begins.
fn steady(call: &Call<'_>) -> Duration {
    Duration::from_secs(1) + call.evaluator.interp.started.elapsed()
}

/// Nanoseconds that processors have worked for the threads of a folder of Linux's.
fn worked(folder: &str) -> Result<i64, Fault> {
    let missing = |_| Fault::new(ErrorKind::Os, "this system does not count a process's time here");
    let threads = std::fs::read_dir(folder).map_err(missing)?;
    let of_thread = |thread: std::fs::DirEntry| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<i64>().ok()
    };
    Ok(threads.filter_map(|thread| of_thread(thread.ok()?)).sum())
}

fn sleep(call: &mut Call<'_>) -> Result<Value, Fault> {
    let seconds = call.float("seconds")?;
    if !(0.0..=1e9).contains(&seconds) {
        let fault = Fault::value_error("sleep length must be non-negative");
        return Err(call.fault_at("seconds", fault));
    }
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let left = || end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
    while let Some(left) = left() {
        if call.engine().interrupt().is_raised() {
            return Err(Fault::new(ErrorKind::KeyboardInterrupt, "interrupted"));
        }
        std::thread::sleep(left.min(Duration::from_millis(20)));
    }
    Ok(Value::None)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn seconds(call: &Call<'_>, position: usize) -> Result<i64, Fault> {
    match call.optional_float(position)? {
        None => Ok(now().as_secs() as i64),
        Some(seconds) if seconds.abs() < 1e14 => Ok(seconds.floor() as i64),
        Some(_) => {
            let message = "timestamp out of range for the calendar";
            Err(call.fault_at(position, Fault::value_error(message)))
        }
    }
}

/// Year, month and day of a day since 1970, of the Gregorian calendar.
fn date(day: i64) -> (i64, i64, i64) {
    // Eras of 400 years, which begin in March, so that the leap day is their last.
    let shifted = day + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (era * 400 + year + i64::from(month <= 2), month, day)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn day_of_year(year: i64, month: i64, day: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    BEFORE[(month - 1).clamp(0, 11) as usize] + day + i64::from(month > 2 && is_leap(year))
}

fn parts(seconds: i64) -> Value {
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, date) = date(day);
    let parts = [
        year,
        month,
        date,
        second / 3600,
        second / 60 % 60,
        second % 60,
        (day + 3).rem_euclid(7),
        day_of_year(year, month, date),
        0,
    ];
    Value::tuple(parts.map(Value::Int))
}

fn strftime(call: &mut Call<'_>) -> Result<Value, Fault> {
    const DAYS: [&str; 7] =
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let given = match call.is_none(1) {
        true => {
            let seconds = now().as_secs() as i64;
            parts(seconds + local(seconds).0)
        }
        false => call.value(1).clone(),
    };
    let numbers = crate::interp::convert::integers(call.engine(), given.plain());
    let numbers = numbers.map_err(|fault| call.fault_at(1, fault))?;
    let [year, month, day, hour, minute, second, weekday, yearday, _] = numbers[..] else {
        let fault = Fault::type_error("Tuple or struct_time argument required");
        return Err(call.fault_at(1, fault));
    };
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && (0..7).contains(&weekday);
    if !is_date
        || !(0..24).contains(&hour)
        || !(0..60).contains(&minute)
        || !(0..62).contains(&second)
    {
        return Err(call.fault_at(1, Fault::value_error("a part of the time is out of range")));
    }
    let (weekday_name, month_name) = (DAYS[weekday as usize], MONTHS[month as usize - 1]);
    let format = call.str(0)?;
    let mut text = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let code = chars.next();
        text += &match code {
            Some('Y') => year.to_string(),
            Some('y') => format!("{:02}", year.rem_euclid(100)),
            Some('m') => format!("{month:02}"),
            Some('d') => format!("{day:02}"),
            Some('e') => format!("{day:2}"),
            Some('H') => format!("{hour:02}"),
            Some('I') => format!("{:02}", (hour + 11) % 12 + 1),
            Some('M') => format!("{minute:02}"),
            Some('S') => format!("{second:02}"),
            Some('p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            Some('j') => format!("{yearday:03}"),
            Some('A') => weekday_name.to_owned(),
            Some('a') => weekday_name[..3].to_owned(),
            Some('B') => month_name.to_owned(),
            Some('b' | 'h') => month_name[..3].to_owned(),
            Some('w') => ((weekday + 1) % 7).to_string(),
            Some('u') => (weekday + 1).to_string(),
            Some('F') => format!("{year}-{month:02}-{day:02}"),
            Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some('R') => format!("{hour:02}:{minute:02}"),
            Some('D') => format!("{month:02}/{day:02}/{:02}", year.rem_euclid(100)),
            Some('c') => format!(
                "{} {} {day:2} {hour:02}:{minute:02}:{second:02} {year}",
                &weekday_name[..3],
                &month_name[..3],
            ),
            Some('x') => format!("{month:02}/{day:02}/{:02}", year.rem_euclid(100)),
            Some('X') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some('U') => format!("{:02}", (yearday + 6 - (weekday + 1) % 7) / 7),
            Some('W') => format!("{:02}", (yearday + 6 - weekday) / 7),
            Some('G') => iso_week(year, yearday, weekday).0.to_string(),
            Some('V') => format!("{:02}", iso_week(year, yearday, weekday).1),
            Some('C') => format!("{:02}", year / 100),
            Some('l') => format!("{:2}", (hour + 11) % 12 + 1),
            Some('k') => format!("{hour:2}"),
            Some('r') => {
                let half = if hour < 12 { "AM" } else { "PM" };
                format!("{:02}:{minute:02}:{second:02} {half}", (hour + 11) % 12 + 1)
            }
            Some(code @ ('Z' | 'z')) => {
                let (offset, _, name) = local(now().as_secs() as i64);
                let minutes = offset.abs() / 60;
                let sign = if offset < 0 { '-' } else { '+' };
                match code {
                    'Z' => name,
                    _ => format!("{sign}{:02}{:02}", minutes / 60, minutes % 60),
                }
            }
            Some('n') => "\n".to_owned(),
            Some('t') => "\t".to_owned(),
            Some('%') => "%".to_owned(),
            other => {
                let code = other.map_or("%".to_owned(), |c| format!("%{c}"));
                let message = format!("unknown directive `{code}` in a format of times");
                return Err(call.fault_at(0, Fault::value_error(message)));
            }
        };
    }
    Ok(Value::str(text))
}
