#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh BUILD: records two_ranks and one_process in this folder, with the fake GPU of the
# recorder's tests, on a machine that is called node7. Needs root, to name it. Times differ each time.
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")"
if [ "${2-}" != renamed ]; then
  exec unshare --uts sh -c 'hostname node7 && exec sh "$1" "$2" renamed' - "$(realpath record.sh)" "$build"
fi
mkdir -p /tmp/train_programs
cp "$build/capture/testing/capture_train" /tmp/train_programs/train
cp "$build/capture/testing/fakes/libcupti.so.13" "$build/capture/testing/fakes/"lib*cuda* /tmp/train_programs/
export TFPROF_CUPTI_LIB=/tmp/train_programs/libcupti.so.13 LD_LIBRARY_PATH=/tmp/train_programs
capture="$build/tfprof-capture --quiet --overwrite"
$capture -o two_ranks --export-steps 1 -- sh -c \
  'for rank in 0 1; do RANK=$rank /tmp/train_programs/train $((12 - 4 * rank)); done' >/dev/null
$capture -o one_process -- /tmp/train_programs/train 6 >/dev/null
rm -r /tmp/train_programs
