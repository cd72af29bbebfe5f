// The sliders of `:view` on a page, over a document made of a few lines: node tests/pages/slides.js
"use strict";
const assert = require("assert"), fs = require("fs"), path = require("path");

class Element {
  constructor(name) { Object.assign(this, { name, children: [], attributes: {}, style: {}, text: "" }); }
  set textContent(text) { this.text = String(text); this.children = []; }
  get textContent() { return this.text + this.children.map((child) => child.textContent).join(""); }
  appendChild(child) { this.children.push(child); }
  setAttribute(name, value) { this.attributes[name] = value; }
  all(name) {
    return this.children.flatMap((child) => (child.name === name ? [child] : []).concat(child.all(name)));
  }
}

const file = path.join(__dirname, "../../src/report/html/slides.js");
const build = eval(fs.readFileSync(file, "utf8"));

function page(shape, values) {
  const root = new Element("div");
  global.document = {
    createElement: (name) => new Element(name),
    querySelectorAll: (rule) => {
      assert.equal(rule, ".view:not([data-ready])");
      return "data-ready" in root.attributes ? [] : [root];
    },
  };
  const finite = values.filter(isFinite), words = values.map(String);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  build({ name: "view", shape, words, values, low, high, odd: "odd", palette: low < high ? ["least", "greatest"] : [] });
  return root;
}

const rows = (root) => root.all("tbody")[0].children.map((row) => row.all("td").map((cell) => cell.textContent));
const ranges = (root) => root.all("input").filter((input) => input.type === "range");
const status = (root) => root.children[3].textContent;

const values = [...Array(2 * 3 * 30).keys()];
values[100] = NaN;
const root = page([2, 3, 30], values);
assert.deepEqual(rows(root).map((row) => [row[0], row[11]]), [["0", "11"], ["30", "41"], ["60", "71"]]);
assert.equal(status(root), "slice [0, ↓, →]  least 0  greatest 89  mean 44.50");

// One slider for the slices, one for the columns that have no room.
assert.deepEqual(ranges(root).map((range) => [range.min, range.max]), [[0, 1], [0, 18]]);
ranges(root)[0].value = 1;
ranges(root)[0].oninput();
assert.deepEqual(rows(root)[2].slice(0, 2), ["150", "151"]);
assert.equal(status(root), "slice [1, ↓, →]  least 90  greatest 179  mean 134.9  1 nan");

root.all("button")[0].onclick();
assert.equal(rows(root)[0][0], "NaN");
assert.equal(root.all("td")[0].style.cssText, "odd");

const [row, col] = root.all("select");
row.value = 0;
row.onchange();
assert.deepEqual(rows(root).map((row) => row[1]), ["11", "101"]);
col.value = 0;
col.onchange();
assert.equal(status(root).slice(0, 15), "slice [→, 0, ↓]");
assert.deepEqual(rows(root)[1], ["11", "101"]);

const box = root.all("input").find((input) => input.type === "checkbox");
box.checked = true;
box.onchange();
assert.deepEqual(root.all("td").slice(2, 4).map((cell) => cell.style.cssText), ["least", "greatest"]);

// A vector is one row; without a range there are no colours.
const line = page([5], [1, 1, 1, 1, 1]);
assert.deepEqual(rows(line), [["1", "1", "1", "1", "1"]]);
assert.equal(ranges(line).length, 0);
assert.equal(page([40], [...Array(40).keys()]).all("select").length, 0);
console.log("the sliders do what they say");
