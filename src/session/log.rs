//! What was run so far: which statement made which name, and the session as a program.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::{Config, Executed, Failed, SETTINGS, Session};
use crate::diag::{Source, SourceId};
use crate::memory::{Asked, Snapshot, StatementId};
use crate::syntax::ast::{Expr, ExprKind, ImportName, ImportNames, Stmt, StmtKind};
use crate::syntax::{self, TokenClass};

impl Session {
    /// For each name the statement that bound it last. Names that were deleted since are among
    /// them.
    pub(super) fn makers(&self) -> HashMap<String, &Executed> {
        let mut makers = HashMap::new();
        for executed in self.executed.iter().filter(|executed| executed.statement.is_some()) {
            let source = Source::new(SourceId::default(), "", &*executed.text);
            let Ok(module) = syntax::parse(&source) else { continue };
            for name in module.body.iter().flat_map(bound_names) {
                makers.insert(name.to_string(), executed);
            }
        }
        makers
    }

    /// The input that a statement of the allocator's belongs to, as far as it is known.
    pub(super) fn input_of(&self, statement: StatementId) -> Option<usize> {
        let statement = self.room.makers().statement_of(statement);
        let found = self.executed.iter().rev().find(|e| e.statement == Some(statement));
        found.map(|executed| executed.number)
    }

    /// The text of a statement or a line, as far as it is known.
    pub(super) fn text_of(&self, id: StatementId) -> Option<String> {
        self.room.makers().text_of(id).map(|text| text.to_string())
    }

    /// Statements that asked for nothing themselves and ran the lines that did, with the time beside those.
    pub(super) fn runners(&self, snapshot: &Snapshot, asked: &[Asked]) -> Vec<Asked> {
        let makers = self.room.makers();
        let found: BTreeSet<StatementId> =
            asked.iter().map(|asked| makers.statement_of(asked.statement)).collect();
        let (allocations, bytes, at_once, live) = Default::default();
        let times = found.into_iter().filter_map(|id| Some((id, *snapshot.times_us.get(&id)?)));
        let told: HashSet<StatementId> = asked.iter().map(|asked| asked.statement).collect();
        let runners = times.filter(|(id, _)| !told.contains(id));
        runners
            .map(|(statement, time_us)| Asked {
                statement,
                allocations,
                bytes,
                at_once,
                live,
                time_us,
            })
            .collect()
    }

    /// Notes a command that statements after it depend on.
    pub(super) fn log_command(&mut self, text: &str) {
        let number = self.next.saturating_sub(1);
        let (text, statement) = (Rc::from(text), None);
        let (is_result, failed) = (false, None);
        self.executed.push(Executed { number, statement, text, is_result, failed });
    }

    /// The choices at present, with those that the language's own functions changed.
    pub(super) fn settings(&self) -> Config {
        let mut config = self.config.clone();
        config.print = self.interp.print_options.borrow().clone();
        config.default_float = self.engine().default_float();
        config.fusion = self.engine().fusion();
        config.profiling = self.engine().profiling();
        config.print.default_float = self.config.print.default_float;
        config
    }

    /// The session as a program: what it was opened with, the seed, and all that ran. It runs in a new
    /// session and gives the same variables, also where statements asked for results, as `_2`.
    pub(super) fn to_program(&self) -> String {
        let mut program =
            concat!("# saved by genesis-repl ", env!("CARGO_PKG_VERSION"), "\n").to_string();
        let usual = Config::default();
        for setting in SETTINGS {
            let value = (setting.get)(&self.desk.opened);
            if value == (setting.get)(&usual) {
                continue;
            }
            // Simulated GPUs can be opened later, too.
            if setting.name == "simulate" {
                program += &format!(":device simulate {value}\n");
                continue;
            }
            // What only holds from the start is said to the reader.
            let mark = if setting.is_live() { "" } else { "# opened with " };
            program += &format!("{mark}:set {} {value}\n", setting.name);
        }
        program += "seed(0)\n";
        let mut results = Results::asked_for(&self.executed);
        if results.in_out {
            program += "Out = {}\n";
        }
        for executed in &self.executed {
            program += &self.inputs.assignments(executed.number, &executed.text);
            match executed.failed {
                None if executed.is_result && results.are_asked_for() => {
                    results.assign(executed, &mut program);
                }
                None => program += &executed.text,
                Some(Failed::Error) => program += &failing(&executed.text),
                Some(Failed::Stopped) => program += &stopped(&executed.text),
            }
            program.push('\n');
        }
        program
    }
}

