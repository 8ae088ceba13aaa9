import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IterationRecord } from '../../src/domain/records/iteration.ts';
import { type Finished, finishedOf } from '../helpers/finished.ts';
import { repositoryAt, temporaryFolder } from '../helpers/repository.ts';
import type { Agent } from './given.ts';
import { iterationsOf } from './iterations.ts';
import { BENCH_VARIABLE, endLeftovers, leftAlive } from './leftovers.ts';
import type { Scenario } from './model/scenario.ts';
import { type ModelRequest, startModel } from './model/server.ts';
import { keepRecording } from './recording.ts';

export const BIN = fileURLToPath(new URL('../../bin/ralph.js', import.meta.url));
/** A run that hangs ends the test with what it said so far. */
const LIMIT_MS = 150_000;
/** Exit code of a run that ends as no agent is available. */
const UNAVAILABLE = 9;

export type Place = {
  /** Top of the repository. */
  readonly root: string;
  /** A folder of the user's, outside of the repository, with `keep.txt` in it. */
  readonly precious: string;
};

export type Trial = {
  /** Names the recording. */
  readonly name: string;
  /** Agents that are there as well, such as those of other roles. */
  readonly others?: readonly Agent[];
  readonly scenario: (place: Place) => Scenario;
  /** Arguments for `ralph run`. */
  readonly args?: readonly string[];
  /** In place of `run`. */
  readonly command?: readonly string[];
  /** More commands behind it, in the same repository; the outcome has the code and the result of the last one. */
  readonly afterwards?: readonly (readonly string[])[];
  /** More of `.ralph/ralph.toml`. */
  readonly config?: string | ((url: string) => string);
  /** More lines for `[loop]`. */
  readonly loop?: string;
  /** Lines for `[runners.AGENT]`. */
  readonly runner?: string | ((url: string) => string);
  /** More files of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the repository as you edited them, not committed. */
  readonly edits?: Readonly<Record<string, string>>;
  /** More files of the home folder. */
  readonly home?: Readonly<Record<string, string>>;
  /** Name of the repository's folder. */
  readonly folder?: string;
  /** Of an attempt; generous where the attempt is to end on its own. */
  readonly timeoutSeconds?: number;
  readonly idleSeconds?: number;
  /** That it has for its end. */
  readonly graceSeconds?: number;
  /** Where the agent looks for the model, from where it is. */
  readonly address?: (url: string) => string;
  /** Of the whole run; milliseconds. */
  readonly limitMs?: number;
  /** The limits of an attempt are those that ralph has unless you set them. */
  readonly hasOwnLimits?: boolean;
  /** How often a run that ends as the agent isn't available is started again. */
  readonly restarts?: number;
};

export type Outcome = Place & {
  readonly code: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: what is in the document is what the tests find out
  readonly result: any;
  readonly stderr: string;
  readonly iterations: readonly IterationRecord[];
  /** What the model was sent. */
  readonly requests: readonly ModelRequest[];
  /** Processes that were still there; `null` where the system does not tell. */
  readonly alive: readonly string[] | null;
  /** A file of the repository; `null` when there is none. */
  readonly read: (name: string) => string | null;
};

/** A real run of ralph with a real agent in a scratch repository, with an empty environment and an empty home. */
export async function runWith(agent: Agent, trial: Trial): Promise<Outcome> {
  const scratch = temporaryFolder();
  const home = join(scratch, 'home');
  const root = join(scratch, trial.folder ?? 'project');
  const precious = join(home, 'documents');
  const model = await startModel(trial.scenario({ root, precious }), root);
  const url = trial.address?.(model.url) ?? model.url;
  try {
    const all = [agent, ...(trial.others ?? [])];
    const settings = Object.assign({}, ...all.map((one) => one.files({ url, home })));
    const userFiles = { 'documents/keep.txt': 'keep me\n', ...settings };
    writeAll(home, { ...userFiles, ...trial.home });
    mkdirSync(join(scratch, 'tmp'));
    makeRepository(root, {
      'README.md': '# Scratch\n',
      // Some agents make no folder for a file that they write.
      'src/index.js': 'export {};\n',
      '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Create src/hello.txt\n',
      '.ralph/ralph.toml': configuration(agent, trial, url),
      ...trial.files,
    });
    writeAll(root, trial.edits ?? {});
    const env = agentEnv(all, { url, home, scratch });
    const command = trial.command ?? ['run', '--agent', agent.name];
    const args = ['--format', 'json', ...command, ...(trial.args ?? [])];
    const start = () => run(args, root, env, trial.limitMs ?? LIMIT_MS);
    let { code, stdout, stderr } = await start();
    for (let left = trial.restarts ?? 0; left > 0 && code === UNAVAILABLE; left -= 1) {
      ({ code, stdout, stderr } = await start());
    }
    for (const more of trial.afterwards ?? [])
      ({ code, stdout, stderr } = await run(['--format', 'json', ...more], root, env, LIMIT_MS));
    const alive = leftAlive(scratch);
    const iterations = iterationsOf(root);
    keepRecording({ agent, name: trial.name, scratch, root, url });
    const read = (name: string) => {
      const path = join(root, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : null;
    };
    const result = parsed(stdout, stderr);
    return { root, precious, code, result, stderr, iterations, requests: model.requests, alive, read };
  } finally {
    endLeftovers(scratch);
    await model.close();
  }
}

/** All that agents find in their environment. */
export function agentEnv(
  agents: readonly Agent[],
  { url, home, scratch }: { readonly url: string; readonly home: string; readonly scratch: string },
): Record<string, string> {
  return {
    ...Object.assign({}, ...agents.map((agent) => agent.env({ url, home }))),
    PATH: [
      ...agents.flatMap(({ installed }) => installed.path),
      dirname(process.execPath),
      '/usr/bin',
      '/bin',
    ].join(':'),
    HOME: home,
    TMPDIR: join(scratch, 'tmp'),
    // As an attempt leaves the work tree: commits are another matter.
    RALPH_GIT_COMMIT: 'never',
    XDG_STATE_HOME: join(scratch, 'state'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    RALPH_TRUST: '1',
    [BENCH_VARIABLE]: scratch,
  };
}

function configuration(
  agent: Agent,
  { config = '', runner, loop, timeoutSeconds, idleSeconds, graceSeconds, hasOwnLimits = false }: Trial,
  url: string,
): string {
  return [
    `[runners.${agent.name}]`,
    typeof runner === 'function' ? runner(url) : (runner ?? ''),
    ...['[loop]', 'max_iterations = 1', loop ?? ''],
    ...(hasOwnLimits
      ? []
      : [
          `grace = ${graceSeconds ?? 2}`,
          ...['[modes.speed]', `timeout = ${timeoutSeconds ?? 90}`],
          ...['[adaptive_timeout]', 'enabled = false', `idle_timeout = ${idleSeconds ?? 60}`],
        ]),
    typeof config === 'string' ? config : config(url),
  ].join('\n');
}

export function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

export function makeRepository(root: string, files: Readonly<Record<string, string>>): void {
  writeAll(root, files);
  const repository = repositoryAt(root);
  repository.git('init', '-q', '-b', 'main', '--template=');
  repository.commitAll('start');
}

function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<Finished> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env,
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finishedOf(child);
}

function parsed(stdout: string, stderr: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`no JSON was printed: ${stdout}${stderr}`);
  }
}
