/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { always, claim, makeProject, type Project } from '../helpers/cli.ts';
import { asOrdinaryUser, canBeOrdinary } from '../helpers/ordinary-user.ts';
import { temporaryFolder } from '../helpers/repository.ts';

type Thing = 'pipe' | 'socket' | 'folder' | 'full folder' | 'link' | 'loop' | 'dangling link' | 'unreadable';

let project: Project;
let user: ReturnType<typeof asOrdinaryUser>;
/** The folder outside of the repository holds files of yours. */
let outside: string;
let kept: string;

beforeAll(() => {
  project = makeProject({
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${[1, 2, 3].map((id) => `- [ ] **T-${id}** Write part ${id}\n`).join('')}`,
    '.ralph/scenario.json': always(
      { action: 'write', path: 'src/{task}.ts', content: 'export const time = {attempt};\n' },
      claim('src/{task}.ts:1 it'),
    ),
    '.ralph/PROMPT_build.md': 'Do {{task}}.\n\n{{feedback}}\n',
    '.ralph/FEEDBACK.md': '',
    'AGENTS.md': 'notes\n',
    'deep/a.txt': 'a\n',
  });
  user = asOrdinaryUser(project.root);
  outside = temporaryFolder();
  user.give();
  expect(user.ralph('run', '--quiet', '--max-iterations', '1').status).toBe(3);
  kept = temporaryFolder();
  for (const [name, folder] of [
    ['repository', project.root],
    ['state', user.state],
  ] as const)
    cpSync(folder, join(kept, name), { recursive: true, verbatimSymlinks: true });
});

/** Restores the state after the first run, and puts this thing in these places. */
async function put(thing: Thing, places: readonly string[]): Promise<void> {
  for (const [name, folder] of [
    ['repository', project.root],
    ['state', user.state],
  ] as const) {
    for (const one of readdirSync(folder)) rmSync(join(folder, one), { recursive: true, force: true });
    cpSync(join(kept, name), folder, { recursive: true, verbatimSymlinks: true });
  }
  rmSync(outside, { recursive: true, force: true });
  mkdirSync(join(outside, 'folder'), { recursive: true });
  writeFileSync(join(outside, 'file'), 'yours\n');
  for (const place of places) await putOne(thing, project.path(place));
  user.give();
}

async function putOne(thing: Thing, path: string): Promise<void> {
  const wasFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  switch (thing) {
    case 'pipe':
      spawnSync('mkfifo', [path]);
      break;
    case 'socket': {
      // The path of a socket has to be short when it is made, so it is moved afterwards.
      const short = join(temporaryFolder(), 's');
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(short, resolve));
      renameSync(short, path);
      await new Promise((resolve) => server.close(resolve));
      break;
    }
    case 'folder':
      mkdirSync(path);
      break;
    case 'full folder':
      mkdirSync(path);
      writeFileSync(join(path, 'mine'), 'yours\n');
      break;
    case 'link':
      symlinkSync(join(outside, wasFolder ? 'folder' : 'file'), path);
      break;
    case 'loop':
      symlinkSync(basename(path), path);
      break;
    case 'dangling link':
      symlinkSync(join(outside, 'new'), path);
      break;
    case 'unreadable':
      writeFileSync(path, 'x\n');
      chmodSync(path, 0);
      break;
  }
}

/** Runs a command, and checks that it ended with a message and touched nothing outside. */
function ralph(...args: string[]) {
  const { status, signal, stdout, stderr } = user.ralph(...args);
  const printed = `${stdout}${stderr}`;
  expect([args[0], signal, printed]).toEqual([args[0], null, printed]);
  expect(printed).not.toMatch(/should not have happened|mistake in ralph|^\s+at .*\d+:\d+/m);
  expect([readdirSync(outside), readdirSync(join(outside, 'folder'))]).toEqual([['file', 'folder'], []]);
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('yours\n');
  return { status, printed, words: printed.replaceAll(/\s+/g, ' ') };
}

/** ralph makes these files anew, or works without them. */
const REPLACED = [
  '.ralph/state.json',
  '.ralph/metrics.json',
  '.ralph/interventions/profile.json',
  '.ralph/interventions/events.json',
  '.ralph/journal.jsonl',
] as const;
const UNNAMED = [
  '.ralph/.gitignore',
  '.ralph/journal',
  '.ralph/run.lock',
  '.ralph/state.lock',
  '.git/ralph/id',
];

describe.runIf(process.platform === 'linux' && canBeOrdinary)('in the place of files', () => {
  it.each<[Thing]>([['pipe'], ['socket'], ['folder'], ['link'], ['loop'], ['dangling link']])(
    'a %s is replaced and named where something was in it, and the work continues',
    async (thing) => {
      // A rename doesn't replace a folder, so a folder in the place of the id is among the named ones below.
      const unnamed = UNNAMED.filter((place) => thing !== 'folder' || place !== '.git/ralph/id');
      await put(thing, [...REPLACED, ...unnamed]);
      expect(ralph('doctor').status).toBeLessThanOrEqual(2);
      const { status, words } = ralph('run', '--max-iterations', '1');
      expect([status, words]).toEqual([3, expect.stringContaining('2 of 3 tasks done')]);
      for (const place of REPLACED) expect(words).toContain(place);
      expect(ralph('status').status).toBe(0);
    },
  );

  it.each<[thing: Thing, place: string]>([
    ['pipe', '.ralph'],
    ['pipe', '.ralph/ralph.toml'],
    ['pipe', '.ralph/PRD.md'],
    ['pipe', '.ralph/FEEDBACK.md'],
    ['pipe', '.ralph/PROMPT_build.md'],
    ['pipe', '.ralph/interventions'],
    ['pipe', '.ralph/runs'],
    ['pipe', 'AGENTS.md'],
    ['pipe', '.gitignore'],
    ['pipe', 'deep/.gitignore'],
    ['pipe', '.git/HEAD'],
    ['pipe', '.git/packed-refs'],
    ['pipe', '.git/config'],
    ['pipe', '.git/refs'],
    ['socket', '.git/index'],
    ['socket', '.ralph/PRD.md'],
    ['loop', '.ralph'],
    ['loop', '.ralph/ralph.toml'],
    ['link', '.ralph/interventions'],
    ['link', '.ralph/runs'],
    ['dangling link', 'AGENTS.md'],
    ['full folder', '.ralph/run.lock'],
    ['full folder', '.ralph/state.lock'],
    ['full folder', '.git/HEAD'],
    ['full folder', '.git/ralph/id'],
    ['unreadable', '.ralph/ralph.toml'],
    ['unreadable', '.ralph/journal.jsonl'],
    ['unreadable', '.ralph/state.lock'],
    ['unreadable', '.git/packed-refs'],
    ['unreadable', '.git/info/exclude'],
    ['unreadable', '.git/hooks'],
  ])('%s: %s stops a run, which names it', async (thing, place) => {
    await put(thing, [place]);
    const { status, words } = ralph('run', '--max-iterations', '1');
    expect([[1, 2, 9].includes(status ?? -1), words]).toEqual([true, expect.stringContaining(place)]);
  });

  it('doctor and status end whatever is there', async () => {
    // Git would wait for a pipe in its own folder, and is stopped after a while; the rows above hold that.
    const unnamed = UNNAMED.filter((place) => !place.startsWith('.git/'));
    const all = [...REPLACED, ...unnamed, '.ralph/PRD.md', '.ralph/FEEDBACK.md', 'AGENTS.md'];
    for (const thing of ['pipe', 'unreadable'] as const) {
      await put(thing, all);
      expect(ralph('doctor').words).toContain('.ralph/PRD.md');
      const { status, words } = ralph('status');
      expect([[1, 2].includes(status ?? -1), words]).toEqual([
        true,
        expect.stringMatching(/\.ralph\/(PRD\.md|journal|state)/),
      ]);
    }
  });
});
