#!/usr/bin/env bash
# test-unit 3.5.7 of Ruby, a file whose test case has no test, and one whose only test is omitted.
#
# Expected: `0 tests, 0 assertions, …` of the first, as minitest prints `0 runs`; `0% passed` of the second and a status that says so.
# Seen: of the first nothing at all is printed. The second is `0% passed`. The status of both is 0.
#
# Downloads Debian's Ruby and test-unit in a temporary folder. Passes while test-unit behaves like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian ruby-test-unit=3.5.7-1 ruby3.1
cd "$folder/project"
head="require 'test/unit'; class Sums < Test::Unit::TestCase;"
echo "$head def helper = 1; end" >empty.rb
echo "$head def test_one = omit('later'); end" >omitted.rb

inside ruby3.1 -e 'require "test/unit/version"; puts "test-unit #{Test::Unit::VERSION}, Ruby #{RUBY_VERSION}"'
for name in empty omitted; do
  status=0
  inside ruby3.1 "$name.rb" >"$name.txt" 2>&1 || status=$?
  cat "$name.txt"
  echo "status $status"
  [ "$status" -eq 0 ]
done
[ ! -s empty.txt ]
grep -q '^0% passed$' omitted.txt
