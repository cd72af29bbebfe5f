"""Peers that are broken, hostile, slow or many."""

import hashlib
import hmac
import itertools
import json
import random
import socket
import struct
import tempfile
import time
import unittest

import zmq

from kernel import ENDLESS, Kernel, nothing

CHANNELS = ("shell", "control", "stdin", "iopub", "hb")
ROUTERS = ("shell", "control", "stdin")
# A message that came before is a replay.
NUMBERS = itertools.count(1)
HANDSHAKE = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48)


def ready(kind):
    """The READY command of a peer's socket."""
    body = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind
    return b"\x04" + bytes([len(body)]) + body


PEERS = {"shell": b"DEALER", "control": b"DEALER", "stdin": b"DEALER", "iopub": b"SUB",
         "hb": b"REQ"}


class Hostile(unittest.TestCase):
    """Dropped, logged, never answered, never fatal."""

    @classmethod
    def setUpClass(cls):
        cls.kernel = Kernel().__enter__()
        cls.addClassCleanup(cls.kernel.__exit__)

    def tearDown(self):
        self.assertIsNone(self.kernel.process.poll(), "the kernel has ended")
        self.assertEqual(self.kernel.run("6 * 7").result, "42")

    def raw(self, channel):
        """A connection that speaks no ZeroMQ by itself."""
        port = getattr(self.kernel.client, f"{channel}_port")
        peer = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.addCleanup(peer.close)
        return peer

    def dealer(self, channel):
        port = getattr(self.kernel.client, f"{channel}_port")
        peer = zmq.Context.instance().socket(zmq.DEALER)
        peer.linger = 0
        peer.connect(f"tcp://127.0.0.1:{port}")
        self.addCleanup(peer.close)
        return peer

    def parts(self, kind="kernel_info_request", content=b"{}", key=None):
        """The frames of a message, signed with the kernel's key or another."""
        header = json.dumps({
            "msg_id": str(next(NUMBERS)), "username": "u", "session": "s", "msg_type": kind, "version": "5.4",
            "date": "2026-01-01T00:00:00Z"}).encode()
        parts = [header, b"{}", b"{}", content]
        key = self.kernel.client.session.key if key is None else key
        signature = hmac.new(key, b"".join(parts), hashlib.sha256).hexdigest().encode()
        return [b"<IDS|MSG>", signature, *parts]

    def test_a_good_message_by_hand_is_answered(self):
        peer = self.dealer("shell")
        peer.send_multipart(self.parts())
        self.assertTrue(peer.poll(20_000))

    def test_bad_signatures(self):
        good = self.parts()
        for channel in ROUTERS:
            peer = self.dealer(channel)
            for signature in (b"", b"0" * 64, b"zz", good[1][:-1], good[1].upper(), b"\xff" * 64):
                peer.send_multipart([good[0], signature, *good[2:]])
            peer.send_multipart(self.parts(key=b"another"))
            peer.send_multipart(self.parts("shutdown_request", b'{"restart": false}', b"another"))
            peer.send_multipart(self.parts("execute_request", b'{"code": "hacked = 1"}', b"other"))
            self.assertFalse(peer.poll(300), channel)
        self.assertEqual(self.kernel.run("hacked").error, "NameError")
        complaints = self.kernel.complained()
        for channel in ROUTERS:
            self.assertIn(f"dropped a message on {channel}", complaints)

    def test_broken_messages_with_good_signatures(self):
        chance = random.Random(3)
        bad = [b"", b"[", b"null", b"[]", b"\xff\xfe", b"{" * 5000, b'{"code": 5}', b'"text"',
               b'{"code": "1", "user_expressions": 3}', b'{"cursor_pos": -1, "code": "a"}',
               b'{"restart": "maybe"}', b'{"value": {}}', b"1e999"]
        kinds = ["execute_request", "complete_request", "inspect_request", "history_request",
                 "is_complete_request", "comm_open", "comm_msg", "comm_info_request", "input_reply",
                 "interrupt_reply", "no_such_request", "", "x" * 10_000]
        for channel in ROUTERS:
            peer = self.dealer(channel)
            for _ in range(60):
                peer.send_multipart(self.parts(chance.choice(kinds), chance.choice(bad)))
            # Whatever could still be made of one of them was answered as a request of its own kind.
            while peer.poll(200):
                self.assertNotIn(b"internal error", b"".join(peer.recv_multipart()))

    def test_a_replayed_request_is_not_run_again(self):
        self.kernel.run("ran = []")
        content = json.dumps({"code": "ran.append(1)"}).encode()
        request = self.parts("execute_request", content)
        peer = self.dealer("shell")
        peer.send_multipart(request)
        self.assertTrue(peer.poll(20_000))
        peer.recv_multipart()
        for channel in ROUTERS:
            again = peer if channel == "shell" else self.dealer(channel)
            again.send_multipart(request)
            # Neither buffers nor an identity make it another message.
            again.send_multipart([b"somebody", *request, b"buffer"])
            self.assertFalse(again.poll(300), channel)
        self.assertEqual(self.kernel.run("len(ran)").result, "1")
        self.assertIn("replay", self.kernel.complained())

    def test_what_can_not_be_understood_is_refused(self):
        for channel in ("shell", "control"):
            kinds = ["interrupt_request", "shutdown_request"] if channel == "control" else [
                "execute_request", "complete_request", "inspect_request", "history_request",
                "is_complete_request"]
            for kind in kinds:
                for content in (b"[]", b"null", b"{", b'{"code": 5, "restart": "x"}'):
                    # Of these every field may be left out.
                    if kind == "interrupt_request" and content != b"{":
                        continue
                    if kind == "history_request" and content[-1:] == b"}":
                        continue
                    peer = self.dealer(channel)
                    peer.send_multipart(self.parts(kind, content))
                    self.assertTrue(peer.poll(20_000), (kind, content))
                    *_, header, parent, _, reply = peer.recv_multipart()[:6]
                    self.assertEqual(json.loads(header)["msg_type"], kind.replace("_request", "_reply"))
                    self.assertEqual(json.loads(parent)["msg_type"], kind)
                    reply = json.loads(reply)
                    self.assertEqual(reply["status"], "error", (kind, content))
                    self.assertIn("understood", reply["evalue"])
                    self.assertEqual(reply["traceback"], [])

    def test_wrong_numbers_of_frames(self):
        good = self.parts()
        for channel in ROUTERS:
            peer = self.dealer(channel)
            for frames in ([b""], [b"<IDS|MSG>"], good[:2], good[:4], good[1:], [b"a"] * 3000,
                           [b"<IDS|MSG>"] * 9, [b"", *good[:-1]]):
                peer.send_multipart(frames)
            self.assertFalse(peer.poll(300), channel)

    def test_random_frames(self):
        chance = random.Random(4)
        for channel in ROUTERS:
            peer = self.dealer(channel)
            for _ in range(200):
                frames = list(self.parts())
                for _ in range(chance.randrange(1, 4)):
                    at = chance.randrange(len(frames))
                    frames[at] = chance.randbytes(chance.randrange(40))
                peer.send_multipart(frames)
            # A changed identity, which is no part of the message, changes nothing else.
            while peer.poll(200):
                peer.recv_multipart()

    def test_bytes_that_are_no_zeromq(self):
        chance = random.Random(5)
        for channel in CHANNELS:
            for _ in range(20):
                with self.raw(channel) as peer:
                    peer.sendall(chance.randbytes(chance.randrange(1, 400)))
                with self.raw(channel) as peer:
                    hello = HANDSHAKE + ready(PEERS[channel])
                    peer.sendall(hello[:chance.randrange(len(hello))])
                with self.raw(channel) as peer:
                    peer.sendall(HANDSHAKE + ready(PEERS[channel]))
                    peer.sendall(chance.randbytes(chance.randrange(1, 400)))

    def test_lengths_beyond_all_memory(self):
        lengths = (1 << 28, 1 << 36, 1 << 44, 1 << 47, 1 << 62, (1 << 63) - 1, (1 << 64) - 1)
        for channel in CHANNELS:
            for length in lengths:
                for flags in (2, 3, 6):
                    for hello in (HANDSHAKE, HANDSHAKE + ready(PEERS[channel])):
                        with self.raw(channel) as peer:
                            peer.sendall(hello + bytes([flags]) + struct.pack(">Q", length) + b"x")
                            # Answered by the end of the connection, after our own greeting.
                            peer.settimeout(20)
                            try:
                                while peer.recv(4096):
                                    pass
                            except ConnectionResetError:
                                pass
        self.assertIn("bytes were announced", self.kernel.complained())

    def test_who_comes_back_under_an_identity_gets_its_replies(self):
        old, new = (zmq.Context.instance().socket(zmq.DEALER) for _ in range(2))
        for peer in (old, new):
            peer.linger = 0
            self.addCleanup(peer.close)
            peer.setsockopt(zmq.IDENTITY, b"twin")
            peer.connect(f"tcp://127.0.0.1:{self.kernel.client.shell_port}")
            peer.send_multipart(self.parts())
            self.assertTrue(peer.poll(20_000))
            peer.recv_multipart()
        old.close()
        time.sleep(0.3)
        new.send_multipart(self.parts())
        self.assertTrue(new.poll(20_000), "the end of the old connection is none of the new one")


