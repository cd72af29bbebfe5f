"""`:view` of large tensors: controls that ask the kernel on a comm, in the protocol of Jupyter's widgets."""

import tempfile
import time
import unittest

from kernel import ENDLESS, PATIENCE, Kernel

VIEW = "application/vnd.jupyter.widget-view+json"


class Front:
    """What a front end with widgets does with a kernel."""

    def __init__(self, kernel):
        self.kernel, self.client = kernel, kernel.client
        self.states = {}

    def view(self, code):
        """Runs a cell that shows a view; its model's name."""
        cell = self.kernel.run(code)
        assert cell.status == "ok", cell.reply
        kinds = [output["msg_type"] for output in cell.outputs]
        assert kinds.index("comm_open") < kinds.index("display_data"), kinds
        [opened] = [output for output in cell.outputs if output["msg_type"] == "comm_open"]
        [shown] = [output["content"]["data"] for output in cell.outputs if output["msg_type"] == "display_data"]
        self.opened, self.shown = opened, shown
        model = opened["content"]["comm_id"]
        assert shown[VIEW]["model_id"] == model
        self.states[model] = opened["content"]["data"]["state"]
        return model

    def send(self, kind, content):
        message = self.client.session.msg(kind, content)
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def answers(self, request):
        """What is published for a request."""
        found = []
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["content"].get("execution_state") == "idle":
                return found
            if message["msg_type"] != "status":
                found.append(message)

    def say(self, model, data):
        """Says something on a comm; the state after it, and the keys that were updated."""
        keys = set()
        for message in self.answers(self.send("comm_msg", {"comm_id": model, "data": data})):
            assert message["msg_type"] == "comm_msg", message
            assert message["content"]["comm_id"] == model
            assert message["content"]["data"]["method"] == "update"
            self.states[model].update(message["content"]["data"]["state"])
            keys |= set(message["content"]["data"]["state"])
        return self.states[model], keys

    def go(self, model, **changes):
        place = {**self.states[model]["place"], **changes}
        self.states[model]["place"] = place
        return self.say(model, {"method": "update", "state": {"place": place}, "buffer_paths": []})

    def do(self, model, what, text, **more):
        return self.say(model, {"method": "custom", "content": {"do": what, "text": text, **more}})


