#!/usr/bin/env bash
# ExUnit of Elixir 1.14.0, a file of tests that has none.
#
# Expected: `0 tests, 0 failures`, or `There are no tests to run`, as for a project without such a file.
# Seen: `0 failures`, without a number of tests, and the status is 0.
#
# Downloads Debian's Elixir in a temporary folder. Passes while ExUnit behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian elixir=1.14.0.dfsg-2
cd "$folder/project"
printf 'ExUnit.start()\ndefmodule SumsTest do\n  use ExUnit.Case\n  def helper, do: 1\nend\n' >sums_test.exs

inside elixir --version | tail -n 1
status=0
inside elixir sums_test.exs >printed.txt 2>&1 || status=$?
cat printed.txt
echo "status $status"
[ "$status" -eq 0 ]
grep -q '^0 failures$' printed.txt
