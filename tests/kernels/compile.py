#!/usr/bin/env python3
"""Compiles CUDA C with NVRTC, without a GPU, and prints the log and what each kernel needs.

    tests/kernels/compile.py kernels/scan.cu --arch sm_90 -DT=float
    tests/kernels/compile.py a.cu b.cu --arch sm_80 --arch sm_100
    genesis-repl … | tests/kernels/compile.py -

NVRTC is found in pip's nvidia packages of this Python (`pip install --no-deps
nvidia-cuda-nvrtc==13.0.88`), or given with `--nvrtc FOLDER`. Options that are not known here go to
NVRTC as they are; a macro named `T` breaks its own headers, so define such names in the source.
`--join` makes one program of several sources, as a kernel file and the common file before it. The
exit code is 1 if anything did not compile.
"""

import argparse
import ctypes
import glob
import os
import re
import sys
import time


def find_nvrtc(folder):
    """The newest libnvrtc in a folder, or in pip's nvidia packages."""
    folders = [folder] if folder else [
        found for path in sys.path for found in sorted(glob.glob(f"{path}/nvidia/*/lib"))
    ]
    for folder in folders:
        libraries = [
            path for path in sorted(glob.glob(f"{folder}/libnvrtc.so.*")) if ".alt." not in path
        ]
        if libraries:
            return libraries[-1]
    sys.exit("no libnvrtc: pip install --no-deps nvidia-cuda-nvrtc==13.0.88")


class Nvrtc:
    """The handful of NVRTC's functions that turn source into a CUBIN."""

    def __init__(self, folder=None):
        path = find_nvrtc(folder)
        self.lib = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        # NVRTC opens its builtins by bare name; a copy already in the process answers that.
        for builtins in glob.glob(os.path.dirname(path) + "/libnvrtc-builtins.so.*"):
            if ".alt." not in builtins:
                ctypes.CDLL(builtins, mode=ctypes.RTLD_GLOBAL)
        self.lib.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.lib.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = f"{major.value}.{minor.value}"

    def compile(self, source, name, options):
        """(cubin or None, log)"""
        program = ctypes.c_void_p()
        self.check(self.lib.nvrtcCreateProgram(
            ctypes.byref(program), source.encode(), name.encode(), 0, None, None))
        try:
            array = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
            result = self.lib.nvrtcCompileProgram(program, len(options), array)
            log = self.bytes_of("ProgramLog", program).rstrip(b"\0").decode().strip()
            if result != 0:
                return None, log or self.lib.nvrtcGetErrorString(result).decode()
            return self.bytes_of("CUBIN", program), log
        finally:
            self.lib.nvrtcDestroyProgram(ctypes.byref(program))

    def bytes_of(self, what, program):
        size = ctypes.c_size_t()
        self.check(getattr(self.lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        self.check(getattr(self.lib, f"nvrtcGet{what}")(program, buffer))
        return buffer.raw

    def check(self, result):
        if result != 0:
            raise RuntimeError(self.lib.nvrtcGetErrorString(result).decode())


def resources(log):
    """(kernel, what it needs) for each kernel, and the log without those lines."""
    kernels, rest, name, notes = [], [], None, []
    for line in log.splitlines():
        if found := re.search(r"Compiling entry function '([^']+)'", line):
            name, notes = found[1], []
        elif "bytes stack frame" in line:
            notes = [note for note in re.findall(r"(\d+ bytes [a-z ]+)", line) if note[0] != "0"]
        elif found := re.search(r"Used (\d+) registers(.*)", line):
            kernels.append((name, ", ".join([f"{found[1]} registers{found[2]}"] + notes)))
        elif "Function properties" not in line and not line.startswith("ptxas info"):
            rest.append(line)
    return kernels, "\n".join(rest).strip()


def read(path):
    if path == "-":
        return sys.stdin.read()
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], allow_abbrev=False)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="a file, or - for the input")
    parser.add_argument("--arch", action="append", help="sm_80, sm_90 (the default), …")
    parser.add_argument("--nvrtc", help="the folder with libnvrtc")
    parser.add_argument("--join", action="store_true", help="the sources are one program")
    parser.add_argument("--cubin", help="write the last CUBIN to this file")
    parser.add_argument("--quiet", action="store_true", help="print failures only")
    arguments, options = parser.parse_known_args()

    programs = [(path, read(path)) for path in arguments.sources]
    if arguments.join:
        text = "".join(f'#line 1 "{path}"\n{source}\n' for path, source in programs)
        programs = [(arguments.sources[-1], text)]

    nvrtc = Nvrtc(arguments.nvrtc)
    failures = 0
    for path, source in programs:
        for arch in arguments.arch or ["sm_90"]:
            # The same options as the session's, unless the command line says otherwise.
            given = [f"--gpu-architecture={arch}", "--std=c++17", "-Xptxas", "-v", *options]
            start = time.perf_counter()
            cubin, log = nvrtc.compile(source, path, given)
            milliseconds = (time.perf_counter() - start) * 1e3
            failures += cubin is None
            kernels, log = resources(log)
            if cubin is None or not arguments.quiet:
                state = "failed" if cubin is None else f"{len(cubin)} bytes"
                print(f"{path} {arch}: {state}, {milliseconds:.0f} ms, NVRTC {nvrtc.version}")
                for kernel, needs in kernels:
                    print(f"  {kernel}: {needs}")
            if log:
                print(log)
            if cubin and arguments.cubin:
                with open(arguments.cubin, "wb") as file:
                    file.write(cubin)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
