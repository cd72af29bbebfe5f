//! Values as reports.

use super::world::Witness;
use super::{Session, Value};
use crate::dtype::DType;
use crate::interp::value::Key;
use crate::interp::{Evaluator, World, elements};
use crate::report::{
    ArrayReport, Group, Markup, Portrait, PrintOptions, Report, Stop, Window, format_repr,
    repr_of_words,
};
use crate::tensor::{Engine, Error, Glance, Sight, Tensor};

/// Tensors with fewer elements than this are seen at a glance and need no picture.
const MIN_PICTURED: usize = 8;

/// How deep into a container, and how many of its parts, a page shows one by one.
const MAX_DEPTH: usize = 4;
const MAX_PARTS: usize = 12;

impl Session {
    /// A value as a front end shows it: tensors under a header, everything else as its repr.
    pub fn display(&self, value: &Value) -> Report {
        let report = self.try_display(value);
        report.unwrap_or_else(|error| Report::Text(Markup::new().error(error.to_string())))
    }

    /// # Errors
    /// What comes up where a tensor's elements are waited for, computed and read.
    pub(super) fn try_display(&self, value: &Value) -> Result<Report, Error> {
        if !self.config.header {
            return self.quiet().try_repr(value).map(Report::plain);
        }
        match value {
            Value::Tensor(tensor) => {
                let (evaluator, pictures) = (self.quiet(), self.config.pictures);
                let options = evaluator.print_options();
                let asked = Some(&evaluator);
                let mut reports =
                    tensor_reports(self.engine(), &[tensor], &options, pictures, asked)?;
                Ok(Report::Array(reports.remove(0)))
            }
            _ if self.config.pictures => self.group(value),
            _ => self.quiet().try_pretty(value).map(Report::plain),
        }
    }

    /// What a figure looks like, where a front end shows more of a value than its repr.
    ///
    /// # Errors
    /// As [`Session::try_display`].
    pub(super) fn picture(&self, value: &Value) -> Result<Option<Report>, Error> {
        if !self.config.header {
            return Ok(None);
        }
        let seen = Witness::default();
        let world: &dyn World = &seen;
        let evaluator = Evaluator { interp: &self.interp, world: &world };
        if !evaluator.show_figure(value)? && self.config.pictures {
            return Ok(evaluator.rich(value)?.map(Report::Rich));
        }
        let mut seen = seen.0.into_inner();
        Ok(if seen.len() > 1 { Some(Report::Stack(seen)) } else { seen.pop() })
    }

    /// A container of tensors as what it holds, where a front end shows pages; anything else as its
    /// repr.
    fn group(&self, value: &Value) -> Result<Report, Error> {
        let mut parts = Vec::new();
        let more = self.parts(value, String::new(), 0, &mut parts);
        let tensors: Vec<&Tensor> = parts.iter().filter_map(|(_, part)| tensor_of(part)).collect();
        let text = self.quiet().try_pretty(value)?;
        if tensors.is_empty() {
            return Ok(Report::plain(text));
        }
        let options = self.quiet().print_options();
        let evaluator = self.quiet();
        let reports = tensor_reports(self.engine(), &tensors, &options, true, Some(&evaluator))?;
        let mut reports = reports.into_iter();
        let mut entries = Vec::with_capacity(parts.len());
        for (label, part) in &parts {
            let report = match tensor_of(part).and_then(|_| reports.next()) {
                Some(array) => Report::Array(array),
                None => Report::plain(self.quiet().try_repr(part)?),
            };
            entries.push((label.clone(), report));
        }
        Ok(Report::Group(Group { text, entries, more }))
    }

