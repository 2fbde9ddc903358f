"""What the numbers were measured on: the machine, the compiler and the commit."""

import os
import platform
import re
import subprocess
from pathlib import Path

from learners import memory_bytes


def output(*command, folder=None):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout.strip()
    except OSError:
        return ""


def cpu():
    """lscpu knows the names of ARM's cores, which /proc/cpuinfo does not spell out."""
    match = re.search(r"^Model name:\s*(.+)$", output("lscpu"), re.MULTILINE)
    return match.group(1) if match else platform.processor() or platform.machine()


def compiler(sporf_command):
    cache = Path(sporf_command).resolve().parent / "CMakeCache.txt"
    text = cache.read_text() if cache.exists() else ""
    match = re.search(r"^CMAKE_C_COMPILER:\w+=(.+)$", text, re.MULTILINE)
    return output(match.group(1), "--version").splitlines()[0] if match else "not known"


def commit(sporf_command):
    """Of the checkout whose build/ the command lies in."""
    folder = Path(sporf_command).resolve().parent.parent
    name = output("git", "rev-parse", "--short=10", "--verify", "HEAD", folder=folder) or "no-commit"
    changed = output("git", "status", "--porcelain", "--", "include", "src", "cli", "CMakeLists.txt",
                     folder=folder)
    return name + ("-changed" if changed else "")


def describe(sporf_command):
    return {"cpu": cpu(), "cores": len(os.sched_getaffinity(0)), "architecture": platform.machine(),
            "memory_gb": round(memory_bytes() / 1e9, 1),
            "kernel": f"{platform.system()} {platform.release()}",
            "compiler": compiler(sporf_command), "commit": commit(sporf_command),
            "load_before": round(os.getloadavg()[0], 2)}


def short_name(about):
    words = re.sub(r"[^a-z0-9]+", "-", about["cpu"].lower()).strip("-")
    return f"{words}-{about['cores']}-cores"
