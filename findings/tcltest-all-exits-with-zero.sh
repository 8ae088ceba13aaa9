#!/usr/bin/env bash
# tcltest 2.5.5 of Tcl 8.6.13, `runAllTests` in an all.tcl, as Tcl's own suites have it.
#
# Expected: a status other than 0 where a test fails, and where a file of tests throws before its first test.
# Seen: 0 in both cases. The test that fails is counted (`Failed 1`); the file that throws is in no count and in no list of failures, but named below
# `Test files exiting with errors:`.
#
# Downloads Debian's Tcl in a temporary folder. Passes while tcltest behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian tcl8.6=8.6.13+dfsg-2
cd "$folder/project"
cat >all.tcl <<'TCL'
package require tcltest
::tcltest::configure -testdir [file dirname [file normalize [info script]]]
::tcltest::runAllTests
TCL
head='package require tcltest; namespace import ::tcltest::*'
printf '%s\ntest sums-1 {adds} -body { expr {1 + 2} } -result 2\ncleanupTests\n' "$head" >fails.test
printf '%s\nerror "cannot load"\ntest sums-2 {adds} -body { expr {1 + 1} } -result 2\ncleanupTests\n' "$head" >throws.test

echo "Tcl $(inside tclsh8.6 <<<'puts "[info patchlevel], tcltest [package require tcltest]"')"
status=0
inside tclsh8.6 all.tcl >printed.txt || status=$?
tail -n 12 printed.txt
echo "status $status"
[ "$status" -eq 0 ]
grep -q $'^all.tcl:\tTotal\t1\tPassed\t0\tSkipped\t0\tFailed\t1$' printed.txt
grep -A 2 '^Test files exiting with errors:' printed.txt | grep -q '^  throws.test$'
