#!/usr/bin/env bash
# Python 3.11.2, `python3 -m compileall`, the check of syntax of a whole folder, with a folder that isn't there.
#
# Expected: a status other than 0, as for a file that has a syntax error, and as `py_compile` has it for a file that isn't there.
# Seen: `Can't list 'src'`, and the status is 0. With `-qq` nothing is printed.
#
# Downloads Debian's Python in a temporary folder. Passes while compileall does this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian python3-minimal=3.11.2-1+b1 libpython3-stdlib
cd "$folder/project"
printf 'def add(a, b:\n    return a + b\n' >broken.py

inside python3 --version
for run in 'compileall -q broken.py' 'py_compile src/sums.py' 'compileall -q src' 'compileall -qq src'; do
  status=0
  # shellcheck disable=SC2086
  inside python3 -m $run >printed.txt 2>&1 || status=$?
  cat printed.txt
  echo "$run: status $status, $(wc -l <printed.txt) lines" | tee -a seen.txt
done
sed 's/, .*//' seen.txt >statuses.txt
printf 'compileall -q broken.py: status 1\npy_compile src/sums.py: status 1\ncompileall -q src: status 0\ncompileall -qq src: status 0\n' | cmp - statuses.txt
[ ! -s printed.txt ]
