"""What `:mem export`, `replay --export` and `:profile` write, read by others: Google's Protocol Buffers, Python's
csv and json, `go tool pprof` where there is one, and a browser, which opens the pages on a light and on a dark
screen, uses them, and draws them.

    tests/export/run [FOLDER]        # files and pictures stay in FOLDER
"""

import collections
import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("GENESIS_REPL") or ROOT / "target" / "debug" / "genesis-repl").resolve()

# Sizes are multiples of 512 bytes, so that blocks hold what was asked for.
PROGRAM = """\
def f(n):
    a = ones(n)
    return sort(a * 2)
class Net:
    def forward(self, x):
        return x @ x
x = f(1 << 20)
w = ones((256, 256))
for i in range(30):
    y = Net().forward(w)
    z = y + i
named = {"quotes '\\" and </script><b>": zeros(1 << 16), "ünïcödé; 名": zeros(1 << 15)}
kept = x[::2]
try:
    big = ones(1 << 28) + x[0]
    big += 1
except MemoryError:
    pass
other = ones(1 << 14, device='cuda:1')
:mem export heap.pprof
:mem export rmm.csv
:mem export stacks.folded
:mem export graph.flame.html
:mem export page.html
:mem export memory.json
:mem save memory.pickle
:profile start
for i in range(5):
    z = f(1 << 12)
    z += 1
:profile stop profile.json
:profile show
"""

# What is live at the end, in bytes, by the line that asked.
LIVE = {
    "f: return sort(a * 2)": 4 << 20, "w = ones((256, 256))": 256 << 10, "z = y + i": 256 << 10,
    "Net.forward: return x @ x": 256 << 10, "named = ": (256 + 128) << 10, "other = ": 64 << 10,
}


def profile_class():
    """Profile of pprof's profile.proto, as far as heap profiles go, by its field numbers."""
    integer, unsigned, text, nested = 3, 4, 9, 11
    messages = {
        "ValueType": [("type", 1, integer), ("unit", 2, integer)],
        "Label": [("key", 1, integer), ("str", 2, integer), ("num", 3, integer), ("num_unit", 4, integer)],
        "Sample": [("location_id", 1, unsigned, "*"), ("value", 2, integer, "*"), ("label", 3, nested, "*", "Label")],
        "Line": [("function_id", 1, unsigned), ("line", 2, integer)],
        "Location": [("id", 1, unsigned), ("mapping_id", 2, unsigned), ("address", 3, unsigned),
                     ("line", 4, nested, "*", "Line")],
        "Function": [("id", 1, unsigned), ("name", 2, integer), ("system_name", 3, integer), ("filename", 4, integer)],
        "Profile": [("sample_type", 1, nested, "*", "ValueType"), ("sample", 2, nested, "*", "Sample"),
                    ("location", 4, nested, "*", "Location"), ("function", 5, nested, "*", "Function"),
                    ("string_table", 6, text, "*"), ("time_nanos", 9, integer), ("duration_nanos", 10, integer),
                    ("default_sample_type", 14, integer)],
    }
    file = descriptor_pb2.FileDescriptorProto(name="profile.proto", package="pprof", syntax="proto3")
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for field, number, kind, *more in fields:
            added = message.field.add(name=field, number=number, type=kind, label=3 if more else 1)
            if len(more) == 2:
                added.type_name = f".pprof.{more[1]}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("pprof.Profile"))


def check_pprof(path):
    profile = profile_class()()
    profile.ParseFromString(gzip.decompress(path.read_bytes()))
    assert len(unknown_fields.UnknownFieldSet(profile)) == 0
    texts = profile.string_table
    assert texts[0] == "" and len(set(texts)) == len(texts)
    kinds = [(texts[kind.type], texts[kind.unit]) for kind in profile.sample_type]
    assert kinds == [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"),
                     ("inuse_space", "bytes")], kinds
    assert texts[profile.default_sample_type] == "inuse_space"
    functions = {function.id: function for function in profile.function}
    places = {}
    for location in profile.location:
        [line] = location.line
        function = functions[line.function_id]
        places[location.id] = (texts[function.name], texts[function.filename], line.line)
    live, stacks = collections.Counter(), set()
    for sample in profile.sample:
        stack = tuple(places[number] for number in sample.location_id)
        objects, space, live_objects, live_space = sample.value
        assert objects >= live_objects and space >= live_space and (live_objects > 0) == (live_space > 0)
        assert [texts[label.key] for label in sample.label] == ["device"]
        lines = [frame for frame in stack if frame[1]]
        live[lines[0][0]] += live_space
        stacks.add(tuple(lines))
    for name, expected in LIVE.items():
        found = sum(count for text, count in live.items() if text.startswith(name))
        assert found == expected, (name, expected, found, live)
    chain = (("f: return sort(a * 2)", "program.py", 3), ("x = f(1 << 20)", "program.py", 7))
    assert chain in stacks, stacks
    chain = (("Net.forward: return x @ x", "program.py", 6), ("for i in range(30):", "program.py", 9))
    assert chain in stacks, stacks
    if shutil.which("go") is None:
        return "no go, whose `tool pprof` would read it as well"
    top = subprocess.run(["go", "tool", "pprof", "-top", "-unit=kb", path], check=True, capture_output=True, text=True)
    assert re.search(r"4096kB .* f: return sort\(a \* 2\)", top.stdout), top.stdout
    return "also by `go tool pprof`"


