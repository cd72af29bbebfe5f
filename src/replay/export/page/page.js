// Shows what lies under the pointer, marks the blocks of a statement, and goes into the flame graph.
// All that it shows is on the page without it.
(function () {
  "use strict";
  var said = document.getElementById("said");
  function all(rule, root) { return Array.prototype.slice.call((root || document).querySelectorAll(rule)); }
  function say(text) { said.textContent = text || "\u00a0"; }

  // The timeline: one text for each piece of it.
  all(".timeline").forEach(function (chart) {
    var texts = JSON.parse(document.getElementById(chart.getAttribute("data-said")).textContent);
    chart.addEventListener("mousemove", function (event) {
      var box = chart.getBoundingClientRect();
      var at = Math.floor((event.clientX - box.left) / box.width * texts.length);
      say(texts[Math.max(0, Math.min(texts.length - 1, at))]);
    });
    chart.addEventListener("mouseleave", function () { say(""); });
  });

  // Blocks and statements: either marks the other.
  var kept = null;
  function mark(key) {
    document.body.classList.toggle("marking", key !== null);
    all(".map [data-s]").forEach(function (block) {
      block.classList.toggle("marked", block.getAttribute("data-s") === key);
    });
  }
  all("tbody tr[data-s]").forEach(function (row) {
    var key = row.getAttribute("data-s");
    function keep() { kept = kept === key ? null : key; mark(kept); }
    row.addEventListener("mouseenter", function () { mark(key); });
    row.addEventListener("mouseleave", function () { mark(kept); });
    row.addEventListener("click", keep);
    row.addEventListener("keydown", function (event) { if (event.key === "Enter") keep(); });
  });
  all(".map rect").forEach(function (block) {
    var title = block.querySelector("title");
    block.addEventListener("mouseenter", function () { say(title.textContent); });
    block.addEventListener("mouseleave", function () { say(""); });
  });

  // The flame graph: a frame is made as wide as the graph, with what stands on it; those below it are, too.
  all(".flame").forEach(function (flame) {
    var frames = all(".f", flame).map(function (element) {
      var number = function (name) { return +element.getAttribute(name); };
      return { element: element, x: number("data-x"), w: number("data-w"), d: number("data-d") };
    });
    function into(chosen) {
      frames.forEach(function (frame) {
        var ends = frame.x + frame.w, to = chosen.x + chosen.w, slack = 0.002;
        var below = frame.d < chosen.d && frame.x <= chosen.x + slack && ends >= to - slack;
        var above = frame.d >= chosen.d && frame.x >= chosen.x - slack && ends <= to + slack;
        frame.element.style.display = below || above ? "" : "none";
        frame.element.style.left = below ? "0%" : (frame.x - chosen.x) / chosen.w * 100 + "%";
        frame.element.style.width = below ? "100%" : frame.w / chosen.w * 100 + "%";
      });
    }
    frames.forEach(function (frame) {
      frame.element.addEventListener("click", function () { into(frame); });
      frame.element.addEventListener("keydown", function (event) { if (event.key === "Enter") into(frame); });
      frame.element.addEventListener("mouseenter", function () { say(frame.element.title); });
      frame.element.addEventListener("mouseleave", function () { say(""); });
    });
  });
})();
