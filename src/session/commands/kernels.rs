//! `:kernels`.

use super::Call;
use super::arguments::Word;
use crate::device::cuda::CudaBackend;
use crate::device::{Device, DiskUsage, KernelInfo};
use crate::diag::{At, Diagnostic, ErrorKind, Fault, SourceResult, did_you_mean};
use crate::report::{Column, Markup, Report, Table, counted, human_bytes, human_count, human_rate};
use crate::session::memory_view::device_label;
use crate::session::settings::parse_device;
use crate::tensor::DeviceId;

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    call.settle()?;
    let mut words = call.words();
    let mut device = call.session.engine().device();
    if let Some(word) = words.iter().copied().find(|w| DeviceId::from_name(w.text).is_some()) {
        let id = parse_device(word.text).at(word.span)?;
        device = call.session.engine().find_device(id).map_err(Fault::from).at(word.span)?;
        words.retain(|other| other.span != word.span);
    }
    let Some(gpu) = device.backend().cuda() else {
        if let Some(word) = words.first() {
            let message = format!("{} has no kernels", device_label(&device));
            return Err(call.misuse(word.span, message));
        }
        let report = plans(call, &device);
        call.show(report);
        return Ok(());
    };
    match words.as_slice() {
        [] => {
            let report = listing(&device, gpu);
            call.show(report);
            Ok(())
        }
        [word] if word.text == "clear" => {
            let markup = clear(gpu);
            call.show(markup);
            Ok(())
        }
        [word] => {
            let report = source(gpu, *word)?;
            call.show(report);
            Ok(())
        }
        [_, more, ..] => Err(call.misuse(more.span, "expected one kernel, found more")),
    }
}

/// What the CPU has in place of kernels.
fn plans(call: &Call<'_>, device: &Device) -> Markup {
    let plans = call.session.engine().plan_counts();
    let number = |count: u64| human_count(count);
    Markup::new()
        .name(device_label(device))
        .plain(" compiles no kernels: it runs the program of a statement as it is planned")
        .newline()
        .number(number(plans.kept as u64))
        .plain(" plans kept")
        .dim(" · ")
        .number(number(plans.hits))
        .plain(" found again")
        .dim(" · ")
        .number(number(plans.misses))
        .plain(" made")
}

fn listing(device: &Device, gpu: &CudaBackend) -> Report {
    let kernels = gpu.kernel_list();
    let has = |is: fn(&KernelInfo) -> bool| kernels.iter().any(is);
    let (has_local, has_rate) = (has(|k| k.local > 0), has(|k| k.bandwidth.is_some()));
    let mut columns = vec![Column::right(""), Column::left("kernel")];
    columns.extend(["launches", "compiled", "registers"].map(Column::right));
    columns.extend(has_local.then(|| Column::right("local")));
    columns.push(Column::right("code"));
    columns.extend(has_rate.then(|| Column::right("rate")));
    let title = Markup::new().heading(device.id().to_string()).dim(format!("  {}", device.name()));
    let mut table = Table::new(columns).with_title(title);
    for (at, kernel) in kernels.iter().enumerate() {
        let name = Markup::new().name(&*kernel.name);
        let gap = if kernel.macros.is_empty() { "" } else { " " };
        let mut row = vec![
            Markup::new().dim((at + 1).to_string()),
            name.dim(format!("{gap}{}", kernel.macros)),
            Markup::new().number(human_count(kernel.launches)),
            match kernel.compile_ms {
                Some(ms) => Markup::new().number(format!("{ms:.1} ms")),
                None => Markup::new().good("disk"),
            },
            Markup::new().number(kernel.registers.to_string()),
        ];
        // Local memory is slow: whoever sees some has found something.
        row.extend(has_local.then(|| match kernel.local {
            0 => Markup::new(),
            bytes => Markup::new().warn(human_bytes(u64::from(bytes))),
        }));
        row.push(Markup::new().number(human_bytes(kernel.code as u64)));
        let rate = |rate| Markup::new().number(human_rate(rate));
        row.extend(has_rate.then(|| kernel.bandwidth.map_or(Markup::new(), rate)));
        table.row(row);
    }
    let first = match kernels.is_empty() {
        true => Markup::new().dim(format!("{} has run no kernel yet", device.id())).into(),
        false => table.into(),
    };
    Report::Stack(vec![first, Report::plain(""), counts(gpu).into()])
}

/// How kernels were found, and what is kept on disk.
fn counts(gpu: &CudaBackend) -> Markup {
    let counts = gpu.kernel_counts();
    let markup = Markup::new()
        .number(human_count(counts.hits))
        .plain(if counts.hits == 1 { " hit" } else { " hits" })
        .dim(" · ")
        .number(human_count(counts.disk_hits))
        .plain(" from disk")
        .dim(" · ")
        .number(human_count(counts.misses))
        .plain(" compiled in ")
        .number(format!("{:.1} ms", counts.compile_ms))
        .newline();
    let Some(DiskUsage { folder, files, bytes }) = gpu.disk_usage() else {
        return markup.dim("nothing is kept on disk: GENESIS_KERNEL_CACHE_DIR names no folder");
    };
    markup
        .plain("on disk ")
        .number(human_count(files as u64))
        .plain(if files == 1 { " kernel, " } else { " kernels, " })
        .number(human_bytes(bytes))
        .dim(format!(" in {}", folder.display()))
}

fn clear(gpu: &CudaBackend) -> Markup {
    let Some(removed) = gpu.clear_disk() else {
        return Markup::new().dim("nothing is kept on disk");
    };
    let kernels = if removed == 1 { " kernel" } else { " kernels" };
    let removed = Markup::new().number(human_count(removed as u64)).plain(kernels);
    removed.plain(" removed from disk").dim("; what is loaded stays")
}

/// The text of a kernel, by its number or its name.
fn source(gpu: &CudaBackend, word: Word<'_>) -> SourceResult<Markup> {
    let kernels = gpu.kernel_list();
    if let Ok(number) = word.text.parse::<usize>() {
        let kernel = number.checked_sub(1).and_then(|at| kernels.get(at));
        return kernel.map(text).ok_or_else(|| {
            let message = format!("there is no kernel {number}: the list has {}", kernels.len());
            Box::new(Diagnostic::new(ErrorKind::Value, word.span, message))
        });
    }
    let named: Vec<(usize, &KernelInfo)> =
        kernels.iter().enumerate().filter(|(_, kernel)| kernel.name == word.text).collect();
    let Some((_, first)) = named.first() else {
        let message = format!("no kernel is called `{}`", word.text);
        let diagnostic = Diagnostic::new(ErrorKind::Name, word.span, message);
        let known = kernels.iter().map(|kernel| kernel.name.as_str());
        return Err(Box::new(match did_you_mean(word.text, known) {
            Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
            None => diagnostic.with_hint("`:kernels` alone lists them"),
        }));
    };
    let mut markup = text(first);
    if named.len() > 1 {
        let numbers: Vec<String> = named.iter().map(|(at, _)| (at + 1).to_string()).collect();
        let words = format!("{} variants: `:kernels` {}", named.len(), numbers.join(", "));
        markup = markup.newline().hint(words);
    }
    Ok(markup)
}

fn text(kernel: &KernelInfo) -> Markup {
    let mut head = kernel.name.clone();
    if !kernel.macros.is_empty() {
        head = format!("{head} with {}", kernel.macros);
    }
    Markup::new()
        .dim(format!("// {head}: {}", counted(kernel.registers, "register")))
        .newline()
        .plain(kernel.text.trim_end())
}