/// A statement that fails when parts of it are done: it does so again, and the program goes on.
fn failing(text: &str) -> String {
    let mut program = "try:\n".to_owned();
    let mut strings = syntax::highlight(text);
    strings.retain(|(_, class)| *class == TokenClass::String);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        // A line inside a text begins with the text's own blanks.
        let is_inside = strings.iter().any(|(range, _)| range.start < at && at < range.end);
        if !is_inside && !line.trim().is_empty() {
            program += "    ";
        }
        program += line;
        at += line.len();
    }
    program + "\nexcept Exception:\n    pass  # it failed here, too"
}

/// A statement that was stopped when parts of it were done, which no program does again.
fn stopped(text: &str) -> String {
    let lines = text.lines().map(|line| format!("\n# {line}"));
    format!("# stopped before its end, so that it is left out here:{}", lines.collect::<String>())
}

/// The names by which the statements of a session ask for its results. A program has no results, so
/// it gives them these names itself.
#[derive(Debug, Default)]
struct Results {
    /// `_3`
    numbers: HashSet<usize>,
    /// How many of `_`, `__` and `___` there must be.
    latest: usize,
    /// `Out`
    in_out: bool,
    /// Results so far, as many as `latest` needs to know.
    count: usize,
}

impl Results {
    /// A word inside a text may be one of an f-string, so it counts, too.
    fn asked_for(executed: &[Executed]) -> Results {
        let mut results = Results::default();
        let is_part = syntax::continues_name;
        let texts = executed.iter().flat_map(|executed| executed.text.split(|c| !is_part(c)));
        for word in texts {
            match word {
                "Out" => results.in_out = true,
                "_" | "__" | "___" => results.latest = results.latest.max(word.len()),
                _ => {
                    let digits = word.strip_prefix('_').unwrap_or_default();
                    results.numbers.extend(digits.parse::<usize>());
                }
            }
        }
        results
    }

    fn are_asked_for(&self) -> bool {
        self.in_out || self.latest > 0 || !self.numbers.is_empty()
    }

    /// A statement whose value is a result, as one that gives the value its names.
    fn assign(&mut self, executed: &Executed, program: &mut String) {
        let number = executed.number;
        if !self.in_out && self.latest == 0 && !self.numbers.contains(&number) {
            *program += &executed.text;
            return;
        }
        *program += &format!("_{number} = {}", executed.text);
        for (least, names) in [(3, "___ = __"), (2, "__ = _")] {
            if self.latest >= least && self.count + 1 >= least {
                *program += &format!("\n{names}");
            }
        }
        if self.latest > 0 {
            *program += &format!("\n_ = _{number}");
        }
        if self.in_out {
            *program += &format!("\nOut[{number}] = _{number}");
        }
        self.count += 1;
    }
}

/// The names that a statement binds, in its blocks, too, but not inside functions and classes.
pub(super) fn bound_names(statement: &Stmt) -> Vec<Rc<str>> {
    let mut names = Vec::new();
    bound_in(statement, &mut names);
    names
}

fn bound_in(statement: &Stmt, names: &mut Vec<Rc<str>>) {
    let imported = |import: &ImportName| {
        let path = &import.path.node;
        let root = || Rc::from(path.split('.').next().unwrap_or_default());
        import.alias.as_ref().map_or_else(root, |alias| alias.node.clone())
    };
    match &statement.node {
        StmtKind::Assign { targets, .. } | StmtKind::Del(targets) => {
            targets.iter().for_each(|target| collect(target, names));
        }
        StmtKind::AugAssign { target, .. } | StmtKind::AnnAssign { target, value: Some(_), .. } => {
            collect(target, names);
        }
        StmtKind::Import(imports)
        | StmtKind::ImportFrom { names: ImportNames::Names(imports), .. } => {
            names.extend(imports.iter().map(imported));
        }
        StmtKind::Def(function) => names.push(function.name.node.clone()),
        StmtKind::Class(class) => names.push(class.name.node.clone()),
        StmtKind::For { target, .. } => collect(target, names),
        StmtKind::With { items, .. } => {
            items.iter().filter_map(|item| item.target.as_ref()).for_each(|t| collect(t, names));
        }
        _ => {}
    }
    statement.node.blocks().into_iter().flatten().for_each(|inner| bound_in(inner, names));
}

fn collect(target: &Expr, names: &mut Vec<Rc<str>>) {
    match &target.node {
        ExprKind::Name(name) => names.push(name.clone()),
        ExprKind::Tuple(targets) | ExprKind::List(targets) => {
            targets.iter().for_each(|target| collect(target, names));
        }
        ExprKind::Starred(target) => collect(target, names),
        _ => {}
    }
}
