import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { recordedRuns, replayFiles } from '../../src/app/records/recorded-run.ts';
import { stateHomeOf } from '../../src/app/setup/state-home.ts';
import type { InterventionEvent } from '../../src/domain/records/event.ts';
import { IterationRecord } from '../../src/domain/records/iteration.ts';
import { findWorkTree } from '../../src/git/index.ts';
import { eventually, LIMIT_MS } from './eventually.ts';
import { type Finished, finishedOf } from './finished.ts';
import { PROJECT_FILES, type ProjectFiles } from './project-files.ts';
import { makeRepository, repositoryAt, type TestRepository } from './repository.ts';

export * from './project-files.ts';

/** Absolute path of the built command line. */
export const BIN = fileURLToPath(new URL('../../bin/ralph.js', import.meta.url));

export type Started = {
  readonly child: ChildProcess;
  /** Resolves with the exit once all output is read. */
  readonly ended: Promise<Finished>;
  /** Resolves once these words were printed, white space counting as one space; rejects if it ends without them. */
  readonly says: (words: string) => Promise<void>;
};

type Json = Record<string, unknown>;

export type Project = TestRepository & {
  /** Runs the built command line here as a process of its own. */
  readonly ralph: (...args: string[]) => Finished;
  /** Runs a command with `--format json`; returns its document and its exit code. */
  // biome-ignore lint/suspicious/noExplicitAny: what is in a document is what the tests find out
  readonly json: (...args: string[]) => any;
  /** Like `json`, but other tests continue meanwhile. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly jsonLater: (...args: string[]) => Promise<any>;
  /** Starts a command without waiting for its end. */
  readonly start: (...args: string[]) => Started;
  /** Returns the absolute path of a file in the copy in which tasks are worked on. */
  readonly inCopy: (name: string, slot?: string) => string;
  /**
   * Makes a file for which a program waits, in the checkout and in the copy of tasks. Only without a box, because a box
   * may not show it.
   */
  readonly signal: (name: string) => void;
  /** Writes a program of the project, such as the agent, and commits it: agents don't see uncommitted files. */
  readonly program: (name: string, text: string) => void;
  /** Returns the text of a file in the copy. */
  readonly readCopy: (name: string) => string;
  /** Waits until a file exists, in the checkout or in the copy. */
  readonly appears: (name: string) => Promise<void>;
  /** Returns the recorded events, as `ralph interventions` prints them. */
  readonly events: () => InterventionEvent[];
  /** Returns the `iteration.json` of an iteration. */
  readonly iteration: (number: number) => IterationRecord;
  /** Returns the prompt of an iteration. */
  readonly promptOf: (number: number) => string;
  /** Returns the numbers of the recorded iterations. */
  readonly iterations: () => number[];
  /**
   * Declares that replays of this project's runs differ, with the reason and the differences: a test damages records on
   * purpose.
   */
  readonly replaysDifferently: (reason: string, ...what: string[]) => void;
};

/** Folders of the projects that this file's tests made, with the expected differences in replays of their runs. */
const projects = new Map<string, { readonly reason: string; readonly what: readonly string[] }>();

// Every run that a test records is replayed and must give equal decisions. The helpers that remove the folders run
// after this.
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

/** Makes a repository with one task for the scripted agent; the given files are added to these, or replace them. */
export function makeProject(files: ProjectFiles = {}): Project {
  return projectAt(makeRepository({ ...PROJECT_FILES, ...files }).root);
}

/** Names of the copies in which the file of `appears` may be: the one for tasks, and those for reviewers and gates. */
const SLOTS = ['1', 'c1', 'c2'];

/** Returns the command line for a folder. */
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
      // Gates run in a copy of their own, so the file is made there, too.
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
      eventually(() => {
        const places = [repository.path(name), ...SLOTS.map((slot) => inCopy(name, slot))];
        if (!places.some((place) => existsSync(place))) throw new Error(`${name} did not appear`);
      }),
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

/** Returns the environment of commands, in which colours are neither forced nor forbidden. */
function childEnv(): NodeJS.ProcessEnv {
  const { NO_COLOR: _none, FORCE_COLOR: _forced, ...env } = process.env;
  // The commands of test projects are the tests' own, so they are trusted; test/e2e/trust.test.ts does without.
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
  let printed = '';
  const read = (text: string) => {
    printed += text;
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!printed.replace(/\s+/g, ' ').includes(words)) return;
        for (const stream of [child.stdout, child.stderr]) stream.off('data', look);
        resolve();
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
      child.on('close', () => reject(new Error(`it ended without ${JSON.stringify(words)}: ${printed}`)));
      look();
    });
  return { child, ended: finishedOf(child), says };
}

/** Resolves once a file exists at this absolute path. */
export function appears(path: string): Promise<void> {
  return eventually(() => {
    if (!existsSync(path)) throw new Error(`${path} did not appear`);
  });
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns processes whose working directory is in the project: process ids in a box have another meaning outside. */
export function processesIn({ root }: TestRepository): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === root;
    } catch {
      return false;
    }
  });
}

/**
 * Turns boxes off for the tests around it, which show ralph's own checks: in a box the kernel would forbid what the
 * agents do.
 */
export function withoutBox(): void {
  beforeAll(() => {
    process.env.RALPH_BOX_MODE = 'off';
  });
  afterAll(() => {
    delete process.env.RALPH_BOX_MODE;
  });
}
