#!/usr/bin/env python3
"""The kernel text against the compilers of GPUs that are not here.

  check.py metal PRINT_TEXT        type-check as Metal through a strict stand-in for <metal_stdlib>, and lint
  check.py metal_device            type-check the Metal device through a stand-in for Apple's headers
  check.py cuda PRINT_TEXT WORK    Clang to PTX, NVIDIA's ptxas to machine code for sm_75, sm_80, sm_90; registers, spills
                                   and instructions of each kernel within bench/budgets/kernels.json (--write renews it)

PRINT_TEXT is the program that prints the text, module by module. ptxas is taken from PATH, else from the PyPI package that carries it.
Exit 77 and a loud line when a compiler is not to be had."""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUDGET = ROOT / "bench" / "budgets" / "kernels.json"
PTXAS_PACKAGE = "nvidia-cuda-nvcc-cu12==12.9.86"
ARCHITECTURES = ["sm_75", "sm_80", "sm_90"]
BANNED = [(r"\bgoto\b", "goto"), (r"\bdouble\b", "double"), (r"\bfloat\b", "float"), (r"\blong\s+long\b", "long long"),
          (r"\[[&=]?\]\s*\(", "lambda"), (r"\b(virtual|new|delete|throw|try|catch|template|namespace)\b", "C++ keyword"),
          (r"\bsize_t\b|\buintptr_t\b", "pointer-width integer"), (r"\(\s*\*\s*\w+\s*\)\s*\(", "function pointer")]
# Each of these must be refused, or the check checks nothing.
WRONG = ["u32* f(device u32* p) { return p; }",                     # device to thread address space
         "void f(threadgroup u32* p); void g(device u32* p) { f(p); }",
         "void f(device u32* p); void g() { u32 x = 0; f(&x); }",
         "constant u32 table[1] = {1}; void f() { table[0] = 2; }"]


def not_run(why):
    print(f"NOT RUN: {why}")
    sys.exit(77)


def clang():
    for name in [f"clang++-{v}" for v in (20, 19, 18, 17, 16, 15)] + ["clang++"]:
        if shutil.which(name):
            return name
    not_run("no Clang on this machine")


