#!/usr/bin/env bash
# Bats 1.8.2, a folder with a file that has a syntax error, and with a good one. There is no `setup_file` in either.
#
# Expected: an error that names the file, as bash has it, or a failure for each test of that file.
# Seen: `not ok 1 setup_file failed`, with bash's message below it, in the place of the file's two tests; the next has the number 3.
#
# Downloads Debian's Bats in a temporary folder. Passes while Bats behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian bats=1.8.2-1
mkdir "$folder/project/test"
cd "$folder/project"
printf '@test "one" { true; }\n@test "two" {\n  if true; then\n}\n' >test/broken.bats
printf '@test "good" { true; }\n' >test/good.bats

inside bats --version
status=0
inside bats test >printed.txt 2>&1 || status=$?
cat printed.txt
echo "status $status"
[ "$status" -eq 1 ]
[ "$(head -n 2 printed.txt)" = $'1..3\nnot ok 1 setup_file failed' ]
grep -q '^ok 3 good$' printed.txt
