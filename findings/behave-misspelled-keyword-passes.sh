#!/usr/bin/env bash
# behave 1.2.6, and a scenario whose only step begins with a misspelled keyword.
#
# Expected: an error that names the line, as behave gives where the same misspelling stands behind another step.
# Seen: as the first line of a scenario it is taken for its description: the scenario has no step, `1 scenario passed`, `0 steps passed`, status 0.
# Behind a step it is a ParserError, and nothing runs: status 1.
#
# Downloads Debian's behave in a temporary folder. Passes while behave does this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian python3-behave=1.2.6-4
cd "$folder/project"
mkdir -p first/steps behind/steps
printf 'from behave import given, then\n\n@given("one")\ndef one(context):\n    pass\n\n@then("two")\ndef two(context):\n    assert False\n' >first/steps/steps.py
cp first/steps/steps.py behind/steps/
printf 'Feature: sums\n  Scenario: adds\n    Thne two\n' >first/a.feature
printf 'Feature: sums\n  Scenario: adds\n    Given one\n    Thne two\n' >behind/a.feature

inside python3 -m behave --version
for name in first behind; do
  status=0
  inside python3 -m behave --no-color "$name" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status" | tee -a "$name.txt"
done
grep -q '^1 scenario passed, 0 failed' first.txt
grep -q '^0 steps passed' first.txt
grep -q '^status 0$' first.txt
grep -q 'ParserError' behind.txt
grep -q '^status 1$' behind.txt
