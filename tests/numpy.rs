//! NumPy's answers, without Python: `numpy/generate.py` and `numpy/random_programs.py` wrote them
//! down, and here every one is asked of a session. Integers, masks, shapes, types and kinds of error
//! must be equal; floats may differ by what each line of the goldens allows.

#[path = "suite/answers.rs"]
mod answers;

use std::fmt::Write as _;

use genesis_repl::dtype::DType;
use genesis_repl::interp::builtins;
use genesis_repl::session::{Config, Nobody, Session};
use genesis_repl::tensor::DeviceId;
use serde_json::{Value, json};

fn session(settings: &[(&str, &str)]) -> Session {
    // GENESIS_DEVICE=cuda asks the same of a GPU.
    let mut config = Config::default().with_process_environment().expect("settings");
    config.device = config.device.or(Some(DeviceId::Cpu));
    for (name, value) in settings {
        config.set(name, value).expect("a setting");
    }
    Session::new(config).expect("a session")
}

/// The types are NumPy's.
const WIDE: (&str, &str) = ("default_float", "float64");

/// Where a program begins: nothing is left of the one before.
fn begin(session: &mut Session) {
    for code in [":reset", "import numpy as np"] {
        assert_eq!(answer(session, code)["error"], Value::Null, "{code}");
    }
}

/// What a program gives, in the form of the goldens.
fn answer(session: &mut Session, code: &str) -> Value {
    let outcome = session.run(code, &mut Nobody);
    match (outcome.error, outcome.value) {
        (Some(error), _) => json!({"error": error.kind.name(), "message": error.message}),
        (None, Some(value)) => simplify(&session.to_json(&value, 1_000_000).unwrap()),
        (None, None) => Value::Null,
    }
}

fn simplify(value: &Value) -> Value {
    match value["type"].as_str() {
        Some("tensor") => {
            let mut flat = Vec::new();
            flatten(&value["data"], &mut flat);
            json!([value["dtype"], value["shape"], flat])
        }
        Some("tuple" | "list") => {
            let items = value["items"].as_array().cloned().unwrap_or_default();
            json!({"items": items.iter().map(simplify).collect::<Vec<_>>()})
        }
        Some("dtype") => {
            let name = value["repr"].as_str().unwrap_or_default();
            json!(name.trim_start_matches("dtype('").trim_end_matches("')"))
        }
        _ if value["value"].is_null() => value["repr"].clone(),
        _ => value["value"].clone(),
    }
}

fn flatten(data: &Value, out: &mut Vec<Value>) {
    match data {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, out)),
        other => out.push(other.clone()),
    }
}

/// How far floats may be apart.
#[derive(Clone, Copy)]
struct Tolerance {
    ulps: f64,
    scale: f64,
}

impl Tolerance {
    fn of(group: &Value, ulps: f64) -> Tolerance {
        let said = |key: &str, default| group[key].as_f64().unwrap_or(default);
        Tolerance { ulps: said("ulps", ulps), scale: said("scale", 0.0) }
    }
}

fn same(expected: &Value, found: &Value, tolerance: Tolerance) -> bool {
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => match (a.get("error"), b.get("error")) {
            (Some(a), Some(b)) => a == b,
            (None, None) => match (a["items"].as_array(), b.get("items").and_then(Value::as_array))
            {
                (Some(a), Some(b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, tolerance))
                }
                _ => false,
            },
            _ => false,
        },
        (Value::Array(a), Value::Array(b)) => {
            let epsilon = match a[0].as_str() {
                Some("float64" | "complex128") => f64::EPSILON,
                Some("float32" | "complex64") => f64::from(f32::EPSILON),
                Some("float16") => 2f64.powi(-10),
                _ => 0.0,
            };
            let (x, y) = (a[2].as_array(), b[2].as_array());
            let (Some(x), Some(y)) = (x, y) else { return false };
            a[..2] == b[..2]
                && x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| close(x, y, epsilon, tolerance))
        }
        // NumPy's functions that answer with a Python number may answer with a tensor here.
        (plain, Value::Array(b)) if !plain.is_array() => {
            b[1] == json!([]) && close(plain, &b[2][0], f64::EPSILON, tolerance)
        }
        (a, b) if a.is_array() != b.is_array() && a[1] == json!([]) => {
            close(&a[2][0], b, f64::EPSILON, tolerance)
        }
        (a, b) => close(a, b, f64::EPSILON, tolerance),
    }
}

