//! The table of commands, in the order of `:help`.

use super::{
    Argument, Command, chart, device, explain, files, help, inspect, kernels, memory, past,
    profile, set, time, view,
};

/// Every command.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        aliases: &["h", "?"],
        signature: ":help [NAME | functions | keys]",
        summary: "this list, or what a command or a function does",
        text: "NAME is a command, a function or a method of the library, or a setting.\n\
               `name?` in place of a statement shows the same, and `np.*sum*?` the names that fit.\n\
               functions           every function, by topic\n\
               keys                what the keys do (in a terminal)",
        argument: Argument::Topic,
        run: help::run,
    },
    Command {
        name: "mem",
        aliases: &["memory"],
        signature: ":mem [WHAT] [DEVICE]",
        summary: "the memory: totals, map, variables, caches",
        text: "DEVICE (`cpu`, `cuda:0`) is the current one unless given.",
        argument: Argument::Memory,
        run: memory::run,
    },
    Command {
        name: "who",
        aliases: &["whos", "vars"],
        signature: ":who [NAME…]",
        summary: "the variables: type, shape, bytes, device, and the statement that made each",
        text: "Results that `_` and `_1`, `_2` … hold are counted under the table.",
        argument: Argument::Variable,
        run: inspect::who,
    },
    Command {
        name: "type",
        aliases: &["t"],
        signature: ":type EXPRESSION",
        summary: "the type of an expression, without computing its elements",
        text: "",
        argument: Argument::Statement,
        run: inspect::type_of,
    },
    Command {
        name: "explain",
        aliases: &[],
        signature: ":explain STATEMENT",
        summary: "what a statement would do: its tree, indexes, programs, bytes and peak",
        text: "The statement is not run, and nothing changes. Work that does not fuse with its\n\
               neighbours (sorting, matrix products, masks) is done and thrown away, because what\n\
               follows depends on it.\n\
               An index is a VIEW (the same elements, nothing moves), a GATHER (elements are read\n\
               at computed places) or a COMPACT (what a mask of the same shape selects), and for\n\
               assignments a COPY, a FILL or a SCATTER.",
        argument: Argument::Statement,
        run: explain::run,
    },
    Command {
        name: "plot",
        aliases: &[],
        signature: ":plot [X,] Y[, Y…]",
        summary: "draws vectors as lines: one over its places, more over the first",
        text: "`:plot y` draws y[0], y[1] …; `:plot x, y, z` draws y and z over x. The columns of a\n\
               matrix are lines of their own. Long ones are drawn by means, with a band from the\n\
               smallest to the largest. Expressions count as run, as with `:time`.",
        argument: Argument::Statement,
        run: chart::plot,
    },
    Command {
        name: "hist",
        aliases: &["histogram"],
        signature: ":hist [-n BINS] EXPRESSION",
        summary: "draws how many elements fall in each of 20 bins, or of BINS",
        text: "Elements that are not finite are left out. The statements that ran so far are under\n\
               `:history`; the numbers come from `histogram(x, bins)`.",
        argument: Argument::Statement,
        run: chart::hist,
    },
    Command {
        name: "heat",
        aliases: &["image", "imshow"],
        signature: ":heat EXPRESSION",
        summary: "draws a matrix as a heat map",
        text: "Of more than two axes the last two are drawn, at the beginning of the others.",
        argument: Argument::Statement,
        run: chart::heat,
    },
    Command {
        name: "view",
        aliases: &[],
        signature: ":view EXPRESSION",
        summary: "walks through the slices of a tensor: values, heat map, statistics, search",
        text: "In a terminal it takes the whole screen until `q`: arrows move, `[` and `]` change the\n\
               slice, `?` lists the keys. Only what is seen is read, so that large tensors and\n\
               those of a checkpoint that is still in its file open at once. Ctrl-C stops a search or\n\
               statistics. In a notebook, a small tensor has sliders, which need no kernel, and a\n\
               large one controls that ask the kernel, where `anywidget` is installed beside JupyterLab;\n\
               elsewhere the first slice is shown.",
        argument: Argument::Statement,
        run: view::view,
    },
    Command {
        name: "time",
        aliases: &[],
        signature: ":time STATEMENT",
        summary: "runs a statement once: time, bytes allocated, peak",
        text: "The statement counts as run: its names stay.",
        argument: Argument::Statement,
        run: time::time,
    },
    Command {
        name: "timeit",
        aliases: &[],
        signature: ":timeit [-n N] [-r R] STATEMENT",
        summary: "the best time of many runs, and the memory of one",
        text: "R times (5 unless given) the statement is run N times in a row; without -n, as often\n\
               as fills a tenth of a second. It is parsed once. Names that it binds get their old\n\
               values back at the end; what it changes inside tensors and lists stays changed.",
        argument: Argument::Statement,
        run: time::timeit,
    },
    Command {
        name: "profile",
        aliases: &[],
        signature: ":profile start | stop [FILE] | show",
        summary: "statements, plans, kernels, copies and memory on one timeline",
        text: "start           notes what runs from here on; waits for GPUs after each statement\n\
               show            statements by their time, with the lines inside them, and what devices did\n\
               stop [FILE]     ends it; FILE (.json) is a trace that ui.perfetto.dev opens\n\
               Events of memory are in it as far as the history goes back, 100,000 at the least.",
        argument: Argument::Profile,
        run: profile::run,
    },
    Command {
        name: "kernels",
        aliases: &["kernel"],
        signature: ":kernels [KERNEL | clear] [DEVICE]",
        summary: "the kernels of a GPU: launches, compilation, registers, code; or one's source",
        text: "KERNEL is a name or a number of the list; it shows the CUDA C. `compiled` says what\n\
               NVRTC took, or that the code was found on disk. `local` is memory of a thread that\n\
               did not fit its registers. `rate` is known of kernels that ran while\n\
               `:set profiling on` held: bytes that had to move, in the time that it took.\n\
               `clear` empties the cache on disk, which GENESIS_KERNEL_CACHE_DIR places.",
        argument: Argument::Kernels,
        run: kernels::run,
    },
    Command {
        name: "set",
        aliases: &[],
        signature: ":set [NAME [VALUE]]",
        summary: "the settings: list, show one, change one",
        text: "`:set NAME default` takes a setting back. The configuration file takes the same\n\
               names and values.",
        argument: Argument::Setting,
        run: set::run,
    },
    Command {
        name: "device",
        aliases: &["devices"],
        signature: ":device [NAME | simulate SIZE]",
        summary: "the devices, or moves new tensors to another",
        text: "Tensors that exist stay where they are; `x.to('cuda:0')` copies one. A GPU opens when it\n\
               is first needed. The list says which libraries of NVIDIA's were found, and where.\n\
               `simulate 8GiB` opens a simulated GPU of that size, `2x8GiB` two, and moves new\n\
               tensors to the first: memory runs out there as it would on a real one. Simulated GPUs of\n\
               these sizes that are open already are taken instead of new ones.",
        argument: Argument::Device,
        run: device::run,
    },
    Command {
        name: "load",
        aliases: &["run"],
        signature: ":load FILE",
        summary: "runs a program in this session",
        text: "The first error ends the program; what ran before it stays.",
        argument: Argument::File,
        run: files::load,
    },
    Command {
        name: "save",
        aliases: &[],
        signature: ":save [-f] FILE",
        summary: "writes the session as a program that runs again",
        text: "The statements that succeeded, in order, with the seed and the settings that are not\n\
               the usual ones. -f overwrites a file that exists.",
        argument: Argument::File,
        run: files::save,
    },
    Command {
        name: "history",
        aliases: &["hi"],
        signature: ":history [N | states]",
        summary: "the statements that succeeded so far, or the last N",
        text: "`states` lists the inputs that `:undo` and `:redo` reach, and what each keeps.",
        argument: Argument::Nothing,
        run: files::history,
    },
    Command {
        name: "undo",
        aliases: &[],
        signature: ":undo [N]",
        summary: "takes the last input back that changed something, or the last N",
        text: "Variables, lists, tensors, results, the random stream and how things print are again\n\
               what they were before it, bit for bit. Nothing is computed or copied. Inputs that failed\n\
               or only showed something are none; files, settings and devices stay as they are. What is kept\n\
               for it does not count as live, and goes, the oldest first, when memory is wanted, when\n\
               `:set undo_memory` says so, and with `:mem trim`. `:history states` lists the inputs.",
        argument: Argument::Nothing,
        run: past::undo,
    },
    Command {
        name: "redo",
        aliases: &[],
        signature: ":redo [N]",
        summary: "does the last input again that `:undo` took back, or the last N",
        text: "Nothing is computed or copied: what the input changed is again as it left it. An input\n\
               that changes something ends that.",
        argument: Argument::Nothing,
        run: past::redo,
    },
    Command {
        name: "reset",
        aliases: &[],
        signature: ":reset [-f]",
        summary: "forgets variables, results and the random stream, and frees their memory",
        text: "Settings stay. It can't be undone. It never asks: -f is taken for those who are used to it.",
        argument: Argument::Nothing,
        run: files::reset,
    },
    Command {
        name: "clear",
        aliases: &["cls"],
        signature: ":clear",
        summary: "clears the screen, or what a notebook's cell has shown so far",
        text: "",
        argument: Argument::Nothing,
        run: |call| {
            call.no_arguments()?;
            call.sink.clear(false);
            Ok(())
        },
    },
    Command {
        name: "quit",
        aliases: &["q", "exit"],
        signature: ":quit",
        summary: "leaves",
        text: "So do Ctrl-D, `exit`, `quit()` and `exit(STATUS)`.",
        argument: Argument::Nothing,
        run: |call| {
            call.no_arguments()?;
            call.quit = Some(0);
            Ok(())
        },
    },
];
