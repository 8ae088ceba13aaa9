#!/usr/bin/env bash
# pytest 7.2.1 with pytest-xdist 3.1.0, two files of which one can't be loaded.
#
# Expected: the same of both ways to run them: `1 error`, nothing is run, status 2.
# Seen: so without `-n`. With `-n 2` the one file is `2 errors`, and `3 errors` with `-n 3`; the tests of the other file run, and the status is 1, that of a
# failed test.
#
# Downloads Debian's pytest in a temporary folder. Passes while pytest-xdist behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian python3-pytest=7.2.1-2 python3-pytest-xdist=3.1.0-1
cd "$folder/project"
printf 'raise RuntimeError("not this one")\n' >test_a.py
printf 'def test_adds():\n    assert 1 + 1 == 2\n' >test_b.py

for workers in '' '-n 2' '-n 3'; do
  status=0
  # shellcheck disable=SC2086
  inside python3 -m pytest -p no:cacheprovider $workers >out.txt 2>&1 || status=$?
  cat out.txt
  echo "status $status"
  printf '%s|%s|%s\n' "$workers" "$(tail -n 1 out.txt | sed 's/ in .*//; s/=* *//')" "$status" >>seen.txt
done
cat seen.txt
printf '|1 error|2\n-n 2|1 passed, 2 errors|1\n-n 3|1 passed, 3 errors|1\n' | cmp - seen.txt
