import { describe, expect, it } from 'vitest';
import { runByHook } from '../../../src/decide/gates/run-by-hook.ts';

const files = (text: string, kind: 'script' | 'settings' = 'script') =>
  runByHook({ text, kind }, '/r').files.filter((word) => word.includes('/'));

describe('what a hook runs', () => {
  it.each([
    ['./tools/lint.sh src/a.js', './tools/lint.sh'],
    ['sh tools/lint.sh src/a.js', 'tools/lint.sh'],
    ['bash -eu -o pipefail tools/lint.sh', 'tools/lint.sh'],
    ['sh -e tools/lint.sh', 'tools/lint.sh'],
    ['bash -l ./tools/lint.sh', './tools/lint.sh'],
    ['. tools/common.sh', 'tools/common.sh'],
    ['source ./tools/common.sh', './tools/common.sh'],
    ['. "$(dirname "$0")/common.sh"', '/common.sh'],
    ['"$(git rev-parse --show-toplevel)/tools/lint.sh"', 'tools/lint.sh'],
    ['cd "$(git rev-parse --show-toplevel)" && node tools/check.mjs src/a.js', 'tools/check.mjs'],
    ['node -r ./tools/hook.cjs tools/check.mjs', './tools/hook.cjs', 'tools/check.mjs'],
    ['node --import=./tools/hook.mjs --test test/a.test.js', './tools/hook.mjs'],
    [`node -e "require('./tools/check.js')"`, './tools/check.js'],
    ['deno run tools/check.ts src/a.ts', 'tools/check.ts'],
    ['python3 -m tools.check src/a.py', 'tools/check.py'],
    ['cat tools/lint.sh | sh', 'tools/lint.sh'],
    ['sh < tools/lint.sh', 'tools/lint.sh'],
    ['sh -c "tools/lint.sh src/a.js"', 'tools/lint.sh'],
    ['timeout 60 tools/lint.sh', 'tools/lint.sh'],
    ['git diff --cached --name-only | xargs -n1 node tools/check.js', 'tools/check.js'],
    ['for s in tools/a.sh tools/b.sh; do sh "$s"; done', 'tools/a.sh', 'tools/b.sh'],
    ['run() { "$@"; }\nrun tools/lint.sh src/a.js', 'tools/lint.sh'],
    ['[ -x tools/lint.sh ] && tools/lint.sh', 'tools/lint.sh'],
    ['lint=tools/lint.sh\n"$lint" src/a.js', 'tools/lint.sh'],
    // A command that can't be read to its end may run all that it names.
    ['sh tools/lint.sh "', 'tools/lint.sh'],
  ])('%s', (text, ...run) => {
    expect(files(text)).toEqual(expect.arrayContaining(run));
  });

  it.each([
    'grep FIXME src/clamp.js && exit 1',
    'if grep -q console.log src/*.js src/clamp.js; then exit 1; fi',
    '# tools/lint.sh checks src/clamp.js',
    'echo "tools/lint.sh is slow"',
    'for file in src/a.js src/b.js; do grep -L license "$file"; done',
    'case $1 in src/clamp.js) exit 1 ;; esac',
    'FILES=(src/a.js src/b.js)\nwc -l $FILES',
    '[ -f src/clamp.js ] || exit 1',
    'node --check src/clamp.js',
    'node --test test/clamp.test.js',
    'bash -n tools/lint.sh',
    "bash -ec 'grep import src/clamp.js'",
    'for f in src/a.js; do git stash push "$f"; done',
    'python -m pytest tests/test_a.py',
    'eslint --fix src/clamp.js',
    'npx prettier --check src/clamp.js',
    'npm test -- test/clamp.test.js',
    'my-checker src/clamp.js',
    'diff src/clamp.js dist/clamp.js',
    'git diff --cached --quiet -- src/clamp.js',
    'cat <<EOF\ntools/lint.sh\nEOF',
    'printf "%s\\n" src/clamp.js | xargs grep FIXME',
  ])('and not what it names as data: %s', (text) => {
    expect(files(text).filter((word) => /^(?:src|test|tests|tools|dist)\//.test(word))).toEqual([]);
  });

  it('entries of package.json that it calls', () => {
    const scripts = (text: string) => runByHook({ text, kind: 'script' }, '/r').scripts;
    expect(scripts('npm run lint -- test')).toEqual(['prelint', 'lint', 'postlint']);
    expect(scripts('echo test; grep lint x # npm run check')).toEqual([]);
  });
});

describe('what settings of a tool run', () => {
  it.each([
    [
      'pre-commit:\n  commands:\n    lint:\n      glob: "src/*.js"\n      run: ./tools/lint.sh src/a.js\n',
      ['./tools/lint.sh'],
    ],
    [
      'repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: python3\n    args: [tools/own.py, src/a.js]\n    exclude: src/clamp.js\n',
      ['tools/own.py'],
    ],
    ['{"*.js": ["eslint --fix src/a.js", "node tools/fix.js"], "src/b.js": "true"}', ['tools/fix.js']],
    ['[pre-commit.commands.lint]\nrun = "tools/lint.sh"\n', ['tools/lint.sh']],
  ])('%s', (text, run) => {
    expect(files(text, 'settings')).toEqual(run);
  });
});
