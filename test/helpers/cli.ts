import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { recordedRuns, replayFiles } from '../../src/app/records/recorded-run.ts';
import { stateHomeOf } from '../../src/app/setup/state-home.ts';
import type { InterventionEvent } from '../../src/domain/records/event.ts';
import { IterationRecord } from '../../src/domain/records/iteration.ts';
import { findWorkTree } from '../../src/io/git/index.ts';
import { type Finished, finishedOf } from './finished.ts';
import { PROJECT_FILES, type ProjectFiles } from './project-files.ts';
import { makeRepository, repositoryAt, type TestRepository } from './repository.ts';

export * from './project-files.ts';

/** The built command line. */
export const BIN = fileURLToPath(new URL('../../bin/ralph.js', import.meta.url));

/** A hanging run must end the test with a message, not the whole suite with none. */
const LIMIT_MS = Number(process.env.TEST_LIMIT_MS ?? 170_000);

export type Started = {
  readonly child: ChildProcess;
  /** How it ended, once all of its output is read. */
  readonly ended: Promise<Finished>;
};

type Json = Record<string, unknown>;

export type Project = TestRepository & {
  /** Runs the built command line here as a process of its own. */
  readonly ralph: (...args: string[]) => Finished;
  /** The same with `--format json`: the one document that it printed, and the exit code. */
  // biome-ignore lint/suspicious/noExplicitAny: what is in a document is what the tests find out
  readonly json: (...args: string[]) => any;
  /** As `json`, while other tests continue. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly jsonLater: (...args: string[]) => Promise<any>;
  /** Starts it and does not wait. */
  readonly start: (...args: string[]) => Started;
  /** Absolute path of a file in the copy in which tasks are worked at. */
  readonly inCopy: (name: string, slot?: string) => string;
  /** Makes a file where a program waits for it: in the checkout, and in the copy of tasks. Without a box, as a box may not see it. */
  readonly signal: (name: string) => void;
  /** Writes a program of the project, such as the agent, and commits it: what isn't committed no agent sees. */
  readonly program: (name: string, text: string) => void;
  /** What the copy holds there. */
  readonly readCopy: (name: string) => string;
  /** Waits until a file exists, in the checkout or in the copy. */
  readonly appears: (name: string) => Promise<void>;
  /** The events on record, as `ralph interventions` gives them. */
  readonly events: () => InterventionEvent[];
  /** `iteration.json` of this iteration. */
  readonly iteration: (number: number) => IterationRecord;
  /** The prompt that this iteration got. */
  readonly promptOf: (number: number) => string;
  /** Numbers of the iterations on disk. */
  readonly iterations: () => number[];
  /** Says why the runs of this project do not replay to the same, and what differs: records are damaged on purpose. */
  readonly replaysDifferently: (reason: string, ...what: string[]) => void;
};

/** Folders of the projects that the tests of this file made, and what differs in a replay of their runs. */
const projects = new Map<string, { readonly reason: string; readonly what: readonly string[] }>();

// Every run that a test records is decided again, to the same. The helpers that remove the folders come after this.
afterAll(() => {
  for (const [root, { reason, what }] of projects) {
    const git = `${root}/.git`;
    const work = findWorkTree(root, process.env) ?? { top: root, gitDir: git, commonDir: git };
    const runs = recordedRuns(`${root}/.ralph`).map((run) => replayFiles(work, run));
    const differences = runs.flatMap((run) => run.differences);
    const seen = [...new Set(differences.map((difference) => difference.what))];
    expect(seen, `${reason}: ${JSON.stringify(differences, null, 1)}`).toEqual(what);
  }
  projects.clear();
});

/** A repository with one task for the scripted agent; the given files come beside or instead of these. */
export function makeProject(files: ProjectFiles = {}): Project {
  return projectAt(makeRepository({ ...PROJECT_FILES, ...files }).root);
}

/** Copies of the work tree in which what a test waits for may appear: the one of tasks, and those of reviewers and gates. */
const SLOTS = ['1', 'c1', 'c2'];

