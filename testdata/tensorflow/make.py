# SPDX-License-Identifier: Apache-2.0
"""Records the cases of this folder:  python make.py [CASE...]   (all without CASE)

Each case trains for some steps and leaves graph.pb, run_meta_K and op_log in its folder, some of
them more; the original tfprof then writes profile.pb from these. README.md tells more.
"""
import glob
import importlib
import os
import subprocess
import sys

CASES = ['mnist_softmax', 'convnet', 'rnn_while', 'two_devices']
# Cases that also have .gz twins of these files.
COMPRESSED = {'mnist_softmax': ['graph.pb', 'profile.pb']}


def record_case(case):
    """Records one case in this process: TensorFlow's switches and tfprof allow only one."""
    importlib.import_module(case).record()
    import original
    import recording
    files = {'graph_path': recording.case_path(case, 'graph.pb'),
             'op_log_path': recording.case_path(case, 'op_log'),
             'run_meta_path': ','.join(sorted(glob.glob(recording.case_path(case, 'run_meta_*'))))}
    original.open_profile(files).WriteProfile(recording.case_path(case, 'profile.pb').encode())
    for name in COMPRESSED.get(case, []):
        recording.compress(case, name)


def main(cases):
    unknown = set(cases) - set(CASES)
    if unknown:
        sys.exit('no such case: %s; there are %s' % (' '.join(sorted(unknown)), ' '.join(CASES)))
    if len(cases) == 1:
        record_case(cases[0])
        return
    for case in cases or CASES:
        subprocess.run([sys.executable, os.path.abspath(__file__), case], check=True)


if __name__ == '__main__':
    main(sys.argv[1:])
