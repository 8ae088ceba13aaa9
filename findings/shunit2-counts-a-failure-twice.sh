#!/usr/bin/env bash
# shUnit2 2.1.8, two tests of which one fails.
#
# Expected: `FAILED (failures=1)`, as one of two tests failed.
# Seen: `FAILED (failures=2)`: assertions are counted, and the status of a function whose last assertion fails is one more. With a command behind that
# assertion it is `failures=1`.
#
# Downloads Debian's shUnit2 in a temporary folder. Passes while shUnit2 behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian shunit2=2.1.8-3
cd "$folder/project"
echo 'shunit2 2.1.8-3'
printf 'testGood() { assertEquals 2 2; }\ntestBad() { assertEquals 2 3; }\n. shunit2\n' >last.sh
printf 'testGood() { assertEquals 2 2; }\ntestBad() { assertEquals 2 3; true; }\n. shunit2\n' >behind.sh
for name in last behind; do
  status=0
  inside dash "$name.sh" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status"
  [ "$status" -eq 1 ]
  grep -q '^Ran .*2.* tests\.' "$name.txt"
done
grep -q 'failures=2' last.txt
grep -q 'failures=1' behind.txt