/** The command line in any folder. */
export function projectAt(root: string): Project {
  const repository = repositoryAt(root);
  if (!projects.has(root)) projects.set(root, { reason: 'a run replays to the same', what: [] });
  const ralph = (...args: string[]) => runCli(root, args);
  const inCopy = (name: string, slot = '1') => {
    const gitDir = repository.git('rev-parse', '--absolute-git-dir');
    const common = resolve(root, repository.git('rev-parse', '--git-common-dir'));
    const slots = join(stateHomeOf(common), 'slots', gitDir === common ? 'main' : basename(gitDir));
    return join(slots, slot, 'files', name);
  };
  const folderOf = (number: number) => {
    const name = String(number).padStart(4, '0');
    const found = runFolders(repository).map((run) => `.ralph/runs/${run}/iterations/${name}`);
    const folder = found.find((path) => repository.exists(path));
    if (folder === undefined) throw new Error(`there is no iteration ${number}`);
    return folder;
  };
  return {
    ...repository,
    signal: (name) => {
      repository.write(name, '');
      // Gates run in a copy of their own.
      for (const slot of SLOTS)
        if (existsSync(dirname(inCopy(name, slot)))) writeFileSync(inCopy(name, slot), '');
    },
    program: (name, text) => {
      repository.write(name, text, 0o755);
      repository.git('add', '-f', '--', name);
      repository.git('commit', '-q', '--allow-empty', '-m', name, '--', name);
    },
    ...{ ralph, inCopy, readCopy: (name) => readFileSync(inCopy(name), 'utf8') },
    json: (...args) => parsed(ralph('--format', 'json', ...args)),
    jsonLater: async (...args) => parsed(await startCli(root, ['--format', 'json', ...args]).ended),
    start: (...args) => startCli(root, args),
    appears: (name) =>
      vi.waitFor(
        () => {
          const places = [repository.path(name), ...SLOTS.map((slot) => inCopy(name, slot))];
          if (!places.some((place) => existsSync(place))) throw new Error(`${name} did not appear`);
        },
        { timeout: LIMIT_MS, interval: 20 },
      ),
    events: () => parsed(ralph('--format', 'json', 'interventions')).events as InterventionEvent[],
    iteration: (number) =>
      IterationRecord.parse(JSON.parse(repository.read(`${folderOf(number)}/iteration.json`))),
    promptOf: (number) => repository.read(`${folderOf(number)}/prompt.md`),
    iterations: () =>
      runFolders(repository)
        .flatMap((run) => readdirSync(repository.path(`.ralph/runs/${run}/iterations`)).map(Number))
        .filter((number) => number > 0)
        .toSorted((one, other) => one - other),
    replaysDifferently: (reason, ...what) => {
      projects.set(root, { reason, what });
    },
  };
}

function parsed({ stdout, stderr, code }: Finished): Json {
  try {
    return JSON.parse(stdout) as Json;
  } catch {
    throw new Error(`no JSON was printed (exit ${code}): ${stdout}${stderr}`);
  }
}

function runFolders({ path }: TestRepository): string[] {
  const runs = path('.ralph/runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs).filter((run) => existsSync(`${runs}/${run}/iterations`));
}

/** Colours are left to the command: neither forced nor forbidden. */
function childEnv(): NodeJS.ProcessEnv {
  const { NO_COLOR: _none, FORCE_COLOR: _forced, ...env } = process.env;
  // The commands of test projects are the tests' own; test/e2e/trust.test.ts does without.
  return { RALPH_TRUST: '1', ...env };
}

function runCli(cwd: string, args: readonly string[]): Finished {
  const run = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    env: childEnv(),
    encoding: 'utf8',
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.error) throw run.error;
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function startCli(cwd: string, args: readonly string[]): Started {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: childEnv(),
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: finishedOf(child) };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Processes whose working directory is the project: numbers that programs know of themselves may be those of a box. */
export function processesIn({ root }: TestRepository): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === root;
    } catch {
      return false;
    }
  });
}

/** The tests around it show what ralph does itself: agents do what the kernel forbids in a box. */
export function withoutBox(): void {
  beforeAll(() => {
    process.env.RALPH_BOX_MODE = 'off';
  });
  afterAll(() => {
    delete process.env.RALPH_BOX_MODE;
  });
}
