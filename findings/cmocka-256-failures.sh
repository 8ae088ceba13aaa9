#!/usr/bin/env bash
# cmocka 1.1.5, a program that returns what `cmocka_run_group_tests` returns, as its documentation has it, with 256 tests that fail.
#
# Expected: a status other than 0.
# Seen: 0. The number of tests that failed is the status, and the system keeps eight bits of it: 255 failures end with 255, 256 with 0.
#
# Downloads Debian's cmocka in a temporary folder, and compiles with the `cc` that is there. Passes while cmocka behaves like this, and fails when that
# changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian libcmocka-dev=1.1.5-2.1
cd "$folder/project"
cat >tests.c <<'C'
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static void fails(void **state) { (void)state; assert_int_equal(1 + 2, 2); }

int main(void)
{
    struct CMUnitTest tests[COUNT];
    for (int i = 0; i < COUNT; i++) tests[i] = (struct CMUnitTest)cmocka_unit_test(fails);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
C
libraries=("$folder"/system/usr/lib/*-linux-gnu)
cc --version | head -n 1
echo 'cmocka 1.1.5-2.1'
for count in 255 256; do
  cc -DCOUNT=$count -I "$folder/system/usr/include" tests.c -o tests "${libraries[0]}"/libcmocka.so
  mkdir -p here && cp "${libraries[0]}"/libcmocka.so* here
  status=0
  LD_LIBRARY_PATH=here ./tests >printed.txt 2>&1 || status=$?
  grep ' test(s) run\.' printed.txt
  grep "^ $count FAILED TEST(S)$" printed.txt
  echo "status $status"
  [ "$status" -eq $((count % 256)) ]
done
