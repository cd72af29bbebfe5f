//! What a report looks like in a notebook: the one place that chooses representations.

use jupyter_protocol::{Media, MediaType};
use serde_json::json;

use crate::report::{Form, Report};

use super::ansi;

/// Every representation of a report that goes into a notebook.
pub fn bundle(report: &Report) -> Media {
    result(report).0
}

/// The same for what is replaced again and again. While it `is_running`, the page says when nothing new
/// has come for long: front ends that restart a kernel take nothing more from the old one.
pub fn passing(report: &Report, is_running: bool) -> Media {
    let html = report.to_passing_html(is_running);
    Media::new(vec![MediaType::Plain(report.to_plain()), MediaType::Html(html)])
}

/// A cell's result and its text. The text is whole however long it is; the page may show only the
/// beginning (`report/html/text.rs`).
pub fn result(report: &Report) -> (Media, String) {
    let text = report.to_plain();
    if let Report::Rich(rich) = report {
        let forms = rich.forms.iter().map(|(form, content)| medium(*form, content.clone()));
        let media = std::iter::once(MediaType::Plain(text.clone())).chain(forms).collect();
        return (Media::new(media), text);
    }
    let media = vec![MediaType::Plain(text.clone()), MediaType::Html(report.to_html())];
    (Media::new(media), text)
}

fn medium(form: Form, content: String) -> MediaType {
    match form {
        Form::Html => MediaType::Html(content),
        Form::Markdown => MediaType::Markdown(content),
        Form::Latex => MediaType::Latex(content),
        Form::Svg => MediaType::Svg(content),
        Form::Png => MediaType::Png(content),
        Form::Jpeg => MediaType::Jpeg(content),
    }
}

/// The model of an open comm, for front ends that have widgets.
pub fn widget(id: &str) -> MediaType {
    MediaType::WidgetView(json!({ "model_id": id, "version_major": 2, "version_minor": 1 }))
}

/// The same for a pager or a tooltip, which show escape sequences and store nothing.
pub fn page(report: &Report) -> Media {
    let text = match report {
        Report::Text(markup) => ansi::render(markup),
        other => other.to_plain(),
    };
    Media::new(vec![MediaType::Plain(text)])
}

/// Text that is nothing else.
pub fn text(text: String) -> Media {
    Media::new(vec![MediaType::Plain(text)])
}
