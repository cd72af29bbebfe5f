// The controls of `:view` that ask a kernel, over a document and a model made of a few lines: node tests/pages/view.js
"use strict";
const assert = require("assert"), fs = require("fs"), path = require("path");

class Element {
  constructor(name) { Object.assign(this, { name, children: [], attributes: {}, style: {}, text: "", value: "" }); }
  set textContent(text) { this.text = String(text); this.children = []; }
  get textContent() { return this.text + this.children.map((child) => child.textContent).join(""); }
  appendChild(child) { this.children.push(child); }
  setAttribute(name, value) { this.attributes[name] = value; }
  all(name) {
    return this.children.flatMap((child) => (child.name === name ? [child] : []).concat(child.all(name)));
  }
}
global.document = { createElement: (name) => new Element(name), activeElement: null };

class Model {
  constructor(state) { Object.assign(this, { state, heard: [], saved: [], sent: [] }); }
  get(name) { return this.state[name]; }
  set(name, value) { this.state[name] = value; }
  save_changes() { this.saved.push(JSON.parse(JSON.stringify(this.state.place))); }
  send(content) { this.sent.push(content); }
  on(event, act) { this.heard.push([event, act]); }
  off(event, act) { this.heard = this.heard.filter((it) => it[0] !== event || it[1] !== act); }
  update(state) {
    Object.assign(this.state, state);
    Object.keys(state).forEach((name) => {
      this.heard.filter(([event]) => event === "change:" + name).forEach(([, act]) => act());
    });
  }
}

const file = path.join(__dirname, "../../src/report/html/view.js");
const render = eval(fs.readFileSync(file, "utf8").replace("export default { render };", "render"));
const model = new Model({
  title: "<b>x</b>", shape: [40, 100, 8], rows: 20, columns: 12, progress: "",
  choices: [["nothing", "nothing else"], ["slice", "statistics of the slice"]],
  place: { at: [0, 0, 0], row: 1, col: 2, colours: false, below: "nothing" },
  sheet: { html: "first", message: "", number: 0 },
});
const el = new Element("div");
const end = render({ model, el });
const root = el.children[0];
const [title, controls, chosen, typed, status, sheet] = root.children;
const inputs = (kind) => root.all("input").filter((input) => input.type === kind);
const last = () => model.saved[model.saved.length - 1];

// One slider for the slices and one for the rows; the columns have room.
assert.equal(title.innerHTML, "<b>x</b>");
assert.equal(sheet.innerHTML, "first");
assert.deepEqual(inputs("range").map((range) => range.max), [39, 80]);
assert.equal(controls.children[0].textContent, "axis 0, index  of 40");
inputs("range")[0].value = "7";
inputs("range")[0].oninput();
assert.deepEqual(last(), { at: [7, 0, 0], row: 1, col: 2, colours: false, below: "nothing" });
assert.equal(inputs("number")[0].value, 7);

// What is typed beyond the ends is the end, and no number is none.
for (const [given, taken] of [["500", 39], ["-3", 0], ["x", 0], ["2.9", 2]]) {
  inputs("number")[0].value = given;
  inputs("number")[0].onchange();
  assert.equal(last().at[0], taken);
  assert.equal(inputs("range")[0].value, taken);
}

// The kernel's answer is shown, and its place where that is another.
model.update({ sheet: { html: "second", message: "stopped", number: 1 } });
assert.deepEqual([sheet.innerHTML, status.textContent], ["second", "stopped"]);
model.update({ progress: "10 %" });
assert.equal(status.textContent, "10 %");
model.update({ place: { ...last(), at: [9, 0, 0] }, sheet: { html: "third", message: "", number: 2 } });
assert.deepEqual([inputs("range")[0].value, sheet.innerHTML, status.textContent], [9, "third", ""]);

// An axis that becomes rows and was columns changes places with them.
const [row, col, below] = root.all("select");
row.value = "2";
row.onchange();
assert.deepEqual([last().row, last().col], [2, 1]);
assert.deepEqual(inputs("range").map((range) => range.max), [39, 88]);
assert.deepEqual(root.all("select").slice(0, 2).map((select) => select.value), ["2", "1"]);
root.all("select")[2].value = "slice";
root.all("select")[2].onchange();
assert.equal(last().below, "slice");
inputs("checkbox")[0].checked = true;
inputs("checkbox")[0].onchange();
assert.equal(last().colours, true);

// Search and go to.
const [search, place] = inputs("text");
assert.equal(place.placeholder, "0, :, :");
const [next, before, go] = root.all("button");
search.value = "> 3";
next.onclick();
before.onclick();
search.onkeydown({ key: "Enter", shiftKey: true, preventDefault() {} });
search.onkeydown({ key: "x", preventDefault() {} });
place.value = "1, :, 2";
go.onclick();
assert.deepEqual(model.sent, [
  { do: "find", text: "> 3", forward: true }, { do: "find", text: "> 3", forward: false },
  { do: "find", text: "> 3", forward: false }, { do: "go", text: "1, :, 2" },
]);

// Another tensor has other controls.
model.update({ shape: [5], title: "y", place: { at: [0], row: 0, col: null, colours: false, below: "nothing" } });
assert.deepEqual([inputs("range").length, root.all("select").length, title.innerHTML], [0, 1, "y"]);
end();
assert.deepEqual(model.heard, []);
console.log("the controls ask, and show the answers");
