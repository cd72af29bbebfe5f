//! Every `:command`, driven through a session without a terminal: good input, bad input, and the
//! promises that commands make about memory.

#[path = "commands/chart.rs"]
mod chart;
#[path = "commands/driver.rs"]
mod driver;
#[path = "commands/export.rs"]
mod export;
#[path = "commands/gpu.rs"]
mod gpu;
#[path = "commands/habits.rs"]
mod habits;
#[path = "commands/memory.rs"]
mod memory;
#[path = "commands/past.rs"]
mod past;
#[path = "commands/profile.rs"]
mod profile;
#[path = "commands/program.rs"]
mod program;
#[path = "commands/promises.rs"]
mod promises;
#[path = "commands/replay.rs"]
mod replay;
#[path = "commands/results.rs"]
mod results;
#[path = "commands/shortage.rs"]
mod shortage;
#[path = "commands/steer.rs"]
mod steer;
#[path = "commands/usage.rs"]
mod usage;
#[path = "commands/view.rs"]
mod view;
#[path = "commands/words.rs"]
mod words;