fn close(expected: &Value, found: &Value, epsilon: f64, tolerance: Tolerance) -> bool {
    if expected == found {
        return true;
    }
    // Two integers that differ may be one number as doubles.
    if !expected.is_f64() && !found.is_f64() {
        return false;
    }
    match (expected.as_f64(), found.as_f64()) {
        (Some(a), Some(b)) => {
            // The protocol writes float32 in as few digits as tell it from its neighbours.
            let single = epsilon == f64::from(f32::EPSILON);
            let b = if single { f64::from(b as f32) } else { b };
            a == b || (a - b).abs() <= tolerance.ulps * epsilon * a.abs().max(tolerance.scale)
        }
        _ => false,
    }
}

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"))
}

/// Fails with the first few of what went wrong.
#[track_caller]
fn report(wrong: &[String], asked: usize) {
    assert!(asked > 100, "only {asked} cases were asked");
    let shown: String = wrong.iter().take(40).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    });
    assert!(wrong.is_empty(), "{} of {asked} differ from NumPy:\n{shown}", wrong.len());
}

#[test]
fn functions_give_numpys_values() {
    check_functions(include_str!("numpy/goldens.jsonl"));
}

/// A session on the CPU and a simulated GPU, where new tensors go.
fn on_two_devices() -> Session {
    let config = Config { default_float: DType::F64, ..Config::default() };
    let config = config.with_simulated("256MiB").expect("a size");
    Session::new(config).expect("a session")
}

/// Tensors of a device that is not the session's: what a function makes on its way lies beside them.
#[test]
fn operands_may_lie_on_another_device() {
    let mut session = on_two_devices();
    let mut goldens = lines(include_str!("numpy/goldens.jsonl"));
    let setup = goldens.next().expect("the inputs")["setup"].as_str().expect("a text").to_owned();
    let setup = format!(
        "import genesis.cuda as cuda\nwith cuda.device('cpu'):\n    {}",
        setup.replace('\n', "\n    ")
    );
    assert_eq!(answer(&mut session, &setup), Value::Null);
    let (mut asked, mut wrong) = (0, Vec::new());
    for group in goldens {
        for case in group["cases"].as_array().expect("cases") {
            let code = case[0].as_str().expect("a program");
            // What a program makes by itself lies on the session's device.
            if ["array(", "arange(", "zeros(", "eye("].iter().any(|maker| code.contains(maker)) {
                continue;
            }
            let found = answer(&mut session, code);
            asked += 1;
            if found["message"].as_str().is_some_and(|words| words.contains("same device")) {
                wrong.push(format!("{code}: {found}"));
            }
        }
    }
    report(&wrong, asked);
}

