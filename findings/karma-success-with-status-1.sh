#!/usr/bin/env bash
# karma 6.4.4 with karma-jasmine 5.1.0, a file whose tests are all skipped.
#
# Expected: status 0, as of a file in which one test passes and the others are skipped; or the last lines say that it failed.
# Seen: the last lines are `Executed 0 of 2 (skipped 2) SUCCESS` and `TOTAL: 0 SUCCESS`, no line says that anything is wrong, and the status is 1. With
# one test that passes, lines of the same form, and the status is 0.
#
# Installs karma in a temporary folder. Passes while it does this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund karma@6.4.4 karma-jasmine@5.1.0 karma-jsdom-launcher@22.0.0 jsdom@29.1.1
export HOME="$folder"
cat >karma.conf.js <<'JS'
module.exports = (config) => {
  const plugins = ['karma-jasmine', 'karma-jsdom-launcher'].map((name) => require(name));
  config.set({ frameworks: ['jasmine'], files: ['tests.js'], browsers: ['jsdom'], plugins, singleRun: true });
};
JS
node_modules/.bin/karma --version
status_of() {
  status=0
  node_modules/.bin/karma start karma.conf.js --no-colors >out.txt 2>&1 || status=$?
  cat out.txt
  echo "status $status"
}
printf "xit('later', () => {});\nxit('even later', () => {});\n" >tests.js
status_of
[ "$status" -eq 1 ]
grep -q 'Executed 0 of 2 (skipped 2) SUCCESS' out.txt
[ "$(tail -n 1 out.txt)" = 'TOTAL: 0 SUCCESS' ]
if grep -Eqi 'error|fail|warn|empty' out.txt; then exit 1; fi
printf "it('adds', () => expect(2).toBe(2));\nxit('later', () => {});\n" >tests.js
status_of
[ "$status" -eq 0 ]
grep -q 'Executed 1 of 2 (skipped 1) SUCCESS' out.txt
