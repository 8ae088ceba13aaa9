#!/usr/bin/env bash
# CTest 3.25.1, a project whose two tests are skipped, and one whose test is disabled.
#
# Expected: 0 % or no percentage where no test ran; a disabled test is found and not run.
# Seen: `100% tests passed, 0 tests failed out of 2` for two tests that were skipped; `No tests were found!!!` right below the line of the test that is
# disabled. The status is 0 in both cases.
#
# Downloads Debian's CMake in a temporary folder. Passes while CTest behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian cmake=3.25.1-1 make
cd "$folder/project"
mkdir skipped disabled
list() { printf 'cmake_minimum_required(VERSION 3.13)\nproject(sums NONE)\nenable_testing()\n%s\n' "$1"; }
list 'add_test(NAME one COMMAND ${CMAKE_COMMAND} -E false)
add_test(NAME two COMMAND ${CMAKE_COMMAND} -E false)
set_tests_properties(one two PROPERTIES SKIP_RETURN_CODE 1)' >skipped/CMakeLists.txt
list 'add_test(NAME one COMMAND ${CMAKE_COMMAND} -E true)
set_tests_properties(one PROPERTIES DISABLED TRUE)' >disabled/CMakeLists.txt

inside ctest --version
for name in skipped disabled; do
  inside cmake -S "$name" -B "$name/build" >/dev/null
  status=0
  inside ctest --test-dir "$name/build" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status"
  [ "$status" -eq 0 ]
done
grep -q '^100% tests passed, 0 tests failed out of 2$' skipped.txt
grep -q 'one .*Not Run (Disabled)' disabled.txt
grep -q '^No tests were found!!!$' disabled.txt
