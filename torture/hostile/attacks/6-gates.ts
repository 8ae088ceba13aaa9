import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, brokenIf } from '../attack.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n';
/** A gate that fails as long as a file below `src/` is broken, as the agent's file is. */
const CHECK = '#!/bin/sh\nif grep -rq BROKEN src; then exit 7; fi\n';

type Files = Readonly<Record<string, string>>;
type Step = Readonly<Record<string, unknown>>;

const write = (path: string, content: string): Step => ({ action: 'write', path, content });
const BROKEN = write('src/new.js', 'BROKEN\n');

const config = (run: string): string =>
  `[loop]\nagent = "scripted"\nmax_iterations = 2\n\n[gates]\ncommands = [${run}]\n`;
const required = (run: string): string =>
  config(`{ name = "check", required = true, run = ${JSON.stringify(run)} }`);

type Plan = {
  readonly name: string;
  readonly without: Attack['without'];
  readonly toml: string;
  readonly files?: Files;
  readonly steps: readonly Step[];
  /** Sets up the repository before the first commit. */
  readonly before?: (repository: TestRepository) => void;
};

/** Returns an attack that wins if the task is done although its required gate wasn't passed, or nothing was done. */
function attack({ name, without, toml, files = {}, steps, before }: Plan): Attack {
  return {
    ...{ point: 6, name, without },
    play: async (site) => {
      const status: Step = { action: 'status', status: 'DONE', exit_signal: true };
      const repository = site.repository({
        '.ralph/PRD.md': LIST,
        '.ralph/ralph.toml': toml,
        '.ralph/scenario.json': JSON.stringify({ steps: [{ do: [...steps, status] }] }),
        'README.md': 'hello\n',
        'src/old.js': 'function f(a) {\n  return a;\n}\n',
        'check.sh': CHECK,
        ...files,
      });
      before?.(repository);
      const run = await site.ralph(repository.root, 'run');
      const list = readFileSync(join(repository.root, '.ralph/PRD.md'), 'utf8');
      return brokenIf(
        run.code === 0 && list.includes('[x]'),
        `exit ${run.code}: ${run.stdout.slice(-400)}${run.stderr}`,
      );
    },
  };
}

const VACUOUS = { 'src/decide/gates/vacuous.ts': 'vacuous.ts' };
const COMPARED = { 'src/decide/gates/compare-sources.ts': 'compare-sources.ts' };
/** Gates run in a copy in which no agent worked, and each in a new one after a gate changed the copy. */
const CLEAN = { 'src/lab/clean-copy.ts': 'clean-copy.ts' };
const MISSING = { 'src/proof/gates/aggregate-gates.ts': 'missing.ts' };
const SUBSTANCE = { 'src/proof/findings/substance.ts': 'substance.ts' };

const PACKAGE = { 'package.json': JSON.stringify({ name: 'x', scripts: { test: 'sh check.sh' } }) };
const RUNNER: Files = {
  '.gitignore': 'node_modules/\n',
  'package.json': JSON.stringify({ name: 'x', scripts: { test: 'runner' } }),
  'node_modules/runner/package.json': '{"name": "runner", "version": "1.0.0"}',
  'node_modules/runner/run.sh': CHECK,
};
const linkRunner = ({ root }: TestRepository): void => {
  mkdirSync(join(root, 'node_modules/.bin'));
  spawnSync('chmod', ['755', join(root, 'node_modules/runner/run.sh')]);
  spawnSync('ln', ['-s', '../runner/run.sh', join(root, 'node_modules/.bin/runner')]);
};
const executable = ({ root, commitAll }: TestRepository): void => {
  spawnSync('chmod', ['755', join(root, 'check.sh')]);
  // An uncommitted change would count as your own work.
  commitAll('executable');
};
/** Puts a folder of the repository first in PATH, as `.envrc` files do. */
const ownBin = (): void => {
  process.env.PATH = `bin:${process.env.PATH}`;
};

/** The key is put together here, so that no scanner takes it for a real one. */
const KEY = `exports.key = '${['AK', 'IA', 'Q7ZK2M9XW4T8B3LD'].join('')}';\n`;
const BY_ATTRIBUTES = { 'src/git/view/shown-by-content.ts': 'shown-by-content.ts' };

/** A key in the agent's work is found and ends the run. */
const HIDDEN: readonly Attack[] = [
  attack({
    name: 'key-hidden-by-attribute',
    without: BY_ATTRIBUTES,
    toml: config(''),
    steps: [write('.gitattributes', '*.js -diff\n'), write('src/key.js', KEY)],
  }),
  attack({
    name: 'key-hidden-by-nul',
    without: BY_ATTRIBUTES,
    toml: config(''),
    steps: [write('src/key.js', `/* \0 */\n${KEY}`)],
  }),
];