    /// Takes down what a container holds, with the way to each part; returns how many parts there
    /// was no room for.
    fn parts(
        &self,
        value: &Value,
        path: String,
        depth: usize,
        found: &mut Vec<(String, Value)>,
    ) -> usize {
        let items: Vec<(String, Value)> = match value {
            _ if depth >= MAX_DEPTH => Vec::new(),
            Value::Tuple(items) => numbered(items),
            Value::List(items) => numbered(&items.borrow()),
            Value::Dict(entries) => {
                let entries = entries.borrow();
                let part = |(key, item): (&Key, &Value)| (self.repr(key.value()), item.clone());
                entries.iter().map(part).collect()
            }
            _ => Vec::new(),
        };
        if items.is_empty() {
            let has_room = found.len() < MAX_PARTS;
            if has_room && depth > 0 {
                found.push((path, value.clone()));
            }
            return usize::from(!has_room);
        }
        let deeper = |(at, item)| self.parts(&item, format!("{path}[{at}]"), depth + 1, found);
        items.into_iter().map(deeper).sum()
    }

    /// A value as its repr alone.
    pub fn repr(&self, value: &Value) -> String {
        self.quiet().repr(value)
    }
}

fn numbered(items: &[Value]) -> Vec<(String, Value)> {
    items.iter().enumerate().map(|(at, item)| (at.to_string(), item.clone())).collect()
}

fn tensor_of(value: &Value) -> Option<&Tensor> {
    match value {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    }
}

/// A tensor under its header; with what a page draws if `pictures`.
pub(super) fn tensor_report(
    engine: &Engine,
    tensor: &Tensor,
    options: &PrintOptions,
    pictures: bool,
) -> Result<ArrayReport, Error> {
    Ok(tensor_reports(engine, &[tensor], options, pictures, None)?.remove(0))
}

