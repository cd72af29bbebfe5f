//! `genesis-repl`: type NumPy, see tensors and their memory.

use std::process::ExitCode;

fn main() -> ExitCode {
    genesis_repl::repl::main()
}