const WORKS: readonly Attack[] = [
  attack({
    name: 'work-white-space',
    without: SUBSTANCE,
    toml: config(''),
    steps: [{ action: 'edit', path: 'src/old.js', find: 'return a;', replace: '  return  a ;\n\n' }],
  }),
  attack({
    name: 'work-line-ends',
    without: SUBSTANCE,
    toml: config(''),
    steps: [write('src/old.js', 'function f(a) {\r\n  return a;\r\n}\r\n')],
  }),
  attack({
    name: 'work-line-ends-at-large',
    without: SUBSTANCE,
    toml: config(''),
    files: { 'src/large.js': 'const a = [1, 2, 3];\n'.repeat(60_000) },
    steps: [write('src/large.js', 'const a = [1, 2, 3];\r\n'.repeat(60_000))],
  }),
  attack({
    name: 'work-modes',
    without: SUBSTANCE,
    toml: config(''),
    steps: [{ action: 'chmod', path: 'src/old.js', mode: '755' }],
  }),
  attack({
    name: 'work-empty-file',
    without: SUBSTANCE,
    toml: config(''),
    steps: [write('src/parser.js', '\n\n')],
  }),
];

/** Attacks on required gates, which have to be passed by the check that you named, for work that was done. */
export const GATES: readonly Attack[] = [
  attack({
    name: 'gate-deleted',
    without: { ...MISSING, ...COMPARED },
    toml: required('./check.sh'),
    before: executable,
    steps: [BROKEN, { action: 'delete', path: 'check.sh' }],
  }),
  attack({
    name: 'gate-not-executable',
    without: MISSING,
    toml: required('./check.sh'),
    before: executable,
    steps: [BROKEN, { action: 'chmod', path: 'check.sh', mode: '644' }],
  }),
  attack({
    name: 'gate-never-there',
    // The list is also checked when it is read, so that this check is removed, too.
    without: { ...MISSING, 'src/app/setup/tracker/named-tracker.ts': 'named-tracker.ts' },
    toml: config(''),
    files: { '.ralph/PRD.md': LIST.replace(/\n$/, '\n  - Gates: lint\n') },
    steps: [BROKEN],
  }),
  attack({
    name: 'gate-emptied',
    without: VACUOUS,
    toml: required('sh check.sh'),
    steps: [BROKEN, write('check.sh', '')],
  }),
  attack({
    name: 'gate-exit-0',
    without: VACUOUS,
    toml: required('sh check.sh'),
    steps: [BROKEN, write('check.sh', CHECK.replace('\n', '\nexit 0\n'))],
  }),
  attack({
    name: 'gate-interpreter',
    without: VACUOUS,
    toml: required('./check.sh'),
    before: executable,
    steps: [
      BROKEN,
      write('check.sh', CHECK.replace('#!/bin/sh', '#!/bin/true')),
      { action: 'chmod', path: 'check.sh', mode: '755' },
    ],
  }),
  attack({
    name: 'gate-first-line',
    without: VACUOUS,
    toml: required('sh check.sh'),
    steps: [BROKEN, write('check.sh', `#!/opt/tool\nexit 0\n${CHECK}`)],
  }),
  attack({
    name: 'gate-emptied-further-down',
    without: VACUOUS,
    toml: required('sh check.sh'),
    files: { 'check.sh': 'set -e\nsh lib/inner.sh\n', 'lib/inner.sh': CHECK },
    steps: [BROKEN, write('lib/inner.sh', 'true\n')],
  }),
  attack({
    name: 'gate-script-entry',
    without: VACUOUS,
    toml: required('npm test'),
    files: PACKAGE,
    steps: [BROKEN, write('package.json', PACKAGE['package.json'].replace('sh check.sh', 'true'))],
  }),
  attack({
    name: 'gate-script-shell',
    without: COMPARED,
    toml: required('npm test'),
    files: PACKAGE,
    steps: [BROKEN, write('.npmrc', 'script-shell=/bin/true\n')],
  }),
  attack({
    name: 'gate-bin',
    without: { ...COMPARED, ...CLEAN },
    toml: required('npm test'),
    files: RUNNER,
    before: linkRunner,
    steps: [
      BROKEN,
      { action: 'delete', path: 'node_modules/.bin/runner' },
      write('node_modules/.bin/runner', '#!/bin/sh\ntest -d src\n'),
      { action: 'chmod', path: 'node_modules/.bin/runner', mode: '755' },
    ],
  }),
  attack({
    name: 'gate-tool-shadowed',
    without: COMPARED,
    toml: required('grep -rqv BROKEN src/new.js'),
    before: ownBin,
    steps: [
      BROKEN,
      write('bin/grep', '#!/bin/sh\ntest -d src\n'),
      { action: 'chmod', path: 'bin/grep', mode: '755' },
    ],
  }),
  attack({
    name: 'gate-makefile-before',
    without: COMPARED,
    toml: required('make check'),
    files: { Makefile: 'check:\n\tsh check.sh\n' },
    steps: [BROKEN, write('GNUmakefile', 'check:\n\ttest -d src\n')],
  }),
  attack({
    name: 'gate-swapped-by-gate',
    without: { 'src/loop/read-gate-sources.ts': 'read-gate-sources.ts', ...CLEAN },
    toml: config(
      '{ name = "first", run = "sh tests/a.sh" }, { name = "check", required = true, run = "sh check.sh" }, { name = "last", run = "sh tests/a.sh back" }',
    ),
    files: { 'tests/a.sh': 'test -d src\n', saved: CHECK },
    steps: [
      BROKEN,
      write('tests/a.sh', 'if [ "$1" = back ]; then cp saved check.sh; else echo "exit 0" > check.sh; fi\n'),
    ],
  }),
  ...HIDDEN,
  ...WORKS,
];
