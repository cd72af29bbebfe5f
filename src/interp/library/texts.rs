//! The texts, and what stands in them, as far as it can be seen without reading them whole.

use crate::interp::value::Module;
use crate::syntax::ast::Ident;

/// A module's text, or one of several.
pub struct Text {
    pub module: Module,
    /// Its file's name, without the ending.
    pub name: &'static str,
    /// The variable of its module that is bound once all of it has run; no program can name it.
    pub mark: &'static str,
    pub text: &'static str,
}

/// Declares the texts, each by its file's name.
macro_rules! texts {
    ($($module:ident $($name:literal)*;)*) => {
        &[$($(Text {
            module: Module::$module,
            name: $name,
            mark: concat!("<", $name, ">"),
            text: include_str!(concat!($name, ".py")),
        },)*)*]
    };
}

/// All texts, each beside what the registry holds of the same module. Not inlined: what a constant holds
/// would stand in the program once for each place that names it, and these are 800 KB.
#[inline(never)]
pub fn texts() -> &'static [Text] {
    TEXTS
}

const TEXTS: &[Text] = texts! {
    Abc "abc";
    Argparse "argparse" "argparse_parser";
    Bisect "bisect";
    Blocks "linalg_blocks" "linalg_complex";
    Builtins "groups";
    Calendar "calendar";
    Collections "collections";
    CollectionsAbc "collections_abc" "collections_kinds";
    Contextlib "contextlib";
    Csv "csv";
    Dataclasses "dataclasses";
    Datetime "datetime" "datetime_times";
    Emath "emath";
    Enum "enum";
    Fft "fft";
    Fnmatch "fnmatch";
    Fractions "fractions";
    Functools "functools";
    Gc "gc";
    Gguf "gguf";
    Glob "glob";
    Heapq "heapq";
    Inspect "inspect";
    Io "io";
    Ipython "ipython";
    IpythonDisplay "ipython_display";
    Json "json";
    Keyword "keyword";
    Linalg "linalg";
    Logging "logging" "logging_loggers";
    Matplotlib "matplotlib/matplotlib";
    MlDtypes "ml_dtypes";
    Numbers "numbers";
    Operator "operator";
    Os "os";
    Path "path";
    Pathlib "pathlib";
    Platform "platform";
    Pprint "pprint";
    Random "random/streams" "random/parameters" "random/continuous" "random/discrete" "random/order" "random/generator"
        "random/legacy";
    Re "re";
    StandardRandom "system_random";
    Statistics "statistics";
    Strings "string";
    Sys "sys";
    Textwrap "textwrap";
    Time "time";
    Timeit "timeit";
    Torch "torch" "torch_files";
    Traceback "traceback";
    Types "types";
    Typing "typing";
    Warnings "warnings";
    Numpy "numpy/arrays" "numpy/buffers" "numpy/checkpoints" "numpy/columns" "numpy/contraction" "numpy/files" "numpy/flat" "numpy/float_errors" "numpy/grids"
        "numpy/histograms" "numpy/iteration" "numpy/kinds" "numpy/mapping" "numpy/methods" "numpy/padding" "numpy/partial" "numpy/places" "numpy/polynomials" "numpy/printing" "numpy/products"
        "numpy/quantiles" "numpy/sets" "numpy/signals" "numpy/spaces" "numpy/special" "numpy/standard" "numpy/tables" "numpy/ufuncs" "numpy/windows";
    Exceptions "exceptions";
    NumpyVersion "version";
    Polynomial "polynomial";
    PowerSeries "power_series" "power_series_grids" "power_series_families";
    ChebyshevSeries "chebyshev";
    HermiteSeries "hermite";
    HermiteESeries "hermite_e";
    LaguerreSeries "laguerre";
    LegendreSeries "legendre";
    Pyplot "matplotlib/pyplot" "matplotlib/figure" "matplotlib/axes" "matplotlib/axis" "matplotlib/styles" "matplotlib/marks" "matplotlib/current";
    Safetensors "safetensors";
    StrideTricks "stride_tricks";
    Testing "testing";
};

