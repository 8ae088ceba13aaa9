import { describe, expect, it } from 'vitest';
import { commandRuling, PLACE } from './place.ts';

/** What coding agents run all day, one command line in a row. */
const ORDINARY = String.raw`
npm install
npm ci --no-audit --no-fund
npm install --save-dev vitest@4 @types/node
npm uninstall left-pad
npm run build
npm run build --workspace packages/web -- --mode production
npm test -- --run src/cart.test.ts 2>&1 | tail -50
npm test 2>&1 | grep -E "FAIL|Error" | head -20
npm run lint -- --fix
npm cache clean --force
npm pkg set scripts.test="vitest run"
npm exec -- eslint src
npx tsc --noEmit
npx tsc --noEmit 2>&1 | head -40
npx vitest run test/unit --reporter=dot
npx prettier --write src test
npx eslint . --ext .ts --fix
npx jest --clearCache && npx jest --ci
npx playwright test --project=chromium
npx --yes create-vite@latest web --template react-ts
npx rimraf dist coverage
rm -rf node_modules package-lock.json && npm install
rm -rf node_modules/.cache
rm -rf dist && npm run build && ls -la dist
rm -rf .next .turbo out
rm -f *.log
rm -f test-output.txt debug.js
rm -rf ./build ./coverage
rm -rf packages/*/dist
rm -rf packages/*/node_modules packages/*/.turbo
rm -rf **/__pycache__
rm -rf src/__pycache__ .pytest_cache .mypy_cache .ruff_cache
rm -rf "src/old module"
rm src/legacy/{a,b,c}.ts
rm -rf /home/ann/shop/dist
rm -rf ~/shop/dist
rmdir src/empty
pnpm install --frozen-lockfile
pnpm -r build
pnpm --filter web test
pnpm add -D typescript
pnpm dlx shadcn@latest add button
pnpm exec rimraf dist
yarn install --immutable
yarn workspace web run test
yarn dlx degit user/repo demo
yarn add react react-dom
bun install && bun test
bun run build
bunx tsc
deno task test
deno fmt && deno lint
nvm use 22 && node --version
node --test test/
node scripts/seed.js --count 5
node -e "console.log(process.version)"
node -e "console.log(require('./package.json').version)"
node -p "require('typescript').version"
node --check src/index.js
node --input-type=module -e "import('./src/a.js').then(m => console.log(Object.keys(m)))"
python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt
source .venv/bin/activate && pytest -q
pip install -e '.[dev]'
pip install --upgrade pip
pip uninstall -y requests
pip freeze > requirements.txt
python3 -m pytest tests/test_cart.py::test_total -x -q 2>&1 | tail -30
python -m unittest discover -s tests
python3 manage.py makemigrations && python3 manage.py migrate
python3 -c "import sys; print(sys.version)"
python3 -c "import json; d=json.load(open('package.json')); print(d['version'])"
python3 -c "import json,sys; print(json.dumps(json.load(sys.stdin), indent=2))" < data.json
python3 -m json.tool .claude/settings.json
python3 -m http.server 8000 &
python3 setup.py sdist bdist_wheel
python3 -W ignore -c 'print(1)'
poetry install --no-root
poetry run pytest
poetry run python -m app.main
uv sync
uv run pytest -q
uv pip install ruff
ruff check src --fix && ruff format src
black . && isort .
rm -rf .venv && python3 -m venv .venv
rm -rf *.egg-info build dist
find . -name "__pycache__" -type d -exec rm -rf {} +
find . -type d -name __pycache__ -prune -exec rm -rf {} \;
find . -name "*.pyc" -not -path "./.venv/*" -delete
cargo build --release
cargo test --workspace -- --nocapture
cargo clippy --all-targets -- -D warnings
cargo fmt --all
cargo clean
cargo run --example demo -- --flag
cargo metadata --format-version 1 | jq '.packages[].name'
RUST_BACKTRACE=1 cargo test
rm -rf target/debug/incremental
go build ./...
go test ./... -run TestCart -count=1 -v
go mod tidy
go clean -testcache
GOFLAGS=-mod=mod go generate ./...
golangci-lint run
make
make clean
make -j4 test
make -C packages/core clean all
cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build -j
rm -rf build && mkdir build && cd build && cmake .. && make
./configure --prefix=/usr/local && make
mkdir -p build && cd build && rm -rf * && cmake ..
meson setup build --wipe
mvn -q -DskipTests package
./gradlew clean build
bundle install && bundle exec rspec
bundle exec rake db:migrate
composer install --no-interaction
php -r 'echo PHP_VERSION;'
mix deps.get && mix test
xcodebuild -scheme Shop test
flutter clean && flutter pub get
docker compose up -d db
docker compose exec -T db psql -U postgres -c 'select 1'
docker compose logs --tail=50 web
docker build -t shop:dev .
docker run --rm -v "$PWD:/app" -w /app node:22 npm test
docker ps -a --format '{{.Names}}'
docker rm -f shop-test
docker exec web rm -rf /tmp/cache
kubectl get pods -n shop
terraform plan -out=plan.out
git status
git status --short && git diff --stat
git diff HEAD~1 -- src
git log --oneline -20
git log --format='%h %s' --since='2 weeks ago'
git add -A && git commit -m "feat: add cart"
git add -A . && git commit -qm 'Remove .claude/settings.json from the docs'
git commit --amend --no-edit
git checkout -b feature/cart
git checkout main
git switch -c fix/total
git restore --staged .
git restore --staged .claude/settings.json
git stash
git stash push -u -m wip
git stash pop
git stash list && git stash show -p
git reset HEAD~1
git merge --no-ff feature/cart
git rebase main
git rebase --continue
git rebase -x "npm test" main
git cherry-pick abc123
git revert --no-edit HEAD
git fetch --all --prune && git pull --rebase
git push -u origin feature/cart
git worktree add ../shop-fix -b fix
git clean -fdn
git rm --cached -r .claude
git rm -r --cached node_modules
git rm src/old.ts
git mv src/a.ts src/b.ts
git apply fix.patch
git apply --check --verbose fix.patch
git format-patch -1 HEAD
git format-patch -o patches main
git archive --format=tar -o shop.tar HEAD
git diff > fix.patch
git diff --output=fix.patch
git bisect start && git bisect bad && git bisect good v1
git bisect run npm test
git submodule update --init --recursive
git submodule foreach 'git pull origin main || true'
git config user.email ci@example.org
git config --get remote.origin.url
git -c core.pager=cat log -3
git -c user.name=x -c user.email=x@example.org commit -m x
git --no-pager diff
git ls-files | xargs wc -l
git ls-files -z '*.ts' | xargs -0 sed -i 's/foo/bar/g'
git grep -n "TODO" -- src
git blame -L 10,20 src/cart.ts
git check-ignore -v .ralph/state.json
git diff --name-only --diff-filter=D | xargs -r git rm -q
git branch --merged | grep -v main | xargs -r git branch -d
git rev-parse --abbrev-ref HEAD
GIT_PAGER=cat git log -5
GIT_EDITOR=true git rebase --continue
GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.org git commit -m x
cd "$(git rev-parse --show-toplevel)" && npm test
gh pr create --title "Cart" --body "Adds the cart"
gh pr view 12 --json title,body
gh issue list --limit 20
gh run view --log-failed | tail -100
gh api repos/o/r/pulls/1/comments --jq '.[].body'
ls -la
ls -la .claude .codex .ralph
ls .ralph/*.md 2>/dev/null
tree -L 2 -I node_modules
cat .ralph/PRD.md
cat .ralph/PRD.md | head -50
head -20 .claude/settings.json
sed -n '1,40p' .ralph/PRD.md
awk 'NR<10' .ralph/PRD.md
jq . .claude/settings.json
jq .version .ralph/state.json > version.txt
grep -rn "secret" .claude
rg -n "foo" .gemini .ralph
find .ralph -name '*.md'
find .claude -type f -exec cat {} +
find . -path ./.ralph -prune -o -name '*.ts' -print
find . -path ./node_modules -prune -o -name '*.tmp' -exec rm {} +
find . \( -name '*.bak' -o -name '*.orig' \) -delete
find src -name '*.js' -newer package.json -delete
find dist -mindepth 1 -delete
find . -name '.DS_Store' -delete
find . -name node_modules -type d -prune -exec rm -rf '{}' +
diff -u .claude/settings.json other.json
wc -l .ralph/*
test -f .ralph/config.toml && echo yes
cp .ralph/PRD.md docs/PRD.md
cp -r .claude /tmp/claude-copy
cp -r src/components src/components.bak
tar czf /tmp/backup.tgz -C .claude .
tar -czf shop.tgz --exclude=.ralph --exclude=node_modules .
tar -tf a.tar
tar xzf vendor.tgz -C vendor --strip-components=1
unzip -o assets.zip -d public
unzip -l assets.zip
zip -r dist.zip dist
rsync -a --exclude .ralph src/ build/
rsync -av --delete dist/ public/
ln -s ../shared src/shared
ln -sf config.dev.json config.json
chmod +x scripts/build.sh
touch src/index.ts .env.example
mkdir -p src/{a,b} test/{unit,e2e}
mv src/old.ts src/new.ts
mv *.md docs/
mv dist/index.html public/ && rm -rf dist
sed -i 's/foo/bar/g' src/cart.ts
sed -i '' -e 's/foo/bar/' src/cart.ts
sed -i.bak '/debug/d' src/cart.ts && rm src/cart.ts.bak
sed -n '/start/,/end/p' src/cart.ts
sed -E 's#(a|b)/w#\1#' names.txt
sed -e 's/ *$//' -e '/^$/d' notes.txt | sort -u
sed '1e' x.txt
sed -i "s|.claude/old|.claude/new|" README.md
perl -pi -e 's/foo/bar/g' $(grep -rl foo src)
perl -0pe 's/a\nb/c/' x.txt
grep -rl "old" src | xargs sed -i 's/old/new/g'
grep -rlZ foo src | xargs -0 perl -pi -e 's/foo/bar/'
awk -F, '{ print $2 }' data.csv | sort | uniq -c | sort -rn | head
awk '{ sum += $1 } END { print sum }' n.txt
awk '{ print $1 > "out.txt" }' in.txt
cat package.json | jq -r '.scripts | keys[]'
jq '.version = "2.0.0"' package.json > tmp.json && mv tmp.json package.json
tmp=$(mktemp) && jq '.a = 1' package.json > "$tmp" && mv "$tmp" package.json
tmp=$(mktemp -d); git clone -q https://example.org/r.git "$tmp"; ls "$tmp"; rm -rf "$tmp"
TMP=$(mktemp -d) && trap 'rm -rf "$TMP"' EXIT && cp -r src "$TMP" && ls "$TMP"
dir=$(mktemp -d -t shop.XXXXXX); echo x > "$dir/a"; rm -rf "$dir"
f=$(mktemp /tmp/out.XXXX.json); npm test > "$f" 2>&1; tail "$f"; rm -f "$f"
a=$(mktemp); b=$(mktemp); diff "$a" "$b"; rm -f "$a" "$b"
D=$(mktemp -d); cd "$D" && npm init -y; cd -; rm -rf "$D"
cd sub && npm test
cd packages/web && rm -rf dist && npm run build
cd packages/web && rm -rf dist && cd - && rm -rf dist
cd packages/web && rm -rf dist; cd ../.. && rm -rf coverage
pushd packages/web && rm -rf dist && popd && rm -rf coverage
(cd packages/api && go test ./... && rm -f api.test)
for d in packages/*/; do (cd "$d" && npm test); done
for f in *.test.js; do mv "$f" "test/$f"; done
for i in 1 2 3; do curl -sf localhost:3000/health && break; sleep 1; done
for p in 3000 3001; do lsof -ti:$p | xargs -r kill -9; done
if [ ! -d node_modules ]; then npm ci; fi
[ -f .env ] || cp .env.example .env
set -euo pipefail; npm ci; npm test
export NODE_ENV=test; npm test
NODE_ENV=test DEBUG=* node server.js > server.log 2>&1 &
timeout 60 npm test || echo "timed out"
time npm run build
nohup node server.js > /tmp/server.log 2>&1 & echo $!
kill %1 2>/dev/null; wait
pkill -f "node server.js" || true
ps aux | grep node | grep -v grep
lsof -i :3000
curl -s http://localhost:3000/api | jq .
curl -sS -X POST -H 'Content-Type: application/json' -d '{"a":1}' localhost:3000/x
curl -o /tmp/a.json https://example.org/a.json
wget -q https://example.org/data.csv -O data/data.csv
echo "dist/" >> .gitignore
echo ".ralph/" >> .gitignore
echo "*.log" | tee -a .gitignore
printf 'A=1\nB=2\n' > .env
echo '{}' > .vscode/settings.json
echo "see .claude/settings.json" >> README.md
echo "# Notes" > CLAUDE.md && cp CLAUDE.md AGENTS.md && cp CLAUDE.md GEMINI.md
mkdir -p .github/workflows && touch .github/workflows/ci.yml
sed -i 's/18/22/' .github/workflows/ci.yml
rm .github/workflows/old.yml
rm -rf docs/old && git add -A docs
env | grep -i node
uname -a && date +%s
du -sh node_modules && df -h .
sqlite3 app.db "select count(*) from users"
rm -f app.db app.db-wal && npm run migrate
vim -es -c '%s/foo/bar/ge' -c 'wq' src/cart.ts
ex -s -c '1d' -c 'x' notes.txt
sudo apt-get install -y jq
eval "$(ssh-agent -s)"
tee src/x.ts < template.ts > /dev/null
xargs -n1 echo < names.txt
true
`
  .trim()
  .split('\n');

describe('ordinary commands', () => {
  it('are many', () => expect(ORDINARY.length).toBeGreaterThan(300));
  it.each(ORDINARY)('passes %s', (command) => expect(commandRuling(command)).toBe('allow'));
  it.each(ORDINARY)('waits for no one: %s', (command) =>
    expect(commandRuling(command, { ...PLACE, unseenInput: true })).toBe('allow'),
  );
});
