import { expect, it } from 'vitest';
import { runsOnOpen } from '../../../src/decide/index.ts';
import type { Change } from '../../../src/domain/change-set.ts';

const changed = (path: string, over: Partial<Change> = {}): Change => ({
  ...{ path, oldPath: null, kind: 'added', oldMode: null, newMode: '100644', binary: false },
  ...{ linesAdded: 1, linesRemoved: 0, hunks: [] },
  ...over,
});
const manifest = (scripts: object) => JSON.stringify({ name: 'x', scripts });
const none = { before: new Map<string, string>(), after: new Map<string, string>() };

it.each([
  '.vscode/tasks.json',
  'web/.vscode/launch.json',
  'my.code-workspace',
  '.idea/runConfigurations/test.xml',
  '.run/all.run.xml',
  '.envrc',
  'sub/.envrc',
  '.husky/pre-commit',
  '.githooks/lib/x.sh',
  'tools/hooks/commit-msg',
  'lefthook.yml',
  '.pre-commit-config.yaml',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
  '.mcp.json',
  '.claude/settings.json',
  '.claude/hooks/a\nb.sh',
  '.opencode/plugins/a\nb.ts',
  '.pi/extensions/a\nb.ts',
  '.github/hooks/a\nb.json',
  '.devcontainer/a\nb.json',
])('%s runs something', (path) => {
  expect(runsOnOpen([changed(path)], none)).toEqual([path]);
  expect(runsOnOpen([changed(path, { kind: 'modified', oldMode: '100644' })], none)).toEqual([path]);
  expect(runsOnOpen([changed(path, { kind: 'deleted', newMode: null })], none)).toEqual([]);
});

it.each([
  'src/tasks.json',
  'src/hooks/useTask.ts',
  'docs/husky.md',
  '.vscode/extensions.json',
  '.idea/vcs.xml',
  'src/HEAD',
  'config',
  '.env',
  'test/pre-commit.test.ts',
  '.claude/agents/reviewer.md',
])('%s does not', (path) => expect(runsOnOpen([changed(path)], none)).toEqual([]));

it('a new repository within it does, and one that moved on does not', () => {
  const link = { newMode: '160000' };
  expect(runsOnOpen([changed('inner', link)], none)).toEqual(['inner']);
  expect(runsOnOpen([changed('inner', { ...link, kind: 'modified', oldMode: '160000' })], none)).toEqual([]);
  const bare = ['x/HEAD', 'x/config', 'x/objects/a', 'other/config'].map((path) => changed(path));
  expect(runsOnOpen(bare, none)).toEqual(['x/HEAD']);
  const lines = ['x\ny/HEAD', 'x\ny/config', 'x/objects/a'].map((path) => changed(path));
  expect(runsOnOpen(lines, none)).toEqual(['x\ny/HEAD']);
});

it.each([
  [{}, { postinstall: 'node x.js' }, true],
  [{ prepare: 'husky' }, { prepare: 'husky && node x.js' }, true],
  [{ prepare: 'husky' }, { prepare: 'husky', test: 'vitest' }, false],
  [{}, { build: 'tsc', pretest: 'x' }, false],
  [{ postinstall: 'x' }, {}, false],
])('the scripts %j, which become %j (%s)', (old, now, runs) => {
  const texts = (scripts: object) => new Map([['a/package.json', manifest(scripts)]]);
  const found = runsOnOpen([changed('a/package.json')], { before: texts(old), after: texts(now) });
  expect(found).toEqual(runs ? ['a/package.json'] : []);
});

it('a manifest that cannot be read, and a file that was renamed', () => {
  const after = new Map([['package.json', '{']]);
  expect(runsOnOpen([changed('package.json')], { before: new Map(), after })).toEqual([]);
  expect(runsOnOpen([changed('.envrc', { kind: 'renamed', oldPath: 'a.txt' })], none)).toEqual(['.envrc']);
});