#[test]
fn results_lie_beside_operands_of_another_device() {
    let mut session = on_two_devices();
    let setup = "import numpy as np\na = (np.arange(9.).reshape(3, 3) % 4).cpu()\nz = a * 1j + a.T";
    assert_eq!(answer(&mut session, setup), Value::Null);
    for code in ["np.zeros(2)", "np.fft.fftfreq(3)", "np.random.normal(size=3)"] {
        assert_eq!(
            answer(&mut session, &format!("str(({code}).device)")),
            json!("cuda:0"),
            "{code}"
        );
    }
    for code in [
        "a + [1, 2, 3]",
        "[1, 2, 3] @ a",
        "a == [1, 2, 3]",
        "a == 'text'",
        "a[[0, 2]]",
        "a[[True, False, True]]",
        "np.logical_and(a, 2.5)",
        "np.where(a > 1, a, [0, 0, 0])",
        "np.interp(a, [0, 1], [2, 3])",
        "np.insert(a, 1, [9, 9, 9], axis=0)",
        "np.concatenate([a, [[1, 2, 3]]])",
        "np.histogram(a)[0]",
        "np.isin(a, [1, 2])",
        "np.random.permutation(a)",
        "np.polyfit(a[0], a[1], 1)",
        "np.poly1d(a[0])(2)",
        "np.polynomial.Polynomial(a[0])(2)",
        "np.linalg.solve(a, [1, 2, 3.])",
        "np.linalg.solve(z, [1, 2, 3.])",
        "np.linalg.inv(z)",
        "np.linalg.det(z)",
        "np.linalg.pinv(a)",
        "np.linalg.lstsq(a, [1., 2, 3])[0]",
        "np.linalg.eigvals(a)",
        "np.linalg.cholesky(a @ a.T + 9)",
        "np.linalg.eigvalsh(a + a.T)",
        "np.fft.rfft(a)",
        "[row for row in a][0]",
    ] {
        assert_eq!(answer(&mut session, &format!("str(({code}).device)")), json!("cpu"), "{code}");
    }
    for code in [
        "a[0] = [1, 2, 3]",
        "a[:, [0, 1]] = [[1], [2], [3]]",
        "a += [1, 2, 3]",
        "z.imag = [1, 2, 3]",
    ] {
        assert_eq!(answer(&mut session, code), Value::Null, "{code}");
    }
}

/// What NumPy has not, by its definition.
#[test]
fn functions_give_what_they_are_defined_as() {
    check_functions(include_str!("numpy/definitions.jsonl"));
}

#[track_caller]
fn check_functions(goldens: &str) {
    let mut goldens = lines(goldens);
    let setup = goldens.next().expect("the inputs")["setup"].as_str().expect("a text").to_owned();
    let mut session = session(&[WIDE]);
    assert_eq!(answer(&mut session, &setup), Value::Null);
    let (mut asked, mut wrong) = (0, Vec::new());
    for group in goldens {
        for case in group["cases"].as_array().expect("cases") {
            let code = case[0].as_str().expect("a program");
            let found = answer(&mut session, code);
            asked += 1;
            if !same(&case[1], &found, Tolerance::of(&group, 0.0)) {
                wrong.push(format!("{code}\n    NumPy {}\n    here  {found}", case[1]));
            }
        }
    }
    report(&wrong, asked);
}

/// Python numbers beside tensors, in both modes of new floats.
#[test]
fn numbers_keep_their_value_beside_tensors() {
    for mode in [WIDE, ("default_float", "float32")] {
        let (mut asked, mut wrong) = (0, Vec::new());
        let mut session = session(&[mode]);
        for group in lines(include_str!("numpy/scalars.jsonl")) {
            begin(&mut session);
            let setup = group["setup"].as_str().expect("a program");
            assert_eq!(answer(&mut session, setup), Value::Null, "{setup}");
            let holds = |case: &&Value| mode == WIDE || case[2] == true;
            for case in group["cases"].as_array().expect("cases").iter().filter(holds) {
                let code = case[0].as_str().expect("a program");
                let found = answer(&mut session, code);
                asked += 1;
                if !same(&case[1], &found, Tolerance::of(&group, 1.0)) {
                    wrong.push(format!("{setup}\n{code}\n    NumPy {}\n    {found}", case[1]));
                }
            }
        }
        report(&wrong, asked);
    }
}

