#!/usr/bin/env bash
# Meson 1.0.1, a test with `protocol: 'tap'` whose program prints nothing and ends with 0.
#
# Expected: a failure, as prove has it (`No plan found in TAP output`): TAP without a plan isn't a result.
# Seen: `SKIP`, the same as of a program that prints `1..0 # SKIP`, and `meson test` ends with 0.
#
# Downloads Debian's Meson in a temporary folder. Passes while Meson does this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian meson=1.0.1-5 ninja-build perl=5.36.0-7+deb12u4
cd "$folder/project"
cat >meson.build <<'MESON'
project('sums')
sh = find_program('sh')
test('silent', sh, args: ['-c', 'true'], protocol: 'tap')
test('says why', sh, args: ['-c', 'echo "1..0 # SKIP no network"'], protocol: 'tap')
MESON
printf '#!/bin/sh\ntrue\n' >silent.t

echo "Meson $(inside meson --version)"
inside meson setup build >set-up.txt 2>&1
status=0
inside meson test -C build >printed.txt 2>&1 || status=$?
cat printed.txt
echo "status $status"
proved=0
inside perl /usr/bin/prove --exec sh silent.t >proved.txt 2>&1 || proved=$?
cat proved.txt
echo "status of prove $proved"
[ "$status" -eq 0 ]
[ "$proved" -ne 0 ]
grep -qE '^1/2 silent +SKIP ' printed.txt
grep -qE '^Skipped: +2' printed.txt
grep -q 'No plan found in TAP output' proved.txt
