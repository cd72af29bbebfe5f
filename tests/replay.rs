//! Traces under other allocators: what files say, what is made of it, and what files must not do.

#[path = "replay/files.rs"]
mod files;
#[path = "replay/hostile.rs"]
mod hostile;
#[path = "replay/measured.rs"]
mod measured;
#[path = "replay/pickles.rs"]
mod pickles;
#[path = "replay/program.rs"]
mod program;
#[path = "replay/python.rs"]
mod python;
