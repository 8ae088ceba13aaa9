#!/usr/bin/env bash
# Octave 7.3.0, `octave --eval 'test sums'`, of a file with a test that fails, and of one whose function doesn't parse.
#
# Expected: a status other than 0; a count such as `PASSES 1 out of 2 tests` where one fails; an error where the function doesn't parse.
# Seen: 0 in both cases. Where a test fails there is no count. The tests of a file are run without its function: `PASSES 1 out of 1 test` for one that
# can't be called at all.
#
# Downloads Debian's Octave in a temporary folder (some hundred megabytes). Passes while Octave behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian octave=7.3.0-2
cd "$folder/project"
mkdir fails broken
printf 'function y = sums (a, b)\n  y = a + b;\nendfunction\n%%!assert (sums (1, 1), 2)\n%%!assert (sums (1, 2), 2)\n' >fails/sums.m
printf 'function y = sums (a, b\n  y = ;\n%%!assert (1, 1)\n' >broken/sums.m
# The set-up of these packages links the linear algebra.
algebra=$(cd "$folder/system" && printf '/%s:' usr/lib/*-linux-gnu/blas usr/lib/*-linux-gnu/lapack)
octave() { inside --setenv LD_LIBRARY_PATH "$algebra" octave-cli --no-gui --quiet --norc "$@"; }

octave --version | head -n 1
for name in fails broken; do
  status=0
  octave --eval "cd $name; test sums" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status"
  [ "$status" -eq 0 ]
done
grep -q '^!!!!! test failed$' fails.txt
if grep -q PASSES fails.txt; then exit 1; fi
grep -q '^PASSES 1 out of 1 test$' broken.txt
