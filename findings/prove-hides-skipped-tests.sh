#!/usr/bin/env bash
# prove 3.44 of Perl 5.36.0, a file that skips each of its tests, and one that skips all of them at once.
#
# Expected: the same of both, as no test ran in either, or that some were skipped.
# Seen: `Result: NOTESTS` where all are skipped at once; of the other `All tests successful.`, `Tests=2`, `Result: PASS`, and nothing of skipped tests,
# which is said where a test of the file fails (`less 1 skipped subtest`). The status of both is 0.
#
# Downloads Debian's Perl in a temporary folder. Passes while prove behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian perl=5.36.0-7+deb12u4
cd "$folder/project"
printf 'use Test::More tests => 2;\nSKIP: { skip "later", 2; ok(1); ok(1); }\n' >each.t
printf 'use Test::More skip_all => "later";\n' >all.t

inside prove --version
for name in each all; do
  status=0
  inside prove "$name.t" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status"
  [ "$status" -eq 0 ]
done
grep -q '^Result: PASS$' each.txt
grep -q 'Tests=2,' each.txt
if grep -qi skip each.txt; then exit 1; fi
grep -q '^Result: NOTESTS$' all.txt
