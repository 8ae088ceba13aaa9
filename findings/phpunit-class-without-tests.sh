#!/usr/bin/env bash
# PHPUnit 9.6.7, a class without tests, and a folder without classes.
#
# Expected: a status other than 0, as nothing was tested; no test in the count.
# Seen: 0 in both cases. The class counts as a test with a warning (`Tests: 1, Assertions: 0, Warnings: 1.`); of the folder `No tests executed!` is
# said.
#
# Downloads Debian's PHPUnit in a temporary folder. Passes while PHPUnit behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian phpunit=9.6.7-1+deb12u1 php8.2-cli
cd "$folder/project"
mkdir class folder
printf '<?php\nfinal class SumsTest extends PHPUnit\\Framework\\TestCase\n{\n    public function helper(): void {}\n}\n' >class/SumsTest.php
phpunit() { inside php8.2 -d extension=dom -d extension=mbstring -d extension=tokenizer -d extension=xml -d extension=xmlwriter /usr/bin/phpunit "$@"; }

phpunit --version
for name in class folder; do
  status=0
  phpunit "$name" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status"
  [ "$status" -eq 0 ]
done
grep -q '^Tests: 1, Assertions: 0, Warnings: 1\.$' class.txt
grep -q '^No tests executed!$' folder.txt