class Many(unittest.TestCase):
    def test_each_subscriber_is_welcomed_once(self):
        with Kernel() as kernel:
            first = subscriber(kernel)
            self.assertEqual(welcome(first), "iopub_welcome")
            second = subscriber(kernel)
            self.assertEqual(welcome(second), "iopub_welcome")
            self.assertEqual((first.poll(300), second.poll(300)), (0, 0))
            first.close()
            second.close()

    def test_a_reader_who_does_not_read_holds_up_nobody(self):
        with Kernel() as kernel:
            stalled = socket.socket()
            self.addCleanup(stalled.close)
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stalled.connect(("127.0.0.1", kernel.client.iopub_port))
            stalled.sendall(HANDSHAKE + ready(b"SUB") + b"\x00\x01\x01")
            time.sleep(0.3)
            cell = kernel.run("s = 'x' * 1_000_000\n" + "print(s)\n" * 40)
            self.assertEqual(len(cell.text()), 40 * 1_000_001)
            # Somebody new is let in as ever.
            other = kernel.connect()
            self.assertEqual(kernel.run("1 + 1", other).result, "2")
            other.stop_channels()
            stalled.close()
            self.assertEqual(kernel.run("2 + 2").result, "4")

    def test_two_clients_each_get_their_own_replies(self):
        with Kernel() as kernel:
            other = kernel.connect()
            for i in range(20):
                mine, theirs = kernel.client.execute(f"{i}"), other.execute(f"{i} + 100")
                self.assertEqual(kernel.collect(mine).result, str(i))
                self.assertEqual(kernel.collect(theirs, other).result, str(i + 100))
            self.assertTrue(nothing(kernel.client.get_shell_msg))
            self.assertTrue(nothing(other.get_shell_msg))
            other.stop_channels()

    def test_sockets_in_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with Kernel(transport="ipc", ip=f"{folder}/k") as kernel:
                self.assertEqual(kernel.run("1 + 2").result, "3")
                request = kernel.client.execute("input('?')", allow_stdin=True)
                kernel.client.get_stdin_msg(timeout=60)
                kernel.client.input("yes")
                self.assertEqual(kernel.collect(request).result, "'yes'")
                request = kernel.client.execute(ENDLESS)
                kernel.wait_for_begin(request)
                kernel.interrupt()
                self.assertEqual(kernel.collect(request).error, "KeyboardInterrupt")
                self.assertTrue(kernel.client.hb_channel.is_beating())


def subscriber(kernel):
    peer = zmq.Context.instance().socket(zmq.SUB)
    peer.linger = 0
    peer.connect(f"tcp://127.0.0.1:{kernel.client.iopub_port}")
    peer.subscribe(b"")
    return peer


def welcome(peer):
    assert peer.poll(20_000)
    frames = peer.recv_multipart()
    return json.loads(frames[frames.index(b"<IDS|MSG>") + 2])["msg_type"]


if __name__ == "__main__":
    unittest.main()
