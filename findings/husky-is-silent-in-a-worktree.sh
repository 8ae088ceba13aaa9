#!/usr/bin/env bash
# husky 9.1.7, a `pre-commit` hook that refuses each commit, and a second work tree of the repository (`git worktree add`).
#
# Expected: the hook refuses a commit in the second work tree as in the first, as a hook in .git/hooks does; or git says that the hooks are missing.
# Seen: the commit is made, without a word. `core.hooksPath` is `.husky/_`, for all work trees, and this folder isn't tracked: `husky` makes it where it
# is started. The hook's own file is tracked, and is there.
#
# Installs husky in a temporary folder, and takes the git that is there. Passes while they do this, and fails when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund husky@9.1.7
export HOME="$folder" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
git --version
echo 'husky 9.1.7'
git init --quiet --template= first && cd first
"$folder/node_modules/.bin/husky"
printf 'echo "the hook refuses"\nexit 1\n' >.husky/pre-commit
git add .husky
git commit --quiet --no-verify -m hooks
git worktree add --quiet -b second ../second
for tree in first second; do
  status=0
  git -C "../$tree" commit --quiet --allow-empty -m more >"../$tree.txt" 2>&1 || status=$?
  cat "../$tree.txt"
  echo "$tree: status $status" | tee -a ../seen.txt
done
git -C ../second config core.hooksPath
ls -A ../second/.husky
[ -e ../second/.husky/pre-commit ]
grep -q 'the hook refuses' ../first.txt
[ ! -s ../second.txt ]
printf 'first: status 1\nsecond: status 0\n' | cmp - ../seen.txt
