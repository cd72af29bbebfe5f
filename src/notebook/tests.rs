use super::*;
use crate::report::evcxr;

fn genesis() -> Genesis {
    with(Config::default().with_device("cpu").unwrap()).unwrap()
}

#[test]
fn values_go_both_ways() {
    let mut g = genesis();
    g.set("w", [[1.0f32, 2.0], [3.0, 4.0]]).unwrap();
    let sum: f64 = gx!(g, (w * 2)[1:].sum()).get().unwrap();
    assert_eq!(sum, 14.0);
    assert_eq!(g.run("w.T").get::<Vec<Vec<f32>>>().unwrap(), [[1.0, 3.0], [2.0, 4.0]]);
    g.register("halve", |x: f64| x / 2.0).unwrap();
    assert_eq!(gx!(g, halve(3)).get::<f64>().unwrap(), 1.5);
    assert!(g.get::<Tensor>("nothing").unwrap_err().to_string().contains("NameError"));
}

#[test]
fn tokens_of_rust_are_a_program() {
    let mut g = genesis();
    gx!(g, x = arange(12).reshape(3, 4); y = x[::2, 1:-1] ** 2; s = "a b").check().unwrap();
    assert_eq!(g.get::<Vec<Vec<i64>>>("y").unwrap(), [[1, 4], [81, 100]]);
    assert_eq!(gx!(g, x[x % 2 == 0].sum() if s != "" else -1).get::<i64>().unwrap(), 30);
    assert!(gx!(g, not (x[0] > 5).any() and ~x[0, 0] < 0).get::<bool>().unwrap());
}

#[test]
fn a_string_takes_what_tokens_cannot() {
    let mut g = genesis();
    g.run("x = 7");
    let program = r#"f"{x // 2}" + 'text'  # a comment"#;
    assert_eq!(g.run(program).get::<String>().unwrap(), "3text");
    assert_eq!(gx!(g, floor_divide(x, 2)).get::<i64>().unwrap(), 3);
}

#[test]
fn an_error_shows_its_place_and_loses_nothing() {
    let mut g = genesis();
    g.run("x = arange(3)");
    let output = g.run("x[5]");
    let text = output.to_string();
    assert!(text.starts_with("IndexError: ") && text.ends_with("|   ^"), "{text}");
    assert!(output.get::<i64>().is_err() && output.check().is_err());
    assert_eq!(format!("{:?}", output.failure().unwrap()), text);
    assert_eq!(g.run("x.sum()").get::<i64>().unwrap(), 3);
}

#[test]
fn parts_of_a_page() {
    let mut g = genesis();
    let output = g.run("'EVCXR_END_CONTENT<b>'");
    let parts = evcxr::parts(&output.to_report());
    let marks: Vec<&str> = parts.lines().filter(|line| line.starts_with("EVCXR")).collect();
    assert_eq!(
        marks,
        [
            "EVCXR_BEGIN_CONTENT text/plain",
            "EVCXR_END_CONTENT",
            "EVCXR_BEGIN_CONTENT text/html",
            "EVCXR_END_CONTENT"
        ]
    );
    assert!(parts.contains("&lt;b&gt;"), "{parts}");
    let shown = evcxr::parts(&g.run("m = randn(30, 30)\nm\n:mem").to_report());
    assert!(
        shown.contains("<img") && !shown.contains("<svg") && !shown.contains("application/json")
    );
    assert!(g.run("pass").to_string().is_empty());
    assert!(format!("{g:?}").contains("genesis-repl"));
}

#[test]
fn a_tensor_shows_itself_as_a_picture() {
    let mut g = genesis();
    g.run("x = arange(9216.).reshape(96, 96); y = x[0]");
    let x: Tensor = g.get("x").unwrap();
    let parts = evcxr::picture(&x.picture().unwrap());
    assert!(parts.contains("EVCXR_BEGIN_CONTENT image/png\niVBORw0KGgo"), "{parts}");
    let y: Tensor = g.get("y").unwrap();
    let parts = evcxr::picture(&y.picture().unwrap());
    let (page, drawing) = parts.split_once("EVCXR_BEGIN_CONTENT image/svg+xml\n<svg").unwrap();
    // Nobody knows the page's colour, so a picture brings its own.
    assert!(page.contains("text/html") && page.contains("<img"), "{page}");
    assert!(!drawing.contains("currentColor") && drawing.contains("#fff"), "{drawing}");
    let one: Tensor = gx!(g, x.sum()).get().unwrap();
    assert!(one.picture().unwrap_err().to_string().contains("nothing to draw"));
    assert!(one.to::<Vec<f32>>().is_err() && y.to::<Vec<f32>>().unwrap()[95] == 95.0);
}

#[test]
fn a_wrong_environment_is_the_error_of_every_cell() {
    let config = Config::default().with_environment(|_| Some("?".to_string()));
    let mut g = Genesis { session: config.and_then(open).map_err(Failure::from) };
    let text = g.run("1").to_string();
    assert!(text.contains("GENESIS_DEVICE"), "{text}");
    assert!(g.set("x", 1i64).is_err() && g.get::<i64>("x").is_err());
    assert!(g.memory().failure().is_some());
}

#[cfg(not(feature = "cuda"))]
#[test]
fn without_cuda_gpus_are_missed_in_words_and_simulated_ones_work() {
    let remedy = "build genesis-repl with the feature `cuda`";
    let failure = with(Config::default().with_device("cuda").unwrap()).unwrap_err().to_string();
    assert!(failure.contains("no device `cuda:0`") && failure.contains(remedy), "{failure}");
    let mut g = genesis();
    for asks in ["arange(3).to('cuda')", "cuda.enable_lazy_init(False)", ":device cuda:1"] {
        let failure = g.run(asks).to_string();
        assert!(failure.starts_with("RuntimeError") && failure.contains(remedy), "{failure}");
    }
    assert!(g.run(":device").to_string().contains(remedy));
    assert!(g.run(":kernels").to_string().contains("compiles no kernels"));
    assert_eq!(gx!(g, cuda.device_count()).get::<i64>().unwrap(), 0);
    assert_eq!(gx!(g, cuda.clear_kernel_cache("cpu")).get::<i64>().unwrap(), 0);

    let mut g = with(Config::default().with_simulated("64MiB").unwrap()).unwrap();
    g.run("cuda.warm_up_kernels()\ncuda.enable_profiling()\nx = arange(4)").check().unwrap();
    let place = gx!(g, str(x.device) + " " + str(x.cpu().sum()));
    assert_eq!(place.get::<String>().unwrap(), "cuda:0 6");
    assert!(gx!(g, cuda.is_available()).get::<bool>().unwrap());
    g.run(":device simulate 32MiB").check().unwrap();
    assert_eq!(gx!(g, cuda.device_count()).get::<i64>().unwrap(), 2);
    g.run(":explain x + 1\n:mem").check().unwrap();
}

#[cfg(not(feature = "json"))]
#[test]
fn without_json_a_snapshot_is_a_pickle() {
    let folder = tempfile::tempdir().unwrap();
    let save = |end: &str| format!(":mem save {}", folder.path().join(end).display());
    let mut g = genesis();
    let failure = g.run(&save("a.json")).to_string();
    assert!(failure.contains("build genesis-repl with the feature `json`"), "{failure}");
    g.run(&save("a.pickle")).check().unwrap();
    assert!(folder.path().join("a.pickle").exists() && !folder.path().join("a.json").exists());
}