def clang_major():
    return int(subprocess.run([clang(), "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0])


def metal_compile(text):
    command = [clang(), "-x", "c++", "-std=c++14", "-fsyntax-only", "-D__METAL_VERSION__=300", f"-I{HERE}/metal_shim",
               "-Wall", "-Werror", "-Wno-unknown-attributes", "-Wno-unused-function", "-Wno-missing-braces", "-"]
    return subprocess.run(command, input=text.replace("[[threadgroup(0)]]", ""), text=True, capture_output=True)


def modules(print_text):
    """{module: (its kernels' names, its text)}"""
    run = lambda *a: subprocess.run([print_text, *a], capture_output=True, text=True, check=True).stdout
    return {line.split()[0]: (set(line.split()[1:]), run(line.split()[0])) for line in run().splitlines()}


def same_names(module, listed, found):
    """What compilers find in the text must be what vouch/kernels/list.h says."""
    for name in sorted(listed ^ found):
        print(f"{module}: {name} is {'listed but not in the text' if name in listed else 'in the text but not listed'}")
    return len(listed ^ found)


def metal(module, listed, text):
    result = metal_compile(text)
    failures = 0
    if result.returncode:
        print(result.stderr[:4000])
        failures += 1
    for snippet in WRONG:
        if metal_compile('#include <metal_stdlib>\ntypedef uint u32;\n' + snippet).returncode == 0:
            print("the stand-in accepts what Metal refuses:", snippet)
            failures += 1
    source = text.replace("#include <metal_stdlib>", "")
    code = subprocess.run([clang(), "-E", "-P", "-x", "c++", "-D__METAL_VERSION__=300", "-"], input=source, text=True,
                          capture_output=True, check=True).stdout
    for pattern, what in BANNED:
        for match in re.finditer(pattern, code):
            print(f"{what}: ...{code[max(0, match.start() - 40):match.end() + 20]!r}")
            failures += 1
    kernels = set(re.findall(r"\bkernel void (\w+)", code))
    failures += same_names(module, listed, kernels)
    print(f"metal: {module}: {len(kernels)} kernels type-checked, {failures} failures")
    return failures


def metal_device_compile(text):
    command = [clang(), "-x", "objective-c++", "-std=c++20", "-fobjc-arc", "-fobjc-runtime=gnustep-2.0", "-fblocks", "-fsyntax-only",
               "-D__APPLE__=1", f"-I{HERE}/metal_api", f"-I{ROOT}", "-Wall", "-Wextra", "-Werror", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True)


def metal_device():
    text = (ROOT / "vouch" / "backend" / "gpu" / "metal.mm").read_text()
    result = metal_device_compile(text)
    if result.returncode:
        print(result.stderr[:4000])
        return 1
    # Each of these must be refused, or the check checks nothing.
    for right, wrong in [("newBufferWithLength:bytes options:", "newBufferWithLength:bytes option:"),
                         ("Status do_upload(", "Status do_uplaod("), ("[queue_ commandBuffer]", "[device_ commandBuffer]"),
                         ("do_allocate_for_kernels(", "do_allocate_own("),
                         ("serializeToURL:url_of(beside)", "serializeToURL:beside.c_str()"), ("fillBuffer:held range:", "fillBuffer:held from:")]:
        if right not in text or metal_device_compile(text.replace(right, wrong)).returncode == 0:
            print("the stand-in accepts what Apple's headers refuse:", wrong)
            return 1
    print("metal device: type-checked (not run: that takes Apple's hardware)")
    return 0


def ptxas(work):
    if shutil.which("ptxas"):
        return "ptxas"
    tool = work / "nvidia" / "cuda_nvcc" / "bin" / "ptxas"
    if not tool.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(work), PTXAS_PACKAGE]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            not_run("no ptxas on PATH, and its package could not be had")
        wheel = next(work.glob("nvidia_cuda_nvcc*.whl"))
        zipfile.ZipFile(wheel).extract("nvidia/cuda_nvcc/bin/ptxas", work)
        wheel.unlink()
        tool.chmod(0o755)
    return str(tool)


def usage(log):
    """{kernel: [registers, spilled bytes]} of what ptxas -v prints."""
    found, name, spilled = {}, None, 0
    for line in log.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            name, spilled = match[1], None
        elif (match := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)) and name and spilled is None:
            spilled = int(match[1]) + int(match[2])
        elif (match := re.search(r"Used (\d+) registers", line)) and name:
            found[name] = [int(match[1]), spilled or 0]
            name = None
    return found


def instructions(cubin):
    """{kernel: instructions of its machine code}, 16 bytes each since sm_70, of an ELF file of 64 bits."""
    table, = struct.unpack_from("<Q", cubin, 40)
    entry, count, names = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + i * entry) for i in range(count)]
    text_of = lambda offset: cubin[sections[names][4] + offset:].split(b"\0", 1)[0].decode()
    return {text_of(s[0])[len(".text."):]: s[5] // 16 for s in sections if text_of(s[0]).startswith(".text.")}


def assemble(module, text, arch, work, assembler):
    """{kernel: [registers, spilled bytes, instructions]} of one module for one architecture."""
    source, ptx = work / f"{module}.cu", work / f"{module}.{arch}.ptx"
    source.write_text(text)
    subprocess.run([clang(), "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
                    f"--cuda-gpu-arch={arch}", "-O3", "-S", "-DGK_USE_PTX", "-o", str(ptx), str(source)], check=True)
    cubin = ptx.with_suffix(".cubin")
    result = subprocess.run([assembler, f"-arch={arch}", "-v", "-o", str(cubin), str(ptx)],
                            text=True, capture_output=True)
    if result.returncode:
        print(result.stderr[:4000])
        sys.exit(1)
    counts = instructions(cubin.read_bytes())
    return {kernel: [*used, counts[kernel]] for kernel, used in usage(result.stderr).items()}


def over_budget(arch, found, allowed, comparable):
    failures = 0
    for kernel, used in sorted(found.items()):
        limit = allowed.get(kernel)
        if limit is None or comparable and any(u > l for u, l in zip(used, limit, strict=True)):
            print(f"{arch} {kernel}: {used[0]} registers, {used[1]} bytes spilled, {used[2]} instructions; the budget "
                  f"is {limit}")
            failures += 1
    if set(allowed) - set(found):
        print(f"{arch}: in the budget but not in the text: {sorted(set(allowed) - set(found))}")
        failures += 1
    return failures


def cuda(texts, work, write):
    work.mkdir(parents=True, exist_ok=True)
    assembler = ptxas(work)
    budget = {"clang": clang_major()} if write else json.loads(BUDGET.read_text())
    comparable = budget["clang"] == clang_major()  # another release makes other code
    if not comparable:
        print(f"the budget was made with Clang {budget['clang']}: nothing is compared with it")
    failures = 0
    for arch in ARCHITECTURES:
        found = {}
        for module, (listed, text) in texts.items():
            part = assemble(module, text, arch, work, assembler)
            failures += same_names(module, listed, set(part))
            found.update(part)
        if write:
            budget[arch] = dict(sorted(found.items()))
        else:
            failures += over_budget(arch, found, budget[arch], comparable)
        print(f"{arch}: {len(found)} kernels assembled, most registers {max(v[0] for v in found.values())}, "
              f"most instructions {max(v[2] for v in found.values())}")
    if write:
        BUDGET.write_text(f'{{\n "clang": {budget.pop("clang")},\n' + ",\n".join(
            f' "{arch}": {{\n' + ",\n".join(f'  "{k}": {json.dumps(v)}' for k, v in kernels.items()) + "\n }"
            for arch, kernels in budget.items()) + "\n}\n")
    print(f"cuda: {failures} failures")
    return failures


def main():
    if sys.argv[1] == "metal_device":
        return metal_device()
    texts = modules(sys.argv[2])
    if sys.argv[1] == "metal":
        return sum(metal(module, listed, text) for module, (listed, text) in texts.items())
    return cuda(texts, pathlib.Path(sys.argv[3]), "--write" in sys.argv)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