/// The same for several, which are read together; `asked` runs a program's functions that
/// write elements.
fn tensor_reports(
    engine: &Engine,
    tensors: &[&Tensor],
    options: &PrintOptions,
    pictures: bool,
    asked: Option<&Evaluator<'_>>,
) -> Result<Vec<ArrayReport>, Error> {
    let sights = tensors.iter().map(|tensor| Sight {
        // A table has room for this many; a picture shows the rest.
        is_drawn: pictures && !Portrait::shows_all(tensor.shape(), options),
        is_pictured: tensor.elem_count() >= MIN_PICTURED && tensor.dtype() != DType::Bool,
        window: Window::of(tensor.shape(), options),
        tensor,
    });
    let seen = engine.glance(&sights.collect::<Vec<_>>())?;
    let stop = Stop::by(engine.interrupt().flag());
    let options = &PrintOptions { stop, ..options.clone() };
    let report = |(glance, tensor): (Glance, &&Tensor)| {
        let found = elements(&glance.elements);
        let portrait = pictures.then(|| {
            let portrait = Portrait::new(tensor.shape(), &found, options);
            Box::new(Portrait { chart: glance.chart, ..portrait })
        });
        let device = tensor.device();
        let simulated = if device.is_simulated() { " (simulated)" } else { "" };
        let words = match asked {
            Some(evaluator) if !tensor.is_scalar() => evaluator.words_of(&found)?,
            _ => None,
        };
        let text = match words {
            Some(words) => repr_of_words(tensor.shape(), tensor.dtype(), &words, options),
            None => format_repr(tensor.shape(), &found, options),
        };
        Ok(ArrayReport {
            dtype: tensor.dtype(),
            shape: tensor.shape().clone(),
            device: format!("{}{simulated}", device.id()),
            bytes: tensor.size_bytes() as u64,
            summary: glance.summary,
            elapsed: None,
            text,
            portrait,
        })
    };
    let reports = seen.into_iter().zip(tensors).map(report).collect::<Result<_, Error>>()?;
    engine.interrupt().heed()?;
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Config, Nobody, Sink};

    #[test]
    fn tensors_in_containers_and_figures_show_themselves() {
        let config = Config { pictures: true, ..Config::default().with_device("cpu").unwrap() };
        let mut session = Session::new(config).unwrap();
        let mut show = |text: &str| {
            let mut outcome = session.run(text, &mut Nobody);
            session.show(&mut outcome).unwrap()
        };
        let report = show("(arange(3.), {'w': [ones(2, 2), 7]}, 'x')");
        let Report::Group(group) = &report else { panic!("{report:?}") };
        let labels: Vec<&str> = group.entries.iter().map(|(label, _)| &**label).collect();
        assert_eq!(labels, ["[0]", "[1]['w'][0]", "[1]['w'][1]", "[2]"]);
        assert!(
            report.to_plain().starts_with("(array([0., 1., 2.]),\n {'w': ["),
            "{}",
            report.to_plain()
        );
        let html = report.to_html();
        assert_eq!(html.matches("<table").count(), 2, "{html}");
        assert!(html.contains("<b>[1][&#39;w&#39;][0]</b>"), "{html}");
        let Report::Group(group) = show("[ones(2)] * 50") else { panic!() };
        assert_eq!((group.entries.len(), group.more), (MAX_PARTS, 50 - MAX_PARTS));
        assert!(matches!(show("[1, 2]"), Report::Text(_)));
        let figure =
            "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nfig";
        assert!(matches!(show(figure), Report::Figure(_)));
        assert!(matches!(show("fig"), Report::Figure(_)));
        assert!(matches!(show("[fig]"), Report::Text(_)));
        assert!(matches!(show("plt.figure()"), Report::Text(_)));
        assert!(matches!(show("l = [ones(1)]; l.append(l); l"), Report::Group(_)));
        let own = "class A:\n    def _repr_html_(self): return '<i>a</i>'\n    def __repr__(self): return 'an A'\nA()";
        let Report::Rich(rich) = show(own) else { panic!() };
        assert_eq!((&*rich.text, rich.element().as_deref()), ("an A", Some("<i>a</i>")));
    }

    /// Hears what a program shows, a line each, and what takes it away.
    #[derive(Default)]
    struct Shown(Vec<String>);

    impl Sink for Shown {
        fn text(&mut self, text: &str) {
            self.0.push(text.trim_end().to_owned());
        }

        fn report(&mut self, report: &Report) {
            let forms = match report {
                Report::Rich(rich) => format!(" {:?}", rich.forms),
                _ => String::new(),
            };
            self.0.push(report.to_plain() + &forms);
        }

        fn clear(&mut self, wait: bool) {
            self.0.push(format!("clear {wait}"));
        }
    }

    #[test]
    fn programs_show_values_in_the_middle_of_a_cell() {
        let mut session = Session::new(Config::default().with_device("cpu").unwrap()).unwrap();
        let mut run = |text: &str| {
            let mut shown = Shown::default();
            let outcome = session.run(text, &mut shown);
            (shown.0.join("|"), outcome.error.map(|error| error.message))
        };
        assert_eq!(run("display(arange(3), [1], 'a')").0, "array([0, 1, 2])|[1]|'a'");
        let imports = "from IPython.display import display, HTML, Markdown, Latex, Math, SVG, Image, clear_output";
        assert_eq!(run(imports), (String::new(), None));
        let page = "<IPython.core.display.HTML object> [(Html, \"<b>x</b>\")]";
        assert_eq!(run("display(HTML('<b>x</b>'))").0, page);
        assert_eq!(run("print(1)\ndisplay(2, clear=True)").0, "1|clear true|2");
        assert_eq!(run("clear_output()").0, "clear false");
        assert!(
            run("display(Markdown('# a'), Math('x'))")
                .0
                .contains("[(Latex, \"$\\\\displaystyle x$\")]")
        );
        let class = "class R:\n    def _repr_html_(self): return None\n    def _repr_svg_(self): return '<svg/>', {}\n    def __repr__(self): return 'R'";
        assert_eq!(run(&format!("{class}\ndisplay(R())")).0, "R [(Svg, \"<svg/>\")]");
        let broken = "class B:\n    def _repr_html_(self): return 1 / 0\ndisplay(B())";
        assert_eq!(run(broken).1.as_deref(), Some("division by zero"));
        assert!(run("Image('no such picture.png')").1.unwrap().contains("No such file"));
        assert!(run("HTML(3)").1.unwrap().contains("expects text"));
        assert!(run("display(1, display_id=True)").1.unwrap().contains("clear_output"));
        let figure = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\ndisplay(fig)";
        assert!(run(figure).0.lines().count() > 5);
    }
}
