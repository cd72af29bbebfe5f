// Builds the sliders of a view from all elements of a tensor, in every element of the class that
// has none yet: what is shown twice is there twice. No kernel is asked, and nothing is loaded.
(function (view) {
  "use strict";
  var ROWS = 20, COLS = 12, rank = view.shape.length;
  function make(name, parent, text) {
    var element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }
  function brief(x) {
    return x === Math.round(x) && Math.abs(x) < 1e6 ? String(x) : x.toPrecision(4);
  }
  function build(root) {
    root.setAttribute("data-ready", "");
    root.textContent = "";
    var at = view.shape.map(function () { return 0; });
    var row = rank > 1 ? rank - 2 : -1, col = rank - 1, last = -1, sliders = [];
    var strides = [], size = 1;
    for (var axis = rank - 1; axis >= 0; axis--) { strides[axis] = size; size *= view.shape[axis]; }
    var controls = make("div", root), chosen = make("div", root), table = make("table", root);
    table.className = "cells";
    var status = make("div", root);
    status.setAttribute("aria-live", "polite");

    function page(axis) { return axis === row ? ROWS : axis === col ? COLS : 1; }
    function choice(label, get, set) {
      var box = make("label", chosen, label + " "), select = make("select", box);
      for (var axis = 0; axis < rank; axis++) make("option", select, "axis " + axis).value = axis;
      select.value = get();
      select.onchange = function () { set(+select.value); rebuild(); };
      make("span", chosen, "  ");
      return function () { select.value = get(); };
    }
    var settle = [];
    if (rank > 1) {
      settle.push(choice("rows", function () { return row; }, function (axis) {
        if (axis === col) col = row;
        row = axis;
      }));
      settle.push(choice("columns", function () { return col; }, function (axis) {
        if (axis === row) row = col;
        col = axis;
      }));
    }
    var box = make("label", chosen), heat = make("input", box);
    heat.type = "checkbox";
    heat.onchange = draw;
    make("span", box, " colours  ");
    var odd = view.values.some(function (x) { return !isFinite(x); });
    if (odd) {
      var button = make("button", chosen, "next nan or inf");
      button.type = "button";
      button.onclick = function () {
        for (var by = 1; by <= size; by++) {
          var place = (last + by) % size;
          if (!isFinite(view.values[place])) { last = place; show(place); return; }
        }
      };
    }

    function show(place) {
      for (var axis = 0; axis < rank; axis++) {
        var index = Math.floor(place / strides[axis]) % view.shape[axis];
        at[axis] = Math.min(index, Math.max(0, view.shape[axis] - page(axis)));
      }
      rebuild();
    }

    function rebuild() {
      controls.textContent = "";
      sliders = [];
      settle.forEach(function (again) { again(); });
      for (var axis = 0; axis < rank; axis++) slider(axis);
      draw();
    }

    function slider(axis) {
      var most = Math.max(0, view.shape[axis] - page(axis));
      at[axis] = Math.min(at[axis], most);
      if (most === 0) return;
      var from = axis === row ? "rows from " : axis === col ? "columns from " : "index ";
      var line = make("div", controls), label = make("label", line, "axis " + axis + ", " + from);
      var input = make("input", label), said = make("output", label);
      input.type = "range";
      input.min = 0;
      input.max = most;
      input.value = at[axis];
      said.textContent = " " + at[axis] + " of " + view.shape[axis];
      input.oninput = function () {
        at[axis] = +input.value;
        said.textContent = " " + at[axis] + " of " + view.shape[axis];
        draw();
      };
      sliders.push(input);
    }

    function look(cell, x) {
      if (!isFinite(x)) { cell.style.cssText = view.odd; return; }
      if (!heat.checked || !view.palette.length) return;
      // Halves, because the distance of two finite numbers may not be one.
      var place = (x / 2 - view.low / 2) / (view.high / 2 - view.low / 2);
      cell.style.cssText = view.palette[Math.round(place * (view.palette.length - 1))];
    }

    function draw() {
      table.textContent = "";
      var rows = row < 0 ? 1 : Math.min(ROWS, view.shape[row] - at[row]);
      var cols = Math.min(COLS, view.shape[col] - at[col]);
      var head = make("tr", make("thead", table)), body = make("tbody", table);
      if (row >= 0) make("th", head);
      for (var c = 0; c < cols; c++) {
        var label = make("th", head, at[col] + c);
        label.scope = "col";
        label.align = "right";
      }
      var base = 0;
      for (var axis = 0; axis < rank; axis++) base += at[axis] * strides[axis];
      for (var r = 0; r < rows; r++) {
        var line = make("tr", body);
        if (row >= 0) {
          var number = make("th", line, at[row] + r);
          number.scope = "row";
          number.align = "right";
        }
        for (c = 0; c < cols; c++) {
          var place = base + (row < 0 ? 0 : r * strides[row]) + c * strides[col];
          var cell = make("td", line, view.words[place]);
          cell.align = "right";
          look(cell, view.values[place]);
        }
      }
      tell(base);
    }

    // The statistics of the slice, whole along both axes.
    function tell(base) {
      if (row >= 0) base -= at[row] * strides[row];
      base -= at[col] * strides[col];
      var low = Infinity, high = -Infinity, sum = 0, count = 0, nan = 0, inf = 0;
      for (var r = 0; r < (row < 0 ? 1 : view.shape[row]); r++) {
        for (var c = 0; c < view.shape[col]; c++) {
          var x = view.values[base + (row < 0 ? 0 : r * strides[row]) + c * strides[col]];
          if (isNaN(x)) nan++;
          else if (!isFinite(x)) inf++;
          else { count++; sum += x; low = Math.min(low, x); high = Math.max(high, x); }
        }
      }
      var index = at.map(function (at, axis) {
        return axis === row ? "↓" : axis === col ? "→" : at;
      });
      var text = "slice [" + index.join(", ") + "]";
      if (count) text += "  least " + brief(low) + "  greatest " + brief(high) + "  mean " + brief(sum / count);
      if (nan) text += "  " + nan + " nan";
      if (inf) text += "  " + inf + " inf";
      status.textContent = text;
    }
    rebuild();
  }
  document.querySelectorAll("." + view.name + ":not([data-ready])").forEach(build);
})
