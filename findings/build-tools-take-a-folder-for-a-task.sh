#!/usr/bin/env bash
# GNU Make 4.3, bmake 20200710, SCons 4.4.0 and Rake 13.0.6: `TOOL test` in a project that has a folder `test`, and no rule or task of that name.
#
# Expected: the error that each of them gives for `TOOL spec`, as there is no such rule or task, and a status other than 0.
# Seen: status 0, and nothing is run. The folder is taken for what is to be built: Make says `Nothing to be done for 'test'.`, bmake and SCons that it is
# up to date, and Rake says nothing at all.
#
# Downloads Debian's packages in a temporary folder. Passes while the four behave like this, and fails when that changes.
set -euo pipefail
. "$(dirname "$0")/debian.bash"

debian make=4.3-4.1 bmake=20200710-15+b1 scons=4.4.0+dfsg-1 rake=13.0.6-3 ruby3.1
mkdir "$folder/project/test"
cd "$folder/project"
printf 'all:\n\techo built\n' >Makefile
printf 'Command("built", [], "echo built >$TARGET")\n' >SConstruct
printf 'task :default do\n  puts "built"\nend\n' >Rakefile
printf 'raise "this test fails"\n' >test/sums.rb

inside make --version >make.txt
head -n 1 make.txt
echo 'bmake 20200710-15+b1'
inside scons --version >scons.txt
grep -m 1 'SCons: v' scons.txt
inside ruby3.1 -S rake --version
for tool in make bmake scons 'ruby3.1 -S rake'; do
  name=${tool##* }
  for target in test spec; do
    status=0
    # shellcheck disable=SC2086
    inside $tool "$target" >"$name-$target.txt" 2>&1 || status=$?
    echo "$name $target: status $status"
    cat "$name-$target.txt"
    if [ "$target" = test ]; then [ "$status" -eq 0 ]; else [ "$status" -ne 0 ]; fi
  done
done
[ "$(cat make-test.txt)" = "make: Nothing to be done for 'test'." ]
[ "$(cat bmake-test.txt)" = "\`test' is up to date." ]
grep -qx "scons: \`test' is up to date\." scons-test.txt
[ ! -s rake-test.txt ]