def check_csv(path):
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["Thread", "Time", "Action", "Pointer", "Size", "Stream"]
    live, refused = {}, 0
    for row in rows:
        assert int(row["Thread"]) > 0 and re.fullmatch(r"\d\d:\d\d:\d\d\.\d{6}", row["Time"]), row
        pointer, size = int(row["Pointer"], 16), int(row["Size"])
        int(row["Stream"], 16)
        if row["Action"] == "allocate":
            assert pointer not in live
            live[pointer] = size
        elif row["Action"] == "free":
            assert live.pop(pointer) == size
        else:
            assert row["Action"] == "allocate failure" and pointer == 0
            refused += 1
    expected = sum(size for name, size in LIVE.items() if name != "other = ")
    assert sum(live.values()) == expected, (live, expected)
    assert refused > 0
    return f"{len(rows)} rows"


def check_folded(path):
    total = 0
    for line in path.read_text().splitlines():
        stack, count = line.rsplit(" ", 1)
        frames = stack.split(";")
        assert frames[0] in ("cuda:0", "cuda:1") and all(frames), line
        total += int(count)
    assert total >= sum(LIVE.values())
    return f"{total} bytes"


def check_trace(path):
    events = json.loads(path.read_text())["traceEvents"]
    names, open_spans, open_blocks = {}, {}, {}
    for event in events:
        track = (event["pid"], event["tid"])
        match event["ph"]:
            case "M":
                names[event["name"], *track] = event["args"]
            case "X":
                # One inside the other, or side by side.
                stack = open_spans.setdefault(track, [])
                begin, end = event["ts"], event["ts"] + event["dur"]
                while stack and stack[-1] <= begin + 0.0021:
                    stack.pop()
                assert not stack or end <= stack[-1] + 0.0021, event
                stack.append(end)
            case "b":
                assert event["id"] not in open_blocks
                open_blocks[event["id"]] = event["name"]
            case "e":
                assert open_blocks.pop(event["id"]) == event["name"]
            case "C":
                assert all(isinstance(value, int) and value >= 0 for value in event["args"].values())
            case "i":
                assert event["name"].startswith("out of memory")
            case other:
                raise AssertionError(other)
        if event["ph"] != "M":
            assert event["ts"] >= 0
            assert ("process_name", event["pid"], 0) in names, event
            if event["ph"] == "X":
                assert ("thread_name", *track) in names, event
    assert not open_blocks
    return f"{len(events)} events"


# What somebody does on a page, and what is seen then.
SCRIPT = """
<script>
window.onerror = function (message) { document.title = "error: " + message; };
window.addEventListener("load", function () {
  var seen = {}, shown = function (list) {
    return Array.prototype.filter.call(list, function (it) { return getComputedStyle(it).display !== "none"; }).length;
  };
  var said = document.getElementById("said");
  var chart = document.querySelector(".timeline");
  if (chart) {
    var box = chart.getBoundingClientRect();
    chart.dispatchEvent(new MouseEvent("mousemove", { clientX: box.left + box.width - 2, clientY: box.top + 9 }));
    seen.timeline = said.textContent;
    var row = document.querySelector("tbody tr[data-s]");
    row.dispatchEvent(new MouseEvent("mouseenter"));
    seen.marked = document.querySelectorAll(".map .marked").length;
    seen.others = document.querySelectorAll(".map [data-s]:not(.marked)").length;
    row.dispatchEvent(new MouseEvent("mouseleave"));
    seen.after = document.querySelectorAll(".map .marked").length;
    var block = document.querySelector(".map rect");
    block.dispatchEvent(new MouseEvent("mouseenter"));
    seen.block = said.textContent;
  }
  var flame = document.querySelector(".flame"), frames = flame.querySelectorAll(".f");
  seen.frames = shown(frames);
  var chosen = Array.prototype.find.call(frames, function (it) { return it.textContent === "f: return sort(a * 2)"; });
  chosen.click();
  seen.chosen = [shown(frames), chosen.style.width, frames[0].style.width];
  frames[0].click();
  seen.again = shown(frames);
  seen.views = [".flame:nth-of-type(1)", ".flame:nth-of-type(2)"].map(function (rule) {
    return getComputedStyle(document.querySelector(".flames " + rule)).display;
  });
  document.querySelectorAll(".flames input")[1].click();
  seen.switched = [".flame:nth-of-type(1)", ".flame:nth-of-type(2)"].map(function (rule) {
    return getComputedStyle(document.querySelector(".flames " + rule)).display;
  });
  seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  seen.bold = document.querySelectorAll("b").length;
  document.title = JSON.stringify(seen);
});
</script>
"""


