//! How far a cell's work is: one place of its output, replaced until the work ends. Any thread may replace it.

use std::sync::Arc;

use jupyter_protocol::{DisplayData, Header, Media, Transient, UpdateDisplayData};

use super::display;
use super::wire::Outbox;
use crate::session::Progress;

#[derive(Debug)]
pub struct Bar {
    outbox: Arc<Outbox>,
    header: Header,
    /// Whether the place is there, and whether something stands in it.
    is_placed: bool,
    is_shown: bool,
}

impl Bar {
    pub fn new(outbox: Arc<Outbox>, header: Header) -> Bar {
        Bar { outbox, header, is_placed: false, is_shown: false }
    }

    pub fn show(&mut self, progress: &Progress) {
        let (outbox, header) = (&self.outbox, &self.header);
        let id = format!("genesis-progress-{}", header.msg_id);
        // What is done is no longer of interest: its place is empty, as in a terminal.
        if progress.is_over {
            if std::mem::take(&mut self.is_shown) {
                outbox.forget(&id);
                outbox.update(UpdateDisplayData::new(Media::default(), &id), header);
            }
            return;
        }
        let data = display::passing(&progress.to_markup().into(), true);
        if std::mem::replace(&mut self.is_placed, true) {
            outbox.update(UpdateDisplayData::new(data, &id), header);
        } else {
            let mut shown = DisplayData::new(data);
            shown.transient = Some(Transient { display_id: Some(id.clone()) });
            outbox.tell(shown, header);
        }
        if !std::mem::replace(&mut self.is_shown, true) {
            let header = header.clone();
            outbox.remember(&id.clone(), move |outbox| {
                outbox.update(UpdateDisplayData::new(Media::default(), &id), &header);
            });
        }
    }
}
