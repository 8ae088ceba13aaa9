import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/repository.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RULES = '.dependency-cruiser.cjs';

type Rule = { readonly name: string };
type Violation = { readonly from: string; readonly rule: Rule };

/** Imports that must be refused: the rule, the file that would break it, its line. */
const PROBES = [
  ['no-cycles', 'lib/zz-itself.ts', "import type {} from './zz-itself.ts';"],
  ['lib-imports-nothing-of-ours', 'lib/zz-domain.ts', "import '../domain/zz-room.ts';"],
  ['ecosystems-import-lib-alone', 'ecosystems/zz-domain.ts', "import '../domain/zz-room.ts';"],
  ['domain-imports-lib-alone', 'domain/zz-room.ts', "import '../tasks/index.ts';"],
  ['a-deciding-room-imports-domain-lib-and-itself', 'tasks/zz-room.ts', "import '../prompt/index.ts';"],
  ['a-deciding-room-imports-domain-lib-and-itself', 'tasks/zz-io.ts', "import '../io/clock.ts';"],
  [
    'a-deciding-room-imports-domain-lib-and-itself',
    'tasks/zz-type.ts',
    "import type {} from '../proof/gates/index.ts';",
  ],
  ['tell-imports-domain-ecosystems-lib-and-the-table', 'tell/zz-decide.ts', "import '../decide/index.ts';"],
  ['the-table-of-answers-imports-domain-and-lib', 'respond/zz-room.ts', "import '../tasks/index.ts';"],
  ['decide-puts-the-decisions-of-the-rooms-together', 'decide/zz-loop.ts', "import '../loop/index.ts';"],
  ['replay-decides-again-and-runs-nothing', 'replay/zz-loop.ts', "import '../loop/index.ts';"],
  ['shell-imports-lib', 'actions/shell/zz-domain.ts', "import '../../domain/zz-room.ts';"],
  [
    'effects-import-lib-and-shell',
    'actions/effects/zz-review.ts',
    "import type {} from '../review/index.ts';",
  ],
  ['effects-import-lib-and-shell', 'actions/effects/zz-domain.ts', "import '../../domain/zz-room.ts';"],
  [
    'review-imports-ecosystems-lib-effects-and-shell',
    'actions/review/zz-room.ts',
    "import '../../tasks/index.ts';",
  ],
  [
    'review-imports-ecosystems-lib-effects-and-shell',
    'actions/review/zz-domain.ts',
    "import '../../domain/zz-room.ts';",
  ],
  [
    'avoidance-imports-lib-and-ecosystems',
    'proof/avoidance/zz-domain.ts',
    "import '../../domain/zz-room.ts';",
  ],
  ['io-imports-domain-ecosystems-lib-and-itself', 'io/zz-room.ts', "import '../tasks/index.ts';"],
  ['what-of-io-reaches-you-imports-tell-too', 'io/ui/zz-room.ts', "import '../../tasks/index.ts';"],
  ['the-loop-does-not-know-io', 'loop/zz-io.ts', "import '../io/clock.ts';"],
  ['app-does-not-know-cli', 'app/zz-cli.ts', "import '../cli/zz-io.ts';"],
  ['evaluate-does-not-know-cli', 'evaluate/zz-loop.ts', "import '../loop/index.ts';"],
  ['cli-knows-app-evaluate-tell-io-ui-and-domain', 'cli/zz-io.ts', "import '../io/clock.ts';"],
  ['the-command-line-starts-light', 'cli/program-zz.ts', "import '../domain/exit.ts';"],
  [
    'a-command-loads-what-it-does-once-it-is-called',
    'cli/commands/zz-take.ts',
    "import '../../app/commands/take.ts';",
  ],
  ['pure-rooms-have-no-node-built-ins', 'tasks/zz-built-in.ts', "import 'node:fs';"],
  ['pure-rooms-use-the-allow-list-of-packages', 'tasks/zz-package.ts', "import 'execa';"],
  ['toml-lives-in-config', 'tasks/zz-toml.ts', "import 'smol-toml';"],
  ['unbash-lives-in-shell', 'tasks/zz-unbash.ts', "import 'unbash';"],
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
  ['a-room-is-entered-through-its-index', 'loop/zz-index.ts', "import '../tasks/zz-room.ts';"],
] as const;

describe('the layer rules', () => {
  it('hold for the whole of src, and each refuses what it is for', () => {
    const copy = temporaryFolder();
    for (const name of ['src', 'package.json', 'tsconfig.json', RULES])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const [, path, line] of PROBES) {
      mkdirSync(dirname(join(copy, 'src', path)), { recursive: true });
      writeFileSync(join(copy, 'src', path), `${line}\nexport {};\n`);
    }
    const broken = violations(copy).map(({ from, rule }) => `${rule.name}: ${from}`);
    expect(broken.toSorted()).toEqual(PROBES.map(([rule, path]) => `${rule}: src/${path}`).toSorted());
  });

  it('have a probe each: a rule that never fires is none', () => {
    const { forbidden } = createRequire(import.meta.url)(join(ROOT, RULES)) as { forbidden: Rule[] };
    expect([...new Set(PROBES.map(([rule]) => rule))]).toEqual(forbidden.map(({ name }) => name));
  });

  it('hold for what git tracks: no file of the rooms is left out by an ignore rule', () => {
    const ignored = execFileSync('git', ['ls-files', '--others', '--ignored', '--exclude-standard', 'src'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(ignored).toBe('');
  });
});

function violations(root: string): Violation[] {
  const program = join(root, 'node_modules', '.bin', 'depcruise');
  const args = [program, '--config', RULES, '--output-type', 'json', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout).summary.violations;
}
