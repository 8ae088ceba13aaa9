import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkModules } from '../helpers/link-modules.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { SOURCES } from '../helpers/source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RULES = '.dependency-cruiser.cjs';

type Rule = { readonly name: string };
type Violation = { readonly from: string; readonly rule: Rule };

/** Folders below the top; other paths of probes are below `src`. */
const KIT = '/packages/kit/src';
const ECOSYSTEMS = '/packages/ecosystems/src';
const AGENTS = '/packages/agents/src';
const TASK_LISTS = '/packages/task-lists/src';
const ACTIONS = '/packages/actions/src';
const DIFF_REVIEW = '/packages/diff-review/src';
const BOX = '/packages/box/src';
const FLEET = '/packages/fleet/src';

/** Imports that must be refused: the rule, the file that would break it, its line. */
const PROBES = [
  ['no-cycles', 'domain/zz-itself.ts', "import type {} from './zz-itself.ts';"],
  ['a-package-knows-nothing-of-ralph', `${KIT}/zz-domain.ts`, "import '../../../src/domain/zz-room.ts';"],
  [
    'a-package-knows-nothing-of-ralph',
    `${ECOSYSTEMS}/zz-app.ts`,
    "import type {} from '../../../src/app/version.ts';",
  ],
  ['a-package-is-entered-by-its-exports', 'app/zz-kit.ts', "import '../../packages/kit/src/text.ts';"],
  [
    'a-package-is-entered-by-its-exports',
    `${ECOSYSTEMS}/zz-beside.ts`,
    "import type {} from '../../kit/src/text.ts';",
  ],
  ['kit-imports-nothing-of-ours', `${KIT}/zz-ecosystems.ts`, "import 'ralph-ecosystems';"],
  ['ecosystems-imports-kit', `${ECOSYSTEMS}/zz-fleet.ts`, "import 'ralph-fleet';"],
  ['agents-imports-kit', `${AGENTS}/zz-actions.ts`, "import type {} from 'ralph-actions/review';"],
  ['task-lists-imports-kit', `${TASK_LISTS}/zz-ecosystems.ts`, "import 'ralph-ecosystems';"],
  [
    'diff-review-imports-kit-and-ecosystems',
    `${DIFF_REVIEW}/zz-actions.ts`,
    "import type {} from 'ralph-actions/review';",
  ],
  ['box-imports-kit-and-ecosystems', `${BOX}/zz-actions.ts`, "import type {} from 'ralph-actions/shell';"],
  ['fleet-imports-kit', `${FLEET}/zz-ecosystems.ts`, "import 'ralph-ecosystems';"],
  ['forms-import-kit', `${ACTIONS}/forms/zz-shell.ts`, "import '../shell/budget.ts';"],
  ['shell-imports-kit', `${ACTIONS}/shell/zz-ecosystems.ts`, "import 'ralph-ecosystems';"],
  [
    'effects-import-kit-forms-names-of-agents-and-shell',
    `${ACTIONS}/effects/zz-review.ts`,
    "import type {} from '../review/index.ts';",
  ],
  [
    'effects-import-kit-forms-names-of-agents-and-shell',
    `${ACTIONS}/effects/zz-ecosystems.ts`,
    "import 'ralph-ecosystems';",
  ],
  [
    'review-imports-ecosystems-kit-names-of-agents-effects-and-shell',
    `${ACTIONS}/review/zz-diffs.ts`,
    "import 'ralph-diff-review';",
  ],
  [
    'files-and-programs-are-touched-by-the-world',
    'state/zz-files.ts',
    "import 'ralph-kit/files/plain-file';",
  ],
  [
    'files-and-programs-are-touched-by-the-world',
    'domain/zz-programs.ts',
    "import type {} from 'ralph-kit/programs/table/signals';",
  ],
  ['files-and-programs-are-touched-by-the-world', 'loop/zz-files.ts', "import 'ralph-kit/files/plain-file';"],
  [
    'files-and-programs-are-touched-by-the-world',
    'decide/zz-services.ts',
    "import type {} from 'ralph-task-lists/services';",
  ],
  [
    'files-and-programs-are-touched-by-the-world',
    `${TASK_LISTS}/zz-services.ts`,
    "import './services/index.ts';",
  ],
  ['files-and-programs-are-touched-by-the-world', `${KIT}/zz-files.ts`, "import './files/sha256.ts';"],
  ['domain-imports-known-packages', 'domain/zz-room.ts', "import '../prompt/index.ts';"],
  [
    'a-deciding-room-imports-domain-known-packages-and-itself',
    'state/zz-room.ts',
    "import '../prompt/index.ts';",
  ],
  ['a-deciding-room-imports-domain-known-packages-and-itself', 'state/zz-io.ts', "import '../io/clock.ts';"],
  [
    'a-deciding-room-imports-domain-known-packages-and-itself',
    'state/zz-type.ts',
    "import type {} from '../proof/gates/index.ts';",
  ],
  ['tell-imports-domain-known-packages-and-the-table', 'tell/zz-decide.ts', "import '../decide/index.ts';"],
  ['the-table-of-answers-imports-domain-and-kit', 'respond/zz-room.ts', "import '../prompt/index.ts';"],
  ['decide-puts-the-decisions-of-the-rooms-together', 'decide/zz-loop.ts', "import '../loop/index.ts';"],
  ['replay-decides-again-and-runs-nothing', 'replay/zz-loop.ts', "import '../loop/index.ts';"],
  ['the-lab-knows-the-world-by-ports', 'lab/zz-loop.ts', "import '../loop/index.ts';"],
  ['the-loop-knows-the-world-by-ports', 'loop/zz-io.ts', "import '../io/clock.ts';"],
  ['the-loop-knows-the-world-by-ports', 'loop/zz-board.ts', "import type {} from 'ralph-fleet/board';"],
  ['io-imports-domain-known-packages-and-itself', 'io/zz-room.ts', "import '../prompt/index.ts';"],
  ['io-imports-domain-known-packages-and-itself', 'git/zz-room.ts', "import '../prompt/index.ts';"],
  ['what-of-io-reaches-you-imports-tell-too', 'io/ui/zz-room.ts', "import '../../prompt/index.ts';"],
  ['app-does-not-know-cli', 'app/zz-cli.ts', "import '../cli/zz-io.ts';"],
  ['an-evaluation-uses-commands', 'app/eval/zz-loop.ts', "import '../../loop/index.ts';"],
  ['cli-knows-app-tell-io-ui-domain-and-names-of-agents', 'cli/zz-io.ts', "import '../io/clock.ts';"],
  [
    'cli-knows-app-tell-io-ui-domain-and-names-of-agents',
    'cli/zz-files.ts',
    "import 'ralph-kit/files/sha256';",
  ],
  ['the-command-line-starts-light', 'cli/program-zz.ts', "import '../domain/exit.ts';"],
  [
    'a-command-loads-what-it-does-once-it-is-called',
    'cli/commands/zz-take.ts',
    "import '../../app/commands/take.ts';",
  ],
  ['pure-rooms-have-no-node-built-ins', 'state/zz-built-in.ts', "import 'node:fs';"],
  ['pure-rooms-use-the-allow-list-of-packages', 'state/zz-package.ts', "import 'execa';"],
  ['toml-lives-in-config', 'state/zz-toml.ts', "import 'smol-toml';"],
  ['unbash-lives-in-shell', 'state/zz-unbash.ts', "import 'unbash';"],
  ['one-place-for-string-width-wrap-ansi', 'io/zz-width.ts', "import 'string-width';"],
  ['one-place-for-strip-ansi', 'io/zz-escapes.ts', "import 'strip-ansi';"],
  ['one-place-for-ora', 'cli/zz-spinner.ts', "import 'ora';"],
  ['one-place-for-boxen', 'cli/zz-frame.ts', "import 'boxen';"],
  ['one-place-for-clack-prompts', 'cli/zz-prompt.ts', "import '@clack/prompts';"],
  ['one-place-for-ink-react', 'cli/screen/zz-screen.ts', "import 'react';"],
  [
    'one-place-for-modelcontextprotocol-sdk',
    'cli/zz-tools.ts',
    "import '@modelcontextprotocol/sdk/server/mcp.js';",
  ],
  ['pages-are-made-in-one-place', 'cli/zz-page.ts', "import 'preact';"],
  ['commander-lives-in-cli', 'app/zz-commander.ts', "import 'commander';"],
  ['a-room-is-entered-through-its-index', 'loop/zz-index.ts', "import '../state/zz-room.ts';"],
  ['a-room-is-entered-through-its-index', `${ACTIONS}/effects/zz-index.ts`, "import '../shell/budget.ts';"],
] as const;