class Widgets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernel = Kernel()
        cls.kernel.__enter__()
        cls.front = Front(cls.kernel)

    @classmethod
    def tearDownClass(cls):
        cls.kernel.__exit__()

    def setUp(self):
        self.kernel.run(":reset")

    def see(self, text, html):
        self.assertTrue(text in html, f"{text!r} is not in {html[:400]}… {html[-400:]}")

    def test_the_model(self):
        self.kernel.run("x = arange(40 * 100 * 200).reshape(40, 100, 200)")
        model = self.front.view(":view x")
        self.assertEqual(self.front.opened["content"]["target_name"], "jupyter.widget")
        self.assertEqual(self.front.opened["metadata"]["version"].split(".")[0], "2")
        state = self.front.states[model]
        self.assertEqual((state["_model_module"], state["_model_name"], state["_view_name"]), ("anywidget", "AnyModel", "AnyView"))
        self.assertIn("export default", state["_esm"])
        self.assertEqual(state["shape"], [40, 100, 200])
        self.assertEqual(state["place"]["at"], [0, 0, 0])
        self.assertIn("int64", state["title"])
        # Without widgets there is the first slice, and what to install.
        self.assertIn("slice [0, ↓, →]", self.front.shown["text/plain"])
        self.assertIn("pip install anywidget", self.front.shown["text/html"])
        # Small ones have sliders without a kernel.
        kinds = [output["msg_type"] for output in self.kernel.run(":view x[0, :3]").outputs]
        self.assertNotIn("comm_open", kinds)

    def test_places(self):
        self.kernel.run("x = arange(40 * 100 * 200).reshape(40, 100, 200)")
        model = self.front.view(":view x")
        state, keys = self.front.go(model, at=[7, 3, 5])
        self.assertEqual(keys, {"sheet"})
        self.see("[7, ↓, →]", state["sheet"]["html"])
        self.see(f">{7 * 20000 + 3 * 200 + 5}</td>", state["sheet"]["html"])
        # Beyond the last row that fills the page there is nothing to see: the place is another.
        state, keys = self.front.go(model, at=[0, 99, 199])
        self.assertEqual((keys, state["place"]["at"]), ({"sheet", "place"}, [0, 80, 188]))
        state, _ = self.front.go(model, at=[0, 0, 0], row=0, col=1)
        self.see("[↓, →, 0]", state["sheet"]["html"])
        self.see(">20000</td>", state["sheet"]["html"])
        state, _ = self.front.go(model, colours=True)
        self.see("background:", state["sheet"]["html"])
        for below, words in (
            ("overview", "<img"), ("slice", "statistics of the slice"), ("whole", "799999"), ("rows", "greatest"),
            ("columns", "column"),
        ):
            state, _ = self.front.go(model, below=below)
            self.see(words, state["sheet"]["html"])
        state, _ = self.front.do(model, "go", "3, :, 7")
        self.assertEqual((state["place"]["row"], state["place"]["col"]), (0, 1))
        self.see("outline", state["sheet"]["html"])
        state, _ = self.front.do(model, "go", "3, :, 777")
        self.assertIn("out of bounds", state["sheet"]["message"])

    def test_search(self):
        self.kernel.run("x = zeros(50, 100, 100); x[3, 4, 5] = nan; x[20, 99, 99] = inf; x[0, 0, 0] = nan; x[9, 9, 9] = 7")
        model = self.front.view(":view x")
        places = []
        for _ in range(4):
            state, _ = self.front.do(model, "find", "")
            places.append((state["sheet"]["message"], state["place"]["at"][0]))
        self.assertEqual(places, [("", 0), ("", 3), ("", 20), ("on from the beginning", 0)])
        self.see("<mark", state["sheet"]["html"])
        state, _ = self.front.do(model, "find", "> 3 ", forward=True)
        self.see("[9, 9, 9] = 7.0", state["sheet"]["html"])
        state, _ = self.front.do(model, "find", "", forward=False)
        self.see("[3, 4, 5] = nan", state["sheet"]["html"])
        state, _ = self.front.do(model, "find", "123")
        self.assertEqual(state["sheet"]["message"], "no element is 123")
        state, _ = self.front.do(model, "find", "tree")
        self.assertIn("expected a number", state["sheet"]["message"])

    def test_names_change(self):
        self.kernel.run("x = zeros(300, 300)")
        model = self.front.view(":view x")
        # What is written in place is seen.
        self.kernel.run("x[0, 0] = 5")
        state, _ = self.front.go(model)
        self.see("[0, 0] = 5.0", state["sheet"]["html"])
        self.assertEqual(state["sheet"]["message"], "")
        self.kernel.run("x += 1")
        state, _ = self.front.go(model)
        self.see("[0, 0] = 6.0", state["sheet"]["html"])
        self.kernel.run("x = ones(300, 300) * 9")
        state, _ = self.front.go(model, at=[1, 1])
        self.assertIn("assigned anew", state["sheet"]["message"])
        self.see("[1, 1] = 9.0", state["sheet"]["html"])
        state, _ = self.front.go(model, at=[1, 2])
        self.assertEqual(state["sheet"]["message"], "")
        self.kernel.run("x = arange(30000).reshape(3, 100, 100)")
        state, keys = self.front.go(model, at=[200, 2])
        self.assertIn("assigned anew", state["sheet"]["message"])
        self.assertEqual((state["shape"], len(state["place"]["at"])), ([3, 100, 100], 3))
        self.assertLessEqual({"title", "shape", "place", "sheet"}, keys)
        # It holds nothing: what is deleted is gone.
        self.kernel.run("x = zeros(1 << 20)")
        self.front.go(model, at=[0])
        self.kernel.run("del x")
        self.assertIn("0 B", self.kernel.run(":mem").text() + str(self.kernel.run(":mem").outputs))
        state, _ = self.front.go(model, at=[9])
        self.assertIn("`x` is not there any more", state["sheet"]["message"])
        self.assertEqual(state["place"]["at"], [0])
        self.kernel.run("x = 'text'")
        state, _ = self.front.go(model, at=[9])
        self.assertIn("`x` is str now", state["sheet"]["message"])

    def test_what_has_no_name_is_a_result(self):
        model = self.front.view(":view zeros(300, 300) + 3")
        state, _ = self.front.go(model, at=[9, 9])
        self.see("[9, 9] = 3.0", state["sheet"]["html"])
        self.assertEqual(self.kernel.run("_.shape").result, "(300, 300)")
        self.kernel.run("del Out")
        self.kernel.run(":reset")
        state, _ = self.front.go(model, at=[9, 8])
        self.assertIn("is not there any more", state["sheet"]["message"])

    def test_items_and_fields(self):
        self.kernel.run("p = {'w': [zeros(200, 300)]}; p['w'][0][5, 5] = 8")
        model = self.front.view(":view p['w'][0][5:]")
        for _ in range(2):
            state, _ = self.front.go(model, at=[0, 1])
            self.assertEqual(state["sheet"]["message"], "")
            self.see("[0, 5] = 8.0", state["sheet"]["html"])
        self.kernel.run("p = {}")
        self.assertIn("not there any more", self.front.go(model)[0]["sheet"]["message"])

    def test_files_are_read_in_part(self):
        with tempfile.TemporaryDirectory() as folder:
            name = f"{folder}/m.safetensors"
            self.kernel.run(f"save('{name}', {{'w': arange(3000 * 1000).astype(float32).reshape(3000, 1000)}})")
            self.kernel.run(f"ck = load('{name}')")
            model = self.front.view(":view ck['w']")
            state, _ = self.front.go(model, at=[2000, 0])
            self.see("[2000, 1] = 2.000001e+06", state["sheet"]["html"])
            # Even the statistics of all of it need no more than a piece.
            state, _ = self.front.go(model, below="whole")
            self.see("2999999.0", state["sheet"]["html"])
            with open(name, "r+b") as file:
                file.truncate(5000)
            state, _ = self.front.go(model, at=[2900, 0], below="nothing")
            self.assertNotEqual(state["sheet"]["message"], "")

    def test_hostile_messages_are_answered(self):
        self.kernel.run("x = zeros(300, 300)")
        model = self.front.view(":view x")
        good = self.front.states[model]["place"]
        wrong = [
            {}, {"method": None}, {"method": 3}, {"method": "update"}, {"method": "update", "state": None},
            {"method": "update", "state": {"place": 3}}, {"method": "update", "state": {"sheet": {}}},
            {"method": "custom"}, {"method": "custom", "content": 7}, {"method": "custom", "content": {"do": "burn"}},
            {"method": "custom", "content": {"do": "find", "text": 7}}, {"method": "custom", "content": {"do": "go", "text": "1" * 5000}},
            {"method": "custom", "content": {"do": "find", "text": "<script>"}},
        ] + [
            {"method": "update", "state": {"place": {**good, **part}}}
            for part in (
                {"at": [300, 0]}, {"at": [0]}, {"at": [0] * 40}, {"at": [-1, 0]}, {"at": [0.5, 0]}, {"at": [1e300, 0]},
                {"at": [2**64, 0]}, {"at": ["0", 0]}, {"at": None}, {"at": {}}, {"row": 5}, {"row": 1}, {"col": 0},
                {"row": None}, {"col": None, "row": None}, {"row": -1}, {"row": "0"}, {"colours": 3}, {"below": 3}, {"below": "x"},
            )
        ]
        for data in wrong:
            with self.subTest(data=data):
                state, keys = self.front.say(model, data)
                self.assertIn("sheet", keys)
                self.assertNotEqual(state["sheet"]["message"], "", data)
                self.assertNotIn("internal error", state["sheet"]["message"])
                self.assertEqual(state["place"], good)
        state, _ = self.front.go(model, at=[1, 1])
        self.assertEqual(state["sheet"]["message"], "")
        # What is no comm message at all is dropped, and the kernel goes on.
        for content in ({"comm_id": model, "data": 3}, {"comm_id": 3}, {}, {"comm_id": None, "data": {}}):
            self.front.send("comm_msg", content)
            self.front.send("comm_open", content)
        self.assertEqual(self.kernel.run("1 + 1").result, "2")

    def test_comms_are_listed_opened_and_closed(self):
        self.kernel.run("x = zeros(300, 300)")
        model = self.front.view(":view x")

        def info(content):
            request = self.front.send("comm_info_request", content)
            reply = self.kernel.reply(request)["content"]
            self.assertEqual(reply["status"], "ok")
            return reply["comms"]

        self.assertEqual(info({"target_name": "jupyter.widget"})[model], {"target_name": "jupyter.widget"})
        self.assertIn(model, info({}))
        self.assertEqual(info({"target_name": "other"}), {})
        # A front end that has just loaded the page asks for everything.
        self.front.answers(self.front.send("comm_open", {"comm_id": "control", "target_name": "jupyter.widget.control", "data": {}}))
        self.assertEqual(info({"target_name": "jupyter.widget.control"}), {"control": {"target_name": "jupyter.widget.control"}})
        [message] = self.front.answers(self.front.send("comm_msg", {"comm_id": "control", "data": {"method": "request_states"}}))
        data = message["content"]["data"]
        self.assertEqual((data["method"], data["buffer_paths"]), ("update_states", []))
        whole = data["states"][model]
        self.assertEqual((whole["model_module"], whole["model_name"]), ("anywidget", "AnyModel"))
        self.assertEqual(whole["state"]["shape"], [300, 300])
        [message] = self.front.answers(self.front.send("comm_msg", {"comm_id": "control", "data": {"method": "x"}}))
        self.assertIn("request_states", message["content"]["data"]["message"])
        self.assertEqual(self.front.answers(self.front.send("comm_close", {"comm_id": "control", "data": {}})), [])
        state, keys = self.front.say(model, {"method": "request_state"})
        self.assertLessEqual({"_esm", "place", "sheet", "title"}, keys)
        # Nobody here knows other targets, and other comms.
        for target in ("jupyter.widget", "matplotlib", ""):
            [message] = self.front.answers(self.front.send("comm_open", {"comm_id": "new", "target_name": target, "data": {}}))
            self.assertEqual((message["msg_type"], message["content"]["comm_id"]), ("comm_close", "new"))
        [message] = self.front.answers(self.front.send("comm_msg", {"comm_id": "none", "data": {}}))
        self.assertEqual(message["msg_type"], "comm_close")
        self.front.send("comm_close", {"comm_id": model, "data": {}})
        self.assertNotIn(model, info({}))
        self.assertEqual(self.front.answers(self.front.send("comm_close", {"comm_id": model, "data": {}})), [])

    def test_while_a_cell_runs(self):
        self.kernel.run("x = zeros(300, 300)")
        model = self.front.view(":view x")
        cell = self.kernel.client.execute("import time\nx[1, 1] = 4\ntime.sleep(0.5)")
        place = {**self.front.states[model]["place"], "at": [1, 1]}
        asked = self.front.send("comm_msg", {"comm_id": model, "data": {"method": "update", "state": {"place": place}}})
        self.kernel.collect(cell)
        [message] = self.front.answers(asked)
        self.see("[1, 1] = 4.0", message["content"]["data"]["state"]["sheet"]["html"])
        # An interrupt is the cell's; the view is answered, and a cell that fails takes no view along.
        cell = self.kernel.client.execute(ENDLESS)
        self.kernel.wait_for_begin(cell)
        asked = self.front.send("comm_msg", {"comm_id": model, "data": {"method": "update", "state": {"place": place}}})
        time.sleep(0.3)
        self.kernel.interrupt()
        self.assertEqual(self.kernel.collect(cell).error, "KeyboardInterrupt")
        [message] = self.front.answers(asked)
        self.assertEqual(message["content"]["data"]["state"]["sheet"]["message"], "")

    def test_long_work_says_how_far_it_is_and_can_be_stopped(self):
        # As many elements as take seconds, over memory for a few.
        self.kernel.run("x = broadcast_to(arange(1000.0), (3_000_000, 1000))")
        model = self.front.view(":view x")
        asked = self.front.send("comm_msg", {"comm_id": model, "data": {"method": "custom", "content": {"do": "find", "text": "> 2000"}}})
        progress = None
        while progress is None:
            message = self.kernel.client.get_iopub_msg(timeout=PATIENCE)
            if message["msg_type"] == "comm_msg":
                progress = message["content"]["data"]["state"].get("progress")
        self.assertIn(" % ", progress.replace("%,", "% ,"))
        begun = time.monotonic()
        self.kernel.interrupt()
        answers = self.front.answers(asked)
        self.assertLess(time.monotonic() - begun, 5)
        last = answers[-1]["content"]["data"]["state"]
        self.assertEqual((last["sheet"]["message"], last["progress"]), ("stopped", ""))
        # The interrupt is used up.
        self.assertEqual(self.kernel.run("1 + 1").result, "2")
        state, _ = self.front.go(model, at=[5, 5])
        self.see("[5, 5] = 5.0", state["sheet"]["html"])

    def test_cells_that_leave_no_trace(self):
        self.kernel.run("x = zeros(300, 300)")
        for options, shown in (({"silent": True}, []), ({"store_history": False}, ["display_data"])):
            outputs = self.kernel.run(":view x", **options).outputs
            self.assertEqual([it["msg_type"] for it in outputs if it["msg_type"] not in ("status", "execute_input")], shown)


if __name__ == "__main__":
    unittest.main()