#[test]
fn random_programs_leave_numpys_values() {
    let (mut asked, mut wrong) = (0, Vec::new());
    let mut session = session(&[WIDE]);
    for program in lines(include_str!("numpy/programs.jsonl")) {
        begin(&mut session);
        let mut text = String::new();
        let steps = program.as_array().expect("statements");
        for (place, step) in steps.iter().enumerate() {
            let (code, expected) = (step[0].as_str().expect("a statement"), &step[1]);
            let _ = writeln!(text, "    {code}");
            let found = answer(&mut session, code);
            asked += 1;
            let ulps = if place + 1 == steps.len() { 0.0 } else { 64.0 };
            let fine = match expected {
                Value::Null => found.get("error").is_none(),
                _ => same(expected, &found, Tolerance { ulps, scale: 1.0 }),
            };
            if !fine {
                wrong.push(format!("{text}    NumPy {expected}\n    here  {found}"));
                break;
            }
        }
    }
    report(&wrong, asked);
}

#[test]
fn no_mode_of_the_allocator_changes_a_bit() {
    let usual = digits(&[]);
    assert!(usual.len() > 1000, "only {} answers", usual.len());
    for mode in answers::modes() {
        let found = digits(mode);
        let first = usual.iter().zip(&found).find(|(usual, found)| usual != found);
        assert_eq!((first, found.len()), (None, usual.len()), "{mode:?}");
    }
}

/// The goldens' programs, and what a session answers: floats to their last bit, and their signs.
fn digits(mode: &[(&str, &str)]) -> Vec<String> {
    let settings: Vec<_> = [WIDE].into_iter().chain(mode.iter().copied()).collect();
    let mut goldens = lines(include_str!("numpy/goldens.jsonl"));
    let setup = goldens.next().expect("the inputs")["setup"].as_str().expect("a text").to_owned();
    let mut session = session(&settings);
    answer(&mut session, &setup);
    let mut found = Vec::new();
    let mut ask = |session: &mut Session, code: &Value| {
        let code = code.as_str().expect("a program");
        found.push(format!("{code}: {}", answer(session, code)));
    };
    for group in goldens {
        let cases = group["cases"].as_array().expect("cases");
        cases.iter().for_each(|case| ask(&mut session, &case[0]));
    }
    for program in lines(include_str!("numpy/programs.jsonl")) {
        begin(&mut session);
        program.as_array().expect("steps").iter().for_each(|step| ask(&mut session, &step[0]));
    }
    found
}