/** Matches the files whose imports aren't followed. */
const UNLESS_PROBE = '^(?!.*zz-)';

const placeOf = (path: string) => (path.startsWith('/') ? path.slice(1) : `src/${path}`);

describe('the layer rules', () => {
  // That they hold for src and the packages is `npm run layers`, which follows all imports.
  it('refuse what each of them is for', () => {
    const copy = temporaryFolder();
    for (const name of ['src', 'packages', 'package.json', 'tsconfig.json', RULES])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    linkModules(ROOT, copy);
    for (const [, path, line] of PROBES) {
      mkdirSync(dirname(join(copy, placeOf(path))), { recursive: true });
      writeFileSync(join(copy, placeOf(path)), `${line}\nexport {};\n`);
    }
    const broken = violations(copy).map(({ from, rule }) => `${rule.name}: ${from}`);
    expect(broken.toSorted()).toEqual(PROBES.map(([rule, path]) => `${rule}: ${placeOf(path)}`).toSorted());
  });

  it("have a probe each: a rule that never fires isn't one", () => {
    const { forbidden } = createRequire(import.meta.url)(join(ROOT, RULES)) as { forbidden: Rule[] };
    expect([...new Set(PROBES.map(([rule]) => rule))]).toEqual(forbidden.map(({ name }) => name));
  });

  it('hold for what git tracks: no file of the rooms is left out by an ignore rule', () => {
    const ignored = ['ls-files', '--others', '--ignored', '--exclude-standard', ...SOURCES];
    expect(execFileSync('git', ignored, { cwd: ROOT, encoding: 'utf8' })).toBe('');
  });
});

function violations(root: string): Violation[] {
  const program = join(root, 'node_modules', '.bin', 'depcruise');
  const args = [
    program,
    '--config',
    RULES,
    '--output-type',
    'json',
    '--do-not-follow',
    UNLESS_PROBE,
    ...PROBES.map(([, path]) => placeOf(path)),
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout).summary.violations;
}
