//! `:view`.

use super::Call;
use super::chart::{Subject, evaluate};
use crate::diag::{At, Fault, SourceResult};
use crate::report::Report;
use crate::report::view::View;
use crate::session::LastingView;
use crate::session::lasting::is_path;
use crate::session::memory_view::brief;
use crate::session::viewer::Viewed;
use crate::syntax::ast::StmtKind;

/// Columns of a title that leave room for what is said behind it.
const TITLE: usize = 36;

pub fn view(call: &mut Call<'_>) -> SourceResult<()> {
    let subject = evaluate(call, call.args.start as usize)?;
    let session = &*call.session;
    let Some(mut viewed) = Viewed::of(session, &subject.value).at(subject.span)? else {
        let found = subject.value.type_name();
        let fault = Fault::type_error(format!("expected a tensor to view, found {found}"));
        let hint = "what a container holds can be viewed: `:view x[0]`, `:view ck[\"name\"]`";
        return Err(fault.with_hint(hint)).at(subject.span);
    };
    let title = brief(&subject.text, TITLE);
    let mut view = View::new(viewed.subject(title.clone()).at(subject.span)?);
    if call.sink.view(&mut view, &mut viewed) {
        return Ok(());
    }
    let mut slides = view.slides(&mut viewed, session.config().pictures).at(subject.span)?;
    if slides.is_cut() && call.sink.has_lasting_views() {
        drop(viewed);
        if let Some(view) = lasting(call, subject, title)? {
            slides.has_controls = true;
            call.sink.lasting_view(view, &Report::from(slides));
            return Ok(());
        }
    }
    call.show(Report::from(slides));
    Ok(())
}

/// A view that finds its tensor again: by what stands in the text if that is a path, else as a result of the cell,
/// which can be deleted and goes where memory runs short. None where no results are kept.
fn lasting(
    call: &mut Call<'_>,
    subject: Subject,
    title: String,
) -> SourceResult<Option<LastingView>> {
    let statements = call.statements(call.args.start as usize)?;
    let is_path = statements.first().is_some_and(|statement| match &statement.node {
        StmtKind::Expr(expr) => is_path(expr),
        _ => false,
    });
    if is_path {
        return Ok(call.session.lasting_view(&subject.text, title));
    }
    let number = call.session.next_number().saturating_sub(1);
    call.session.remember(number, &subject.value);
    drop(subject);
    Ok(call.session.lasting_view(&format!("Out[{number}]"), title))
}
