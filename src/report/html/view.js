// The controls of `:view` where a kernel answers, as a module for anywidget. They put a place into the model, and
// the kernel answers with a sheet of it; what is done once, a search, goes as a message of its own.
function render({ model, el }) {
  const PATIENCE = 600;
  const make = (name, parent, text) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  };
  const root = make("div", el);
  root.className = "genesis";
  const title = make("div", root), controls = make("div", root), chosen = make("div", root);
  const typed = make("div", root), status = make("div", root), sheet = make("div", root);
  status.setAttribute("aria-live", "polite");
  sheet.style.overflowX = "auto";
  let place = null, shape = null, timer = null, settle = [];

  // The kernel may be busy with a cell for long: that is said, and how to end it.
  function wait() {
    if (timer === null) {
      timer = setTimeout(() => { status.textContent = "waiting for the kernel…"; }, PATIENCE);
    }
  }
  function rest() {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }
  function go(changes) {
    place = Object.assign({}, place, changes);
    model.set("place", place);
    model.save_changes();
    wait();
  }
  function run(errand) {
    model.send(errand);
    wait();
  }

  function choice(parent, label, options, get, set) {
    const box = make("label", parent, label + " "), select = make("select", box);
    options.forEach(([value, text]) => { make("option", select, text).value = value; });
    select.onchange = () => set(select.value);
    make("span", parent, "  ");
    settle.push(() => { select.value = String(get()); });
  }

  function slider(axis) {
    const length = axis === place.row ? model.get("rows") : axis === place.col ? model.get("columns") : 1;
    const most = Math.max(0, shape[axis] - length);
    if (most === 0) return;
    const from = axis === place.row ? "rows from " : axis === place.col ? "columns from " : "index ";
    const line = make("div", controls), label = make("label", line, "axis " + axis + ", " + from);
    const range = make("input", label), exact = make("input", line);
    range.type = "range";
    exact.type = "number";
    exact.setAttribute("aria-label", "axis " + axis + ", " + from);
    exact.style.width = "9em";
    make("span", line, " of " + shape[axis]);
    const show = (value) => { range.value = value; exact.value = value; };
    [range, exact].forEach((input) => {
      input.min = 0;
      input.max = most;
    });
    const move = (value) => {
      const at = place.at.slice();
      at[axis] = Math.min(most, Math.max(0, Math.floor(value) || 0));
      range.value = at[axis];
      if (document.activeElement !== exact) exact.value = at[axis];
      go({ at });
    };
    range.oninput = () => move(+range.value);
    exact.onchange = () => { move(+exact.value); exact.value = place.at[axis]; };
    settle.push(() => show(place.at[axis]));
    show(place.at[axis]);
  }

  // Controls fit a shape and the axes that are shown.
  function build() {
    controls.textContent = chosen.textContent = typed.textContent = "";
    settle = [];
    const axes = shape.map((length, axis) => [axis, "axis " + axis + " (" + length + ")"]);
    for (let axis = 0; axis < shape.length; axis++) slider(axis);
    if (shape.length > 1) {
      choice(chosen, "rows", axes, () => place.row, (axis) => turn("row", "col", +axis));
      choice(chosen, "columns", axes, () => place.col, (axis) => turn("col", "row", +axis));
    }
    const box = make("label", chosen), colours = make("input", box);
    colours.type = "checkbox";
    colours.onchange = () => go({ colours: colours.checked });
    make("span", box, " colours  ");
    settle.push(() => { colours.checked = place.colours; });
    choice(chosen, "below", model.get("choices"), () => place.below, (below) => go({ below }));
    ask("search", "nan, inf, > 2, 0.25", (text, back) => run({ do: "find", text, forward: !back }), true);
    ask("go to", place.at.map((_, axis) => (axis === place.row || axis === place.col ? ":" : axis)).join(", "),
      (text) => run({ do: "go", text }), false);
    settle.forEach((again) => again());
  }

  // What becomes rows is no columns any more.
  function turn(name, other, axis) {
    const changes = { [name]: axis };
    if (place[other] === axis) changes[other] = place[name];
    go(changes);
    build();
  }

  function ask(label, example, act, hasTwo) {
    const box = make("label", typed, label + " "), input = make("input", box);
    input.type = "text";
    input.placeholder = example;
    input.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      act(input.value, event.shiftKey && hasTwo);
    };
    const button = (text, back) => {
      const element = make("button", typed, text);
      element.type = "button";
      element.onclick = () => act(input.value, back);
    };
    button(hasTwo ? "next" : "go", false);
    if (hasTwo) button("before", true);
    make("span", typed, "  ");
  }

  function take() {
    const now = model.get("place"), extents = model.get("shape");
    const isOther = shape === null || String(shape) !== String(extents) || now.row !== place.row || now.col !== place.col;
    place = now;
    shape = extents;
    title.innerHTML = model.get("title");
    if (isOther) build();
    else settle.forEach((again) => again());
  }
  function show() {
    rest();
    sheet.innerHTML = model.get("sheet").html;
    status.textContent = model.get("sheet").message;
  }
  function progress() {
    const text = model.get("progress");
    if (text) {
      rest();
      status.textContent = text;
    }
  }
  const heard = [["change:place", take], ["change:shape", take], ["change:title", take], ["change:sheet", show],
    ["change:progress", progress]];
  heard.forEach(([event, act]) => model.on(event, act));
  take();
  show();
  return () => {
    rest();
    heard.forEach(([event, act]) => model.off(event, act));
  };
}
export default { render };
