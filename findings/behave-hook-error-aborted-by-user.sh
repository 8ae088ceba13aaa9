#!/usr/bin/env bash
# behave 1.2.6, and a hook before all features that throws.
#
# Expected: an error of the hook, with failed or broken scenarios in the sum.
# Seen: the hook's error, then `ABORTED: By user.`, and a sum in which nothing failed: `0 scenarios passed, 0 failed, 0 skipped, 1 untested`. The status
# is 1.
#
# Downloads Debian's behave in a temporary folder. Passes while behave does this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian python3-behave=1.2.6-4
cd "$folder/project"
mkdir -p features/steps
printf 'def before_all(context):\n    raise RuntimeError("no database")\n' >features/environment.py
printf 'from behave import given\n\n@given("one")\ndef one(context):\n    pass\n' >features/steps/steps.py
printf 'Feature: sums\n  Scenario: adds\n    Given one\n' >features/a.feature

inside python3 -m behave --version
status=0
inside python3 -m behave --no-color >seen.txt 2>&1 || status=$?
cat seen.txt
echo "status $status"
[ "$status" -eq 1 ]
grep -q 'no database' seen.txt
grep -q '^ABORTED: By user\.' seen.txt
grep -q '^0 scenarios passed, 0 failed, 0 skipped, 1 untested$' seen.txt
