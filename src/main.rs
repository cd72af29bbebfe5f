//! `genesis-repl`: type NumPy, see tensors and their memory.

use std::process::ExitCode;

use genesis_repl::memory::ProcessHeap;
use genesis_repl::repl;

#[global_allocator]
static HEAP: ProcessHeap = ProcessHeap;

fn main() -> ExitCode {
    let command = repl::command();
    #[cfg(feature = "jupyter")]
    let command = command.subcommand(genesis_repl::jupyter::command());
    let matches = match command.clone().try_get_matches() {
        Ok(matches) => matches,
        Err(told) => return repl::told(&told),
    };
    #[cfg(feature = "jupyter")]
    if let Some(("jupyter", matches)) = matches.subcommand() {
        return genesis_repl::jupyter::main(matches, &repl::configure);
    }
    repl::main(command, &matches)
}
