# A user's home folder with a busy checkout: `sh template.sh HOME`. It is made once and copied for each command.
set -e
export HOME="$1" GIT_CONFIG_NOSYSTEM=1
cd "$HOME"
cat > .gitconfig <<'END'
[user]
	name = Test Person
	email = person@example.com
[init]
	defaultBranch = main
END
mkdir -p notes other remotes Documents
echo 'not written down anywhere else' > notes/diary.txt
echo letter > Documents/letter.txt

git init -q other && cd other
echo one > one.txt && git add . && git commit -qm one && echo two > one.txt
cd ..

git init -q --bare remotes/shop.git
git init -q shop && cd shop
git remote add origin ../remotes/shop.git
printf 'node_modules/\n.env\ntarget/\n' > .gitignore
mkdir -p src target .ralph
echo 'total() { echo $(( $1 + $2 )); }' > src/total.sh
printf 'pub fn one() -> u32 {\n    1\n}\n' > src/lib.rs
printf '. src/total.sh\ntest "$(total 2 3)" = 5\n' > check.sh
printf 'line one\nline two\n' > file.txt
printf 'b\na\n' > sorted.txt
echo readme > README.md
echo 'KEY=' > .env.example
echo source > source && echo image > x.iso
echo 'echo script' > script.sh
echo committed > src/edited.txt && echo committed > src/staged.txt
printf '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write a note about the shop in NOTES.md\n' > .ralph/PRD.md
printf '*\n!.gitignore\n!PRD.md\n!ralph.toml\n' > .ralph/.gitignore
cat > .ralph/ralph.toml <<'END'
[loop]
agent = "scripted"
max_iterations = 1
max_attempts_per_task = 1

[review]
enabled = false

[proof]
mode = "off"

[gates]
commands = [{ name = "test", run = "sh check.sh", required = true }]
END
git add -A && git commit -qm first
echo more >> README.md && git commit -qam second
git branch feature && git branch dev
git push -q origin main feature
git clone -q ../remotes/shop.git ../colleague && cd ../colleague
echo theirs > theirs.txt && git add . && git commit -qm theirs && git push -q origin main
cd ../shop && rm -rf ../colleague
git fetch -q
git branch -q --set-upstream-to=origin/main main
echo third > third.txt && git add . && git commit -qm third
echo first > src/edited.txt && git stash push -q -m first
echo edited > src/edited.txt
echo staged > src/staged.txt && git add src/staged.txt
mkdir -p drafts node_modules/lib && echo untracked > drafts/untracked.txt
echo 'module.exports = 1;' > node_modules/lib/index.js