def browser():
    names = [os.environ.get("BROWSER"), "chromium", "chromium-browser", "google-chrome"]
    found = next((shutil.which(name) for name in names if name and shutil.which(name)), None)
    if found is None:
        sys.exit("no browser: install Chromium, or name one by BROWSER")
    return found


def run_browser(folder, *arguments, dark=False):
    with tempfile.TemporaryDirectory() as home:
        command = [
            browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            f"--user-data-dir={home}", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            "--virtual-time-budget=2000", *arguments,
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stderr
        return done.stdout


def used(folder, name):
    """What the page shows somebody who uses it."""
    page = (folder / name).read_text()
    assert "http" not in page, "a page asks nobody for anything"
    (folder / "used.html").write_text(page.replace("</body>", SCRIPT + "</body>"))
    shown = run_browser(folder, "--dump-dom", f"file://{folder}/used.html")
    title = re.search("<title>(.*?)</title>", shown, re.S).group(1).replace("&quot;", '"').replace("&amp;", "&")
    assert title.startswith("{"), title
    return json.loads(title)


def drawn(folder, name, dark):
    """The page as pixels, and how many have each colour."""
    picture = f"{name}.{'dark' if dark else 'light'}.png"
    run_browser(folder, f"--screenshot={folder / picture}", "--window-size=1200,1500", f"file://{folder}/{name}", dark=dark)
    with Image.open(folder / picture) as image:
        pixels = image.convert("RGB")
        counts = pixels.getcolors(image.width * image.height)
        return pixels, collections.Counter({color: count for count, color in counts})


def colours(style):
    light, dark = style.split("@media", 1)
    read = lambda text: {name: tuple(bytes.fromhex(digits)) for name, digits in re.findall(r"--(\w+):#(\w{6})", text)}
    return read(light), read(dark.split("}}")[0])


def check_pages(folder):
    seen = used(folder, "page.html")
    assert " live of " in seen["timeline"] and "UTC" in seen["timeline"], seen
    assert seen["marked"] == 1 and seen["others"] >= 4 and seen["after"] == 0, seen
    assert " holds " in seen["block"], seen
    assert seen["frames"] >= 5 and seen["again"] == seen["frames"], seen
    # The frame, what stands on it, and those below it: all of it, the device, the statement.
    assert seen["chosen"] == [5, "100%", "100%"], seen
    assert seen["views"] == ["block", "none"] and seen["switched"] == ["none", "block"], seen
    assert seen["wide"] == 0 and seen["bold"] == 0, seen
    seen = used(folder, "graph.flame.html")
    # Another device's frames are away while one is chosen.
    assert seen["frames"] == 7 and seen["chosen"] == [5, "100%", "100%"] and seen["wide"] == 0, seen
    style = (ROOT / "src/replay/export/page/page.css").read_text()
    for dark, theme in zip((False, True), colours(style)):
        _, count = drawn(folder, "page.html", dark)
        assert count.most_common(1)[0][0] == theme["paper"], (dark, count.most_common(3))
        # Blocks of four statements, free memory, text, frames, the line where memory ran out.
        for name, least in {"c0": 3000, "c1": 300, "c2": 300, "c3": 300, "free": 1000, "ink": 200, "f0": 1000, "bad": 50}.items():
            assert count[theme[name]] >= least, (dark, name, count[theme[name]])
        pixels, _ = drawn(folder, "graph.flame.html", dark)
        frames = {theme[f"f{at}"] for at in range(6)}
        across = [pixels.getpixel((x, 150)) in frames for x in range(60, 1140, 10)]
        assert sum(across) > 60, (dark, across)
    return "used and drawn, light and dark"


def main():
    kept = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(kept[0] if kept else temporary).resolve()
        folder.mkdir(exist_ok=True)
        (folder / "program.py").write_text(PROGRAM)
        command = [BINARY, "--no-history", "--simulate", "2x64MiB", "program.py"]
        shown = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
        assert "z += 1" in shown and "kernel: sort float32 (4096,)" in shown, shown
        for kind in ("pprof", "csv", "folded", "html", "json"):
            subprocess.run([BINARY, "replay", "memory.pickle", "--device", "cuda:0", "--export", f"replayed.{kind}"],
                           cwd=folder, check=True, capture_output=True)
        print("pprof:", check_pprof(folder / "heap.pprof"))
        print("RMM's log:", check_csv(folder / "rmm.csv"))
        print("folded stacks:", check_folded(folder / "stacks.folded"))
        print("memory's trace:", check_trace(folder / "memory.json"))
        print("the profile's trace:", check_trace(folder / "profile.json"))
        print("a snapshot's trace:", check_trace(folder / "replayed.json"))
        print("pages:", check_pages(folder))
        print("what is exported is what others read")


main()
