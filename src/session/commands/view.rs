//! `:view`.

use super::Call;
use super::chart::evaluate;
use crate::diag::{At, Fault, SourceResult};
use crate::report::Report;
use crate::report::view::View;
use crate::session::memory_view::brief;
use crate::session::viewer::Viewed;

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
    let mut view = View::new(viewed.subject(title).at(subject.span)?);
    if !call.sink.view(&mut view, &mut viewed) {
        let slides = view.slides(&mut viewed, session.config().pictures).at(subject.span)?;
        call.show(Report::from(slides));
    }
    Ok(())
}