/// Help shows what these programs give. UPDATE=1 writes the file anew.
#[test]
fn examples_run_and_show_what_they_showed() {
    let mut shown = String::new();
    let mut wrong = Vec::new();
    for row in builtins::library_tables().iter().flat_map(|table| table.iter()) {
        if row.example.is_empty() {
            continue;
        }
        let mut session = session(&[]);
        let outcome = session.run(row.example, &mut Nobody);
        if let Some(error) = outcome.error {
            wrong.push(format!("{}: {}: {}", row.signature, error.kind.name(), error.message));
            continue;
        }
        let value = outcome.value.map_or(String::new(), |value| session.repr(&value));
        let _ = writeln!(shown, ">>> {}\n{value}\n", row.example.replace('\n', "\n>>> "));
    }
    assert!(wrong.is_empty(), "{} examples fail:\n{}", wrong.len(), wrong.join("\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/numpy/examples.txt");
    if std::env::var_os("UPDATE").is_some() && !answers::is_on_gpu() {
        std::fs::write(path, &shown).expect("the file can be written");
    }
    let written = std::fs::read_to_string(path).expect("the file is there");
    let [expected, found] = [&written, &shown].map(|text| text.split("\n\n").collect::<Vec<_>>());
    let pairs = expected.iter().zip(&found).filter(|(expected, found)| !is_shown(expected, found));
    let wrong: Vec<String> =
        pairs.map(|(expected, found)| format!("{expected}\n{found}")).collect();
    assert!(wrong.is_empty(), "{} examples differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(expected.len(), found.len());
}

/// What asks for the device itself, and what a GPU answers.
const ON_GPU: [(&str, &str); 4] = [
    (">>> zeros(3).get_device()", "0"),
    (">>> cuda.is_available()", "True"),
    (">>> cuda.device_count() > 0", "True"),
    (">>> cuda.current_device()", "0"),
];

/// Whether an example shows what is written. A GPU's library functions may end in another digit.
fn is_shown(expected: &str, found: &str) -> bool {
    if !answers::is_on_gpu() {
        return expected == found;
    }
    match ON_GPU.iter().find(|(example, _)| expected.lines().next() == Some(*example)) {
        Some((example, answer)) => found == format!("{example}\n{answer}"),
        None => answers::is_close(expected, found),
    }
}

/// Every function of the library has words for help.
#[test]
fn every_function_is_documented() {
    for row in builtins::library_tables().iter().flat_map(|table| table.iter()) {
        assert!(row.doc.ends_with('.') && row.doc.len() > 8, "{}", row.signature);
    }
}

/// Each distribution falls into cells as often as SciPy says, by `numpy/distributions.py`, whether its parameters
/// are numbers or arrays.
#[test]
fn distributions_are_what_they_claim() {
    let setup = "import numpy as np
n = 20000
g = np.random.default_rng(7)
def statistic(x, edges, chances):
    places = np.searchsorted(np.array(edges, dtype='f8'), x.astype('f8'))
    expected = n * np.array(chances, dtype='f8')
    return ((np.bincount(places, minlength=len(chances)) - expected) ** 2 / expected).sum().item()
def moments(x):
    x = x.astype('f8')
    return [x.mean().item(), x.var().item()]";
    let mut wrong = Vec::new();
    let mut asked = 0;
    for mode in [WIDE, ("default_float", "float32")] {
        let mut session = session(&[mode]);
        assert_eq!(answer(&mut session, setup), Value::Null);
        for law in lines(include_str!("numpy/distributions.jsonl")) {
            asked += 1;
            let call = law["call"].as_str().expect("an expression");
            let drawn = answer(&mut session, &format!("x = {call}"));
            let far = format!("statistic(x, {}, {})", law["edges"], law["chances"]);
            let far = answer(&mut session, &far);
            let (limit, distance) = (law["critical"].as_f64().expect("a number"), far.as_f64());
            if distance.is_none_or(|distance| distance > limit) {
                wrong.push(format!("{mode:?} {call}: {far} instead of {limit} at most {drawn}"));
                continue;
            }
            let found = answer(&mut session, "moments(x)");
            for (at, moment) in ["mean", "variance"].into_iter().enumerate() {
                let Some([exact, margin]) = law[moment].as_array().map(Vec::as_slice) else {
                    continue;
                };
                let (exact, margin) = (exact.as_f64().expect("it"), margin.as_f64().expect("it"));
                let found = found["items"][at].as_f64().unwrap_or(f64::NAN);
                let is_near = (found - exact).abs() <= margin;
                if !is_near {
                    wrong.push(format!(
                        "{mode:?} {call}: {moment} {found} and not {exact} ± {margin}"
                    ));
                }
            }
        }
    }
    report(&wrong, asked);
}

/// Types, shapes and errors of random calls of a generator, by `numpy/random_calls.py`.
#[test]
fn generators_give_numpys_shapes_and_errors() {
    let setup = "import numpy as np
def kind(y):
    if y is None:
        return 'None'
    return f'{y.dtype} {tuple(y.shape)}' if is_tensor(y) else type(y).__name__";
    let mut session = session(&[WIDE]);
    assert_eq!(answer(&mut session, setup), Value::Null);
    let (mut asked, mut wrong) = (0, Vec::new());
    for case in lines(include_str!("numpy/random_calls.jsonl")) {
        let call = case[0].as_str().expect("a call");
        let found = session.run(&format!("kind(np.random.default_rng(1).{call})"), &mut Nobody);
        let found = match (found.error, found.value) {
            (Some(error), _) => format!("{}: {}", error.name(), error.message),
            (None, Some(value)) => session.to_json(&value, 1).expect("a text")["value"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            (None, None) => String::new(),
        };
        asked += 1;
        if case[1] != found {
            wrong.push(format!("{call}\n    NumPy {}\n    here  {found}", case[1]));
        }
    }
    report(&wrong, asked);
}