impl Text {
    /// What its functions are about, where its module has several texts.
    pub fn topic(&self) -> &'static str {
        self.name.split_once('/').map_or("", |(_, topic)| topic)
    }

    /// What it is called where a place in it is shown.
    pub fn source_name(&self) -> String {
        match self.topic() {
            "" => format!("<{}>", self.module.name()),
            topic => format!("<{}/{topic}>", self.module.name()),
        }
    }

    /// The names that it binds, those with an underscore in front, too.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.text.lines().flat_map(bound_by)
    }

    /// How a function is called, `f(a, b=2)`, from the line of its `def`; nothing for other names.
    pub fn signature(&self, name: &str) -> Option<String> {
        let start = |at: usize| at == 0 || self.text.as_bytes()[at - 1] == b'\n';
        let head = format!("def {name}(");
        let (at, _) = self.text.match_indices(&head).find(|(at, _)| start(*at))?;
        let rest = &self.text[at + "def ".len()..];
        let words: Vec<&str> = rest[..rest.find("):\n")? + 1].split_whitespace().collect();
        Some(words.join(" ").replace("( ", "("))
    }
}

/// What a line at the left edge binds: a function, a class, or names that are assigned to.
fn bound_by(line: &'static str) -> impl Iterator<Item = &'static str> {
    let defined = line.strip_prefix("def ").or_else(|| line.strip_prefix("class "));
    let defined = defined.and_then(|rest| rest.split(['(', ':']).next());
    let is_name = |text: &str| {
        text.chars().all(|c| c.is_alphanumeric() || c == '_')
            && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    let behind = line.split(" = ").count() - 1;
    let targets = line.split(" = ").take(behind);
    let targets = targets.take_while(move |target| target.split(", ").all(is_name));
    defined.into_iter().chain(targets.flat_map(|target| target.split(", ")))
}

/// Where a module's names stand: each with the number of its text, in the order of the alphabet.
pub fn index(module: Module) -> Vec<(Ident, usize)> {
    let texts = texts().iter().enumerate().filter(|(_, text)| text.module == module);
    let names = texts.flat_map(|(at, text)| text.names().map(move |name| (Ident::from(name), at)));
    let mut names: Vec<_> = names.collect();
    names.sort();
    names.dedup_by(|later, first| later.0 == first.0);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Source, SourceId};
    use crate::syntax::ast::{Expr, ExprKind, Stmt, StmtKind};
    use crate::syntax::{self, CellItem};

    fn bound_in(stmt: &Stmt) -> Vec<String> {
        fn names(target: &Expr) -> Vec<String> {
            match &target.node {
                ExprKind::Name(name) => vec![name.to_string()],
                ExprKind::Tuple(parts) => parts.iter().flat_map(names).collect(),
                _ => Vec::new(),
            }
        }
        match &stmt.node {
            StmtKind::Def(function) => vec![function.name.node.to_string()],
            StmtKind::Class(class) => vec![class.name.node.to_string()],
            StmtKind::Assign { targets, .. } => targets.iter().flat_map(names).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn names_are_seen_as_the_parser_sees_them() {
        for text in texts() {
            let source = Source::new(SourceId::default(), text.name, text.text);
            let cell = syntax::parse_cell(&source);
            let cell =
                cell.unwrap_or_else(|e| panic!("{}: {} at {:?}", text.name, e.message, e.span));
            let statements = cell.items.iter().filter_map(|item| match item {
                CellItem::Stmt(stmt) => Some(stmt),
                _ => None,
            });
            let parsed: Vec<String> = statements.flat_map(bound_in).collect();
            let seen: Vec<&str> = text.names().collect();
            assert_eq!(seen, parsed, "{}", text.name);
        }
    }

    #[test]
    fn no_two_texts_of_a_module_bind_the_same_name() {
        for module in Module::ALL.iter().copied() {
            let texts = texts().iter().filter(|text| text.module == module);
            let several = texts.flat_map(|text| {
                let mut names: Vec<&str> = text.names().collect();
                names.sort_unstable();
                names.dedup();
                names
            });
            assert_eq!(several.count(), index(module).len(), "{}", module.name());
        }
    }

    #[test]
    fn signatures_are_those_of_the_text() {
        let text = texts().iter().find(|text| text.name == "heapq").expect("a text");
        assert_eq!(text.signature("heappush").as_deref(), Some("heappush(heap, item)"));
        assert_eq!(text.signature("heap"), None);
    }
}
