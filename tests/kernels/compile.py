#!/usr/bin/env python3
"""Compiles CUDA C with NVRTC, without a GPU, and prints the log and what each kernel needs.

    tests/kernels/compile.py kernels/deliver.cu --arch sm_90 -DITEM=f32
    tests/kernels/compile.py --join kernels/prelude.cuh kernels/scan.cu
    tests/kernels/compile.py --summary --arch sm_80 --arch sm_100 target/kernels

A source is a file, a folder of them, or `-` for the input. NVRTC is found in pip's nvidia packages
of this Python, in those of `target/nvrtc` (which `tests/kernels/nvrtc` makes), or given with
`--nvrtc FOLDER`. Options that are not known here go to NVRTC as they are; a macro named `T` breaks
its own headers, so define such names in the source. `--join` makes one program of several sources,
as a kernel file and what stands before it. The exit code is 1 if anything did not compile.
"""

import argparse
import ctypes
import glob
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor


# What a kernel is called where it is defined.
KERNEL = re.compile(r"__global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(")


def find_nvrtc(folder):
    """The newest libnvrtc in a folder, or in pip's nvidia packages."""
    root = os.path.dirname(os.path.abspath(__file__)) + "/../.."
    folders = [folder] if folder else [
        found
        for path in [*sys.path, f"{root}/target/nvrtc"]
        for found in sorted(glob.glob(f"{path}/nvidia/*/lib"))
    ]
    for folder in folders:
        libraries = [
            path for path in sorted(glob.glob(f"{folder}/libnvrtc.so.*")) if ".alt." not in path
        ]
        if libraries:
            return libraries[-1]
    sys.exit("there is no NVRTC: run tests/kernels/nvrtc")


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
    """(name, text) of each source that a path means."""
    if path == "-":
        return [("input", sys.stdin.read())]
    files = sorted(glob.glob(f"{path}/*.cu")) if os.path.isdir(path) else [path]
    found = []
    for file in files:
        with open(file, encoding="utf-8") as opened:
            found.append((file, opened.read()))
    return found


def share(programs, limit):
    """About `limit` of the programs: as large a part of each family, and of none nothing."""
    families = {}
    for program in programs:
        families.setdefault(tuple(KERNEL.findall(program[1])), []).append(program)
    chosen = []
    for family in families.values():
        count = max(1, round(len(family) * limit / len(programs)))
        chosen += [family[at * len(family) // count] for at in range(count)]
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], allow_abbrev=False)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="a file, a folder, or -")
    parser.add_argument("--arch", action="append", help="sm_80, sm_90 (the default), …")
    parser.add_argument("--nvrtc", help="the folder with libnvrtc")
    parser.add_argument("--join", action="store_true", help="the sources are one program")
    parser.add_argument("--cubin", help="write the last CUBIN to this file")
    parser.add_argument("--summary", action="store_true", help="print failures, spills, a count")
    parser.add_argument("--limit", type=int, help="about so many sources, some of each family")
    arguments, options = parser.parse_known_args()

    programs = [program for path in arguments.sources for program in read(path)]
    if arguments.join:
        text = "".join(f'#line 1 "{path}"\n{source}\n' for path, source in programs)
        programs = [(programs[-1][0], text)]
    if arguments.limit and len(programs) > arguments.limit:
        programs = share(programs, arguments.limit)
    if not programs:
        sys.exit("there is nothing to compile")

    nvrtc = Nvrtc(arguments.nvrtc)

    def compile_one(task):
        path, source, arch = task
        # The program's own options, unless the command line says otherwise.
        given = [f"--gpu-architecture={arch}", "--fmad=false", "-std=c++17", "--device-int128",
                 "-Xptxas", "-v", *options]
        start = time.perf_counter()
        cubin, log = nvrtc.compile(source, path, given)
        return path, arch, cubin, *resources(log), (time.perf_counter() - start) * 1e3

    start, failures, count = time.perf_counter(), 0, 0
    tasks = [(*program, arch) for arch in arguments.arch or ["sm_90"] for program in programs]
    # NVRTC compiles two programs at a time, no more.
    with ThreadPoolExecutor(2) as pool:
        for path, arch, cubin, kernels, log, milliseconds in pool.map(compile_one, tasks):
            count += len(kernels)
            failures += cubin is None
            spills = [kernel for kernel in kernels if "spill" in kernel[1]]
            if cubin is None or not arguments.summary or spills:
                state = "failed" if cubin is None else f"{len(cubin)} bytes"
                print(f"{path} {arch}: {state}, {milliseconds:.0f} ms, NVRTC {nvrtc.version}")
                for kernel, needs in spills if arguments.summary else kernels:
                    print(f"  {kernel}: {needs}")
            if log and (cubin is None or not arguments.summary):
                print(log)
            if cubin and arguments.cubin:
                with open(arguments.cubin, "wb") as file:
                    file.write(cubin)
    print(f"{len(tasks)} programs, {count} kernels, {failures} failures, "
          f"{time.perf_counter() - start:.1f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
