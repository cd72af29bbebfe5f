//! What a view says on its comm: the state of a model of anywidget's, in Jupyter's protocol for widgets. The front end
//! puts a place into the state and gets a sheet back; what is done once comes as a message of its own.

use serde_json::{Map, Value, json};

use crate::report::view::{Below, COLS, Errand, Place, ROWS, Sheet};
use crate::report::{Markup, VIEW_SCRIPT, human_bytes, rules};
use crate::session::{Act, LastingView, Session};

/// The class of the model and the module that has it: any version of it will do.
pub const MODEL: (&str, &str) = ("AnyModel", "anywidget");
pub const VERSION: &str = "*";

/// An open view.
#[derive(Debug)]
pub struct Widget {
    view: LastingView,
    /// Sheets so far: the same one twice is told twice.
    count: u64,
}

impl Widget {
    pub fn new(view: LastingView) -> Widget {
        Widget { view, count: 0 }
    }

    pub fn forget(&mut self) {
        self.view.forget();
    }

    /// All of it.
    pub fn state(&self) -> Map<String, Value> {
        let (model, module) = MODEL;
        let mut state = Map::new();
        for (name, value) in [
            ("_model_module", json!(module)),
            ("_model_module_version", json!(VERSION)),
            ("_model_name", json!(model)),
            ("_view_module", json!(module)),
            ("_view_module_version", json!(VERSION)),
            ("_view_name", json!("AnyView")),
            ("_view_count", Value::Null),
            ("_anywidget_id", json!("genesis_repl.View")),
            ("_esm", json!(VIEW_SCRIPT)),
            ("_css", json!(rules())),
            ("rows", json!(ROWS)),
            ("columns", json!(COLS)),
            ("choices", Below::ALL.iter().map(|(_, name, text)| json!([name, text])).collect()),
            ("progress", json!("")),
        ] {
            state.insert(name.to_string(), value);
        }
        state.extend(self.title());
        state.insert("place".to_string(), said(&self.view.place()));
        state.insert("sheet".to_string(), self.sheet());
        state
    }

    /// What changes with the tensor alone.
    fn title(&self) -> Map<String, Value> {
        let subject = self.view.subject();
        let shape: Vec<String> = subject.shape.iter().map(usize::to_string).collect();
        let title = Markup::new()
            .heading(subject.title.as_str())
            .plain(" ")
            .keyword(subject.dtype.to_string())
            .plain(format!(" ({})", shape.join(", ")))
            .dim(format!(" {} {}", subject.place, human_bytes(subject.bytes)));
        let fields = [("title", json!(title.to_spans())), ("shape", json!(subject.shape))];
        fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    fn sheet(&self) -> Value {
        let sheet: &Sheet = self.view.sheet();
        let message = sheet.message.as_ref().map_or(String::new(), Markup::to_plain);
        json!({ "html": sheet.to_html(), "message": message, "number": self.count })
    }

    /// Does what a front end wants; `answer` is told each change of the state.
    pub fn heard(
        &mut self,
        session: &mut Session,
        said: &Map<String, Value>,
        answer: &mut dyn FnMut(Map<String, Value>),
    ) {
        let act = match said.get("method").and_then(Value::as_str) {
            Some("request_state") => return answer(self.state()),
            Some("update") => match said.get("state").and_then(|state| state.get("place")) {
                Some(place) => understood(place).map(Act::Go),
                None => Err("expected a `place` in the `state`".to_string()),
            },
            Some("custom") => errand(said.get("content")).map(Act::Run),
            _ => Err("expected the method `update`, `custom` or `request_state`".to_string()),
        };
        let wanted = match &act {
            Ok(Act::Go(place)) => Some(place.clone()),
            _ => None,
        };
        let before = self.title();
        let mut has_told = false;
        match act {
            Ok(act) => session.look(&mut self.view, act, &mut |progress| {
                has_told = true;
                let text = format!(
                    "{:.0} %, {}; interrupting the kernel stops it",
                    100.0 * progress.done as f64 / progress.total.max(1) as f64,
                    progress.figures()
                );
                answer(Map::from_iter([("progress".to_string(), json!(text))]));
            }),
            Err(problem) => self.view.say(Markup::new().warn(problem)),
        }
        self.count += 1;
        let mut state = Map::from_iter([("sheet".to_string(), self.sheet())]);
        let place = self.view.place();
        if wanted.as_ref() != Some(&place) {
            state.insert("place".to_string(), self::said(&place));
        }
        let title = self.title();
        if title != before {
            state.extend(title);
        }
        if has_told {
            state.insert("progress".to_string(), json!(""));
        }
        answer(state);
    }
}

fn said(place: &Place) -> Value {
    let below = Below::ALL.iter().find(|(below, ..)| *below == place.below);
    json!({
        "at": place.at, "row": place.row, "col": place.col, "colours": place.is_colored,
        "below": below.map(|(_, name, _)| name),
    })
}

/// A place as a front end says it.
fn understood(value: &Value) -> Result<Place, String> {
    let number = |value: &Value| value.as_u64().and_then(|at| usize::try_from(at).ok());
    let at = value.get("at").and_then(Value::as_array);
    let at: Option<Vec<usize>> = at.and_then(|items| items.iter().map(number).collect());
    let at = at.ok_or("expected `at` to be a list of whole numbers from 0 on")?;
    let axis = |name: &str| match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(found) => match number(found) {
            Some(axis) => Ok(Some(axis)),
            None => Err(format!("expected `{name}` to be an axis or null")),
        },
    };
    let is_colored = match value.get("colours") {
        None => false,
        Some(found) => found.as_bool().ok_or("expected `colours` to be true or false")?,
    };
    let below = match value.get("below") {
        None => Below::Nothing,
        Some(found) => {
            let named = Below::ALL.iter().find(|(_, name, _)| found.as_str() == Some(name));
            let names = Below::ALL.map(|(_, name, _)| name).join(", ");
            named.ok_or_else(|| format!("expected `below` to be one of {names}"))?.0
        }
    };
    Ok(Place { at, row: axis("row")?, col: axis("col")?, is_colored, below })
}

/// What is to be done once.
fn errand(content: Option<&Value>) -> Result<Errand, String> {
    let field = |name: &str| content.and_then(|content| content.get(name));
    let text = match field("text") {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(_) => return Err("expected `text` to be a text".to_string()),
    };
    match field("do").and_then(Value::as_str) {
        Some("find") => {
            let is_forward = field("forward").is_none_or(|it| it.as_bool() == Some(true));
            Ok(Errand::Find { text, is_forward })
        }
        Some("go") => Ok(Errand::GoTo(text)),
        _ => Err("expected `do` to be `find` or `go`".to_string()),
    }
}
