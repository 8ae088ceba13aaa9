#!/usr/bin/env bash
# testthat 3.1.6, a file with a test that expects nothing, beside one that expects three things.
#
# Expected: the empty test passes, is warned of, or fails; tests are counted: 2.
# Seen: it is counted as one that was skipped, with the reason `empty test`, beside `PASS 3`, as expectations are counted. The status is 0.
#
# Downloads Debian's R and testthat in a temporary folder. Passes while testthat behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian r-cran-testthat=3.1.6-1 r-base-core debianutils
# What the set-up of these packages does: a file of settings, and links to programs and to the linear algebra.
cp "$folder/system/usr/lib/R/etc/Renviron.ucf" "$folder/system/etc/R/Renviron"
ln -s which.debianutils "$folder/system/usr/bin/which"
algebra=$(cd "$folder/system" && printf '/%s:' usr/lib/*-linux-gnu/blas usr/lib/*-linux-gnu/lapack)
r() { inside --setenv LD_LIBRARY_PATH "$algebra" Rscript "$@"; }

mkdir "$folder/project/tests"
cd "$folder/project"
cat >tests/test-sums.R <<'R'
test_that("it adds", {
  expect_equal(1 + 1, 2)
  expect_equal(2 + 2, 4)
  expect_equal(3 + 3, 6)
})
test_that("it subtracts", { })
R
r -e 'cat("testthat", format(packageVersion("testthat")), "\n")'
status=0
r -e 'testthat::test_dir("tests", reporter = "check")' >printed.txt 2>&1 || status=$?
cat printed.txt
echo "status $status"
[ "$status" -eq 0 ]
grep -q '^\[ FAIL 0 | WARN 0 | SKIP 1 | PASS 3 \]$' printed.txt
grep -q 'empty test (1)' printed.txt
