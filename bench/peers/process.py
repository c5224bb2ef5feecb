# SPDX-License-Identifier: Apache-2.0
"""What a process costs."""
import os
import subprocess
import sys


def cost(command):
    """Returns (user s, CPU s, wall s, MB of peak resident memory) of a process, which must succeed."""
    start = os.times().elapsed
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}\n{error.decode("utf-8", "replace")[-2000:]}')
    return used.ru_utime, used.ru_utime + used.ru_stime, os.times().elapsed - start, used.ru_maxrss / 1024
