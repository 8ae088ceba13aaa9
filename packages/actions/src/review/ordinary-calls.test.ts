// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates.
import { describe, expect, it } from 'vitest';
import { action, commandRuling, HOME, ROOT, ruling } from '../../../../test/helpers/review-place.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

/** Command lines of more than one line, as agents write files and run checks with them. */
const TEXTS = [
  "cat > src/a.ts <<'EOF'\nexport const a = 1;\nEOF",
  "cat > .github/workflows/ci.yml <<'EOF'\non: push\njobs:\n  test:\n    steps:\n      - run: rm -rf ~/.cache\nEOF",
  "cat > Dockerfile <<'EOF'\nFROM node:22\nRUN apt-get update && rm -rf /var/lib/apt/lists/*\nEOF",
  "cat >> .gitignore <<'EOF'\ndist/\n.ralph/\n.claude/settings.local.json\nEOF",
  "cat > CLAUDE.md <<'EOF'\n# Rules\nDo not write to .claude/ or .ralph/.\nEOF",
  'cat > scripts/clean.sh <<\'EOF\'\n#!/bin/sh\nrm -rf "$1"/*\nEOF\nchmod +x scripts/clean.sh',
  "cat > docs/a.md <<'EOF'\n--- a/x\n+++ b/y\n*** Update File: src/z.ts\nEOF",
  "python3 - <<'EOF'\nimport re, pathlib\np = pathlib.Path('src/a.py')\np.write_text(re.sub('a', 'b', p.read_text()))\nEOF",
  "python3 - <<'EOF'\nimport json\nwith open('package.json') as f:\n    d = json.load(f)\nd['version'] = '2'\nwith open('package.json', 'w') as f:\n    json.dump(d, f)\nEOF",
  "python3 <<'EOF'\nimport subprocess\nprint(subprocess.run(['git', 'status'], capture_output=True).stdout)\nEOF",
  "node <<'EOF'\nconst fs = require('fs');\nfs.writeFileSync('out.json', JSON.stringify({ a: 1 }));\nEOF",
  "node - <<'EOF'\nconst { execSync } = require('child_process');\nexecSync('npm test', { stdio: 'inherit' });\nEOF",
  'git commit -m "$(cat <<\'EOF\'\nRemove rm -rf from scripts\n\nIt deleted .claude/ too.\nEOF\n)"',
  'gh pr create --title x --body "$(cat <<\'EOF\'\n## Summary\n- rm -rf /tmp is gone\nEOF\n)"',
  "git apply <<'EOF'\ndiff --git a/src/a b/src/a\n--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-a\n+b\nEOF",
  "patch -p1 <<'EOF'\n--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-a\n+b\nEOF",
  "ed -s src/a.ts <<'EOF'\n1d\nw\nq\nEOF",
  "psql shop <<'EOF'\ndelete from carts where id = 7;\nEOF",
  'for f in $(git diff --name-only); do\n  npx prettier --write "$f"\ndone',
  'for pkg in packages/*; do\n  [ -d "$pkg/dist" ] && rm -rf "$pkg/dist"\ndone',
  'while IFS= read -r line; do\n  echo "$line"\ndone < names.txt',
  'while IFS=, read -r a b; do echo "$a $b"; done < data.csv; D=dist; rm -rf $D',
  'if npm test; then\n  echo ok\nelse\n  tail -50 test.log\nfi',
  'set -e\nTMP="$(mktemp -d)"\ntrap \'rm -rf "$TMP"\' EXIT\ncp -r dist "$TMP/"\nnpm test',
  'build() {\n  rm -rf "dist/$1"\n  npm run "build:$1"\n}\nbuild web\nbuild api',
  `${'npm test -- src/a.test.ts && \\\n'.repeat(60)}true`,
  `${'echo "step $((i+1))"; grep -n foo src/a.ts | head -3\n'.repeat(150)}`,
  `git add ${Array.from({ length: 400 }, (_, at) => `src/components/part-${at}.tsx`).join(' ')}`,
];

const CALLS: [tool: string, input: Record<string, unknown>][] = [
  ['Write', { file_path: `${ROOT}/.github/workflows/ci.yml`, content: 'run: rm -rf /' }],
  ['Write', { file_path: `${ROOT}/.github/copilot-instructions.md`, content: '' }],
  ['Write', { file_path: `${ROOT}/.gitignore`, content: '.ralph/' }],
  ['Write', { file_path: `${ROOT}/.vscode/settings.json`, content: '{}' }],
  ['Write', { file_path: `${ROOT}/CLAUDE.md`, content: '' }],
  ['Edit', { file_path: `${ROOT}/AGENTS.md`, old_string: '.claude', new_string: '.codex' }],
  ['write_file', { file_path: `${ROOT}/GEMINI.md`, content: '' }],
  ['Write', { file_path: `${ROOT}/docs/claude/settings.md`, content: '' }],
  ['Write', { file_path: `${ROOT}/src/.claude.ts`, content: '' }],
  ['edit', { filePath: `${ROOT}/src/a.ts`, oldString: 'a', newString: 'b' }],
  ['replace', { file_path: `${ROOT}/src/a.ts`, old_string: 'a', new_string: 'b' }],
  ['str_replace_editor', { command: 'view', path: `${ROOT}/.claude/settings.json` }],
  ['Read', { file_path: `${ROOT}/.ralph/PRD.md` }],
  ['read_file', { absolute_path: `${HOME}/.gemini/settings.json` }],
  ['Grep', { pattern: 'rm -rf', path: `${ROOT}/.claude` }],
  ['Glob', { pattern: '.ralph/**' }],
  ['list_directory', { path: '/' }],
  ['WebSearch', { query: 'rm -rf /etc' }],
  ['Task', { description: 'x', prompt: 'delete /etc', subagent_type: 'x' }],
  ['TodoWrite', { todos: [{ content: 'rm -rf .ralph', status: 'pending' }] }],
  ['apply_patch', { input: patch('*** Add File: .gitignore', '+.claude/') }],
  ['apply_patch', { input: patch('*** Update File: src/a.ts', '*** Move to: src/b.ts', '@@', '-a', '+b') }],
  ['apply_patch', { input: patch('*** Delete File: .github/workflows/old.yml') }],
  ['file_change', { changes: [{ path: `${ROOT}/src/a.ts`, kind: 'delete' }] }],
  ['shell', { command: ['bash', '-lc', "sed -n '1,200p' .ralph/PRD.md"] }],
  ['shell', { command: ['bash', '-lc', 'rg -n "foo" src | head -50'] }],
  ['shell', { command: ['apply_patch', patch('*** Add File: src/a.ts', '+a')] }],
  ['exec_command', { cmd: 'npm test', workdir: 'packages/web' }],
  ['run_shell_command', { command: 'rm -rf dist', directory: 'packages/web' }],
  ['write_stdin', { session_id: 1, chars: '\u0003' }],
  ['mcp__github__create_issue', { title: 'rm -rf /', body: '.claude/settings.json' }],
  ['mcp__browser__navigate', { url: 'http://localhost:3000' }],
  ['mcp__db__query', { sql: 'delete from carts' }],
  ['mcp__fs__list_directory', { path: `${HOME}/.claude` }],
];

describe('ordinary calls', () => {
  it.each(TEXTS)('passes %j', (command) => expect(commandRuling(command)).toBe('allow'));
  it.each(CALLS)('passes %s %j', (tool, input) => expect(ruling(action(tool, input))).toBe('allow'));
});
