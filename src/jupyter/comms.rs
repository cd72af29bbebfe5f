//! Comms: what front ends and the kernel say to each other beside cells. The kernel opens one for each view that goes
//! on after its cell; front ends open the one on which they ask for the states of all widgets.

use std::collections::BTreeMap;
use std::sync::Arc;

use jupyter_protocol::{
    CommClose, CommId, CommInfo, CommInfoReply, CommMsg, CommOpen, Header, ReplyStatus,
};
use serde_json::{Map, Value, json};

use crate::session::{LastingView, Session};

use super::widget::{self, Widget};
use super::wire::{self, Outbox};

/// What widgets are opened as, and the comm on which front ends ask for all of them.
const WIDGET: &str = "jupyter.widget";
const CONTROL: &str = "jupyter.widget.control";

/// The version of the widgets' protocol that is spoken here.
const PROTOCOL: &str = "2.1.0";

/// Front ends open one each time a page loads, and close it when they have read the answer.
const MAX_CONTROLS: usize = 64;

/// The comms that are open.
#[derive(Debug)]
pub struct Comms {
    outbox: Arc<Outbox>,
    widgets: BTreeMap<String, Widget>,
    controls: Vec<String>,
}

impl Comms {
    pub fn new(outbox: Arc<Outbox>) -> Comms {
        Comms { outbox, widgets: BTreeMap::new(), controls: Vec::new() }
    }

    /// Opens a comm for a view; its name.
    pub fn open(&mut self, view: LastingView, parent: &Header) -> String {
        let id = wire::fresh_id();
        let widget = Widget::new(view);
        let comm = CommOpen {
            comm_id: CommId(id.clone()),
            target_name: WIDGET.to_string(),
            data: object(json!({ "state": widget.state(), "buffer_paths": [] })),
            target_module: None,
        };
        self.outbox.open(comm, json!({ "version": PROTOCOL }), parent);
        self.widgets.insert(id.clone(), widget);
        id
    }

    /// A cell runs, which may write to what views have read.
    pub fn forget(&mut self) {
        self.widgets.values_mut().for_each(Widget::forget);
    }

    /// The comms that are open, or those with one target.
    pub fn info(&self, target: Option<&str>) -> CommInfoReply {
        let named = |ids: Vec<&String>, target_name: &str| {
            let info = CommInfo { target_name: target_name.to_string() };
            ids.into_iter().map(move |id| (CommId(id.clone()), info.clone())).collect::<Vec<_>>()
        };
        let mut comms = named(self.widgets.keys().collect(), WIDGET);
        comms.extend(named(self.controls.iter().collect(), CONTROL));
        comms.retain(|(_, info)| target.is_none_or(|target| info.target_name == target));
        CommInfoReply { status: ReplyStatus::Ok, comms: comms.into_iter().collect(), error: None }
    }

    /// A front end has opened one; what has no meaning here is closed again.
    pub fn opened(&mut self, comm: &CommOpen, parent: &Header) {
        let id = &comm.comm_id.0;
        let is_known = self.widgets.contains_key(id);
        if comm.target_name == CONTROL && !is_known && self.controls.len() < MAX_CONTROLS {
            if !self.controls.contains(id) {
                self.controls.push(id.clone());
            }
        } else if !is_known {
            self.close(&comm.comm_id, parent);
        }
    }

    /// A front end has closed one.
    pub fn closed(&mut self, id: &CommId) {
        self.widgets.remove(&id.0);
        self.controls.retain(|control| *control != id.0);
    }

    /// A front end says something. Whatever it is, it is answered.
    pub fn heard(&mut self, session: &mut Session, said: &CommMsg, parent: &Header) {
        let id = &said.comm_id;
        if let Some(widget) = self.widgets.get_mut(&id.0) {
            let outbox = &self.outbox;
            let mut answer = |state: Map<String, Value>| {
                let data = json!({ "method": "update", "state": state, "buffer_paths": [] });
                outbox.publish(message(id, data), parent);
            };
            widget.heard(session, &said.data, &mut answer);
        } else if self.controls.contains(&id.0) {
            self.control(id, &said.data, parent);
        } else {
            self.close(id, parent);
        }
    }

    fn control(&self, id: &CommId, said: &Map<String, Value>, parent: &Header) {
        let data = match said.get("method").and_then(Value::as_str) {
            Some("request_states") => {
                let states = self.widgets.iter().map(|(id, widget)| {
                    let state = widget.state();
                    let (model, module) = widget::MODEL;
                    let whole = json!({
                        "model_name": model, "model_module": module,
                        "model_module_version": widget::VERSION, "state": state,
                    });
                    (id.clone(), whole)
                });
                let states: Map<String, Value> = states.collect();
                json!({ "method": "update_states", "states": states, "buffer_paths": [] })
            }
            _ => json!({ "method": "error", "message": "expected the method `request_states`" }),
        };
        self.outbox.publish(message(id, data), parent);
    }

    fn close(&self, id: &CommId, parent: &Header) {
        let close = CommClose { comm_id: id.clone(), data: Map::new() };
        self.outbox.publish(close, parent);
    }
}

fn message(id: &CommId, data: Value) -> CommMsg {
    CommMsg { comm_id: id.clone(), data: object(data) }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
