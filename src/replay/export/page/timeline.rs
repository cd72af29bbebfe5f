//! What was live and reserved behind each event.

use std::fmt::Write as _;

use super::{Look, in_script};
use crate::replay::export::recording::What;
use crate::replay::export::sums::levels;
use crate::report::{escape, human_bytes};

/// Pieces that the time is cut into; of each the highest level is drawn.
const PIECES: usize = 1000;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 160.0;

pub(super) fn timeline(look: &Look<'_>) -> String {
    let tape = look.tape;
    let (Some(first), Some(last)) = (tape.events.first(), tape.events.last()) else {
        return "<p>No event is known: <code>:set history 100000</code> keeps some.</p>".to_owned();
    };
    let levels = levels(tape).behind;
    let most = levels.iter().map(|level| level.live.max(level.reserved)).max().unwrap_or(0).max(1);
    let (count, pieces) = (levels.len(), levels.len().min(PIECES));
    let x = |event: usize| event as f64 / count as f64 * WIDTH;
    let y = |bytes: u64| HEIGHT - bytes as f64 / most as f64 * (HEIGHT - 4.0);
    let (mut live, mut reserved) = (String::new(), String::new());
    let mut said = Vec::new();
    for piece in 0..pieces {
        let (from, to) = (piece * count / pieces, (piece + 1) * count / pieces);
        // The first of the highest.
        let at = (from..to).rev().max_by_key(|at| levels[*at].live).unwrap_or(from);
        let level = levels[at];
        let (letter, from) = (if piece == 0 { 'M' } else { 'L' }, x(from));
        let _ = write!(live, "{letter}{from:.2} {:.2}H{:.2}", y(level.live), x(to));
        let _ = write!(reserved, "{letter}{from:.2} {:.2}H{:.2}", y(level.reserved), x(to));
        let event = &tape.events[at];
        let of = if tape.tells_reserved {
            format!(" of {} in segments", human_bytes(level.reserved))
        } else {
            String::new()
        };
        said.push(in_script(&format!(
            "{}: {} live{of}, at {}",
            look.time(event.time),
            human_bytes(level.live),
            look.label(event.stack)
        )));
    }
    let refused = tape.events.iter().enumerate().filter(|(_, event)| event.what == What::Refused);
    let marks: String = refused
        .map(|(at, event)| {
            let words = format!(
                "out of memory: {} refused, at {}",
                human_bytes(event.bytes),
                look.label(event.stack)
            );
            format!(
                "<path class=\"refused\" d=\"M{0:.2} 0V{HEIGHT}\"><title>{1}</title></path>",
                x(at),
                escape(&words)
            )
        })
        .collect();
    let line = match tape.tells_reserved {
        true => format!("<path class=\"reserved\" d=\"{reserved}\"/>"),
        false => String::new(),
    };
    let words =
        format!("memory of {} over {count} events: {} at the most", tape.device, human_bytes(most));
    let legend = match (tape.tells_reserved, marks.is_empty()) {
        (true, true) => {
            "<i class=\"key live\"></i> asked for and live <i class=\"key line\"></i> in segments"
        }
        (true, false) => {
            "<i class=\"key live\"></i> asked for and live <i class=\"key line\"></i> in segments \
             <i class=\"key refused\"></i> ran out of memory"
        }
        (false, true) => "<i class=\"key live\"></i> live",
        (false, false) => {
            "<i class=\"key live\"></i> live <i class=\"key refused\"></i> ran out of memory"
        }
    };
    format!(
        "<p class=\"legend\">{legend}</p><div class=\"chart\"><span class=\"top\">{}</span>\
         <svg class=\"timeline\" data-said=\"t{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" \
         role=\"img\" aria-label=\"{}\"><path class=\"live\" d=\"{live}V{HEIGHT}H0Z\"/>{line}{marks}</svg>\
         <div class=\"ends\"><span>{}</span><span>event by event</span><span>{}</span></div></div>\
         <script type=\"application/json\" id=\"t{}\">[{}]</script>",
        human_bytes(most),
        look.at,
        escape(&words),
        look.time(first.time),
        look.time(last.time),
        look.at,
        said.join(",\n"),
    )
}
