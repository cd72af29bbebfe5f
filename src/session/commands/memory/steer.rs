//! What changes the memory, or how it is watched.

use super::{nothing, one};
use crate::device::Device;
use crate::diag::{At, SourceResult};
use crate::memory::{Mode, parse_size};
use crate::report::{Markup, counted, human_bytes};
use crate::session::commands::Call;
use crate::session::commands::arguments::Word;
use crate::session::moves::Fixed;
use crate::tensor::Error;

pub(super) fn trim(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let allocator = device.allocator();
    call.session.collect_cycles();
    call.session.engine().attic().reclaim(device.id(), usize::MAX);
    let returned = match one(call, rest)? {
        Some(word) => allocator.trim(parse_size(word.text).at(word.span)?),
        None => allocator.empty_cache(),
    };
    let kept = allocator.stats().now.reserved;
    let text = format!(" given back, {} still reserved", human_bytes(kept as u64));
    call.show(Markup::new().number(human_bytes(returned as u64)).plain(text));
    Ok(())
}

pub(super) fn compact(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    nothing(call, rest)?;
    let allocator = device.allocator();
    call.session.collect_cycles();
    let movable = call.session.movable(device);
    let before = allocator.stats().largest_free;
    let done = device.compact(&movable).map_err(Error::from).at(call.name)?;
    let after = allocator.stats().largest_free;
    let fixed = call.session.fixed(device, &call.session.movable(device));
    let bytes = |bytes: usize| human_bytes(bytes as u64);
    let mut words = Markup::new()
        .number(bytes(done.bytes + done.pages))
        .plain(" moved; the largest free piece is ")
        .number(bytes(after));
    if after != before {
        words = words.plain(format!(", and was {}", bytes(before)));
    }
    if done.emptied > 0 {
        let text = format!("; {} in whole segments are free now", bytes(done.emptied));
        words = words.plain(text);
    }
    if fixed.blocks > 0 {
        words = words.newline().dim(stayed(&fixed));
    }
    let past = allocator.stats().past;
    if past > 0 {
        let text = format!("{} are kept for `:undo`: `:mem trim` lets them go", bytes(past));
        words = words.newline().dim(text);
    }
    call.show(words);
    Ok(())
}

/// `2 blocks (4 MiB) stay where they are: …`
fn stayed(fixed: &Fixed) -> String {
    let unnamed = fixed.blocks - fixed.by_hand;
    let mut why = Vec::new();
    if fixed.by_hand > 0 {
        let of = format!("the program has the addresses of {}", fixed.by_hand);
        why.push(format!("{of} (`allocate_memory`)"));
    }
    if unnamed > 0 {
        why.push(format!("no variable reaches {unnamed}"));
    }
    let (blocks, stay) =
        (counted(fixed.blocks, "block"), if fixed.blocks == 1 { "stays" } else { "stay" });
    format!("{blocks} ({}) {stay} in place: {}", human_bytes(fixed.bytes), why.join(", "))
}

pub(super) fn warm_up(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    if rest.is_empty() {
        let hint = "`:mem warmup 4MiB 8` makes eight blocks of 4 MiB ready";
        let error = call.misuse(call.place(), "expected a size and a count");
        return Err(Box::new(error.with_hint(hint)));
    }
    let mut sizes = Vec::new();
    for pair in rest.chunks(2) {
        let bytes = parse_size(pair[0].text).at(pair[0].span)?;
        let count = match pair.get(1) {
            Some(word) => call.count(*word, 1)?,
            None => 1,
        };
        // What can't fit is refused before a list of that length is made.
        let most = device.allocator().mem_info().total;
        if bytes.max(1).checked_mul(count).is_none_or(|all| all > most) || count > 1_000_000 {
            let span = pair[pair.len() - 1].span;
            return Err(call.misuse(pair[0].span.to(span), "expected no more than the device has"));
        }
        sizes.push((bytes, count));
    }
    let config = device.allocator().config();
    let reserved = device.allocator().warm_up(&sizes).at(call.args)?;
    let markup = Markup::new().number(human_bytes(reserved as u64)).plain(" newly reserved");
    let off = !config.warmup_enabled || config.mode != Mode::Caching;
    call.show(match off {
        true => markup.warn(": warming up is off, or nothing is cached in this mode"),
        false => markup,
    });
    Ok(())
}

/// A front end that can't keep a picture up to date says what there is instead.
pub(super) fn live(call: &mut Call<'_>, _: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let is_on = match one(call, rest)?.map(|word| (word.text, word.span)) {
        None | Some(("on", _)) => true,
        Some(("off", _)) => false,
        Some((found, span)) => {
            return Err(call.misuse(span, format!("expected `off` or nothing, found `{found}`")));
        }
    };
    if !call.sink.live_memory(call.session, is_on) {
        let words = Markup::new().dim("a notebook keeps a panel up to date; in a terminal, ");
        call.show(words.command(":mem watch").dim(" draws the memory until a key is pressed"));
    }
    Ok(())
}

pub(super) fn watch(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    nothing(call, rest)?;
    let report = call.session.memory_overview(device);
    call.show(report);
    call.show(Markup::new().dim("a terminal draws this anew until a key is pressed"));
    Ok(())
}
