// Functions for all rows of the benchmark: a scratch folder, an environment without your settings, repositories.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
export const BIN = join(ROOT, 'bin', 'ralph.js');
/** How often each side of a comparison is measured, in turns. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);

export const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-')));
const cache = join(ROOT, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
/** Folder for bundles below node_modules, so that packages that aren't bundled are found from there. */
export const programs = mkdtempSync(join(cache, 'ralph-bench-'));

const foreign = Object.keys(process.env).filter((name) => /^(RALPH_|GIT_|XDG_|NODE_OPTIONS)/.test(name));
export const env = {
  ...process.env,
  ...Object.fromEntries(foreign.map((name) => [name, undefined])),
  HOME: scratch,
  XDG_STATE_HOME: join(scratch, 'state'),
  XDG_CONFIG_HOME: join(scratch, 'config'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'bench'],
      [`GIT_${who}_EMAIL`, 'bench@localhost'],
    ]),
  ),
  NO_COLOR: '1',
  RALPH_TRUST: '1',
};

export function cleanUp() {
  for (const folder of [scratch, programs]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs a program to its end. @throws when its exit code isn't an allowed one. */
export function run(argv, options = {}, allowed = [0]) {
  const [command, ...args] = argv;
  const done = spawnSync(command, args, { env, encoding: 'utf8', maxBuffer: 2 ** 30, ...options });
  if (!allowed.includes(done.status)) {
    throw new Error(
      `${argv.join(' ')} ended with ${done.status}: ${`${done.stdout}${done.stderr}${done.error ?? ''}`.slice(0, 400)}`,
    );
  }
  return done;
}

/** Returns the milliseconds of a node program from start to end. */
export function timed(argv, cwd) {
  const start = process.hrtime.bigint();
  spawnSync(process.execPath, argv, { cwd, env, stdio: 'ignore' });
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * Shell text that prints what codex prints when it is done: a script replaces codex, so that a built-in agent's gap is
 * measured.
 */
export const SAYS_DONE = `printf '%s\\n' \\
  '{"type":"thread.started","thread_id":"t"}' \\
  '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"EXIT_SIGNAL: true"}}' \\
  '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`;

/**
 * An agent that writes one file, works for a tenth of a second, claims to be done, and records when it began and ended.
 * The file is named by the time, because the process id is the same in each box.
 */
export const AGENT = `#!/bin/sh
now=$(date +%s%N)
echo "$now" >> "$STAMPS"
echo "$now" > "out-$now.txt"
sleep 0.1
${SAYS_DONE}
date +%s%N >> "$STAMPS"
`;

/** Makes a repository with a number of committed files and tasks, and a shell script outside of it as its agent. */
export function repository(files, tasks, script = AGENT) {
  const place = mkdtempSync(join(scratch, 'place-'));
  const folder = join(place, 'repo');
  const agent = join(place, 'codex');
  writeFileSync(agent, script);
  chmodSync(agent, 0o755);
  const list = `## Tasks\n${Array.from({ length: tasks }, (_, index) => `- [ ] **T-${index}** Task ${index}\n`).join('')}`;
  const config = `[loop]
agent = "codex"
max_iterations = 100000
no_progress_limit = 100000
[git]
commit = "on_done"
[review]
enabled = false
[box]
writable = [${JSON.stringify(stampFolder)}]
`;
  run(['git', 'init', '--quiet', '--initial-branch=main', '--template=', folder]);
  const contents = [
    ['.ralph/PRD.md', list],
    ['.ralph/ralph.toml', config],
    ...Array.from({ length: files }, (_, index) => [
      `src/${Math.floor(index / 100)}/${index}.txt`,
      `file ${index}\n`,
    ]),
  ];
  const parts = contents.map(
    ([name, text]) => `M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const commit = `commit refs/heads/main\ncommitter b <b@localhost> 1700000000 +0000\ndata 5\nstart\n${parts.join('')}`;
  // One pack is written instead of a file for each object: 100,000 files then take seconds instead of minutes.
  run(['git', 'fast-import', '--quiet'], { cwd: folder, input: commit });
  run(['git', 'reset', '--quiet', '--hard'], { cwd: folder });
  return { folder, agent };
}

/** Returns the milliseconds between the end of one agent and the start of the next, by the agents' own clock. */
export function gapsIn(stamps) {
  const times = readFileSync(stamps, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Number(BigInt(line) / 1000n) / 1000);
  const found = [];
  // The first gap contains work that is done once in a run, so it isn't counted.
  for (let index = 3; index + 1 < times.length; index += 2) found.push(times[index + 1] - times[index]);
  return found;
}

let stampFiles = 0;
/** Folder in which agents record when they began and ended. */
const stampFolder = join(scratch, 'stamps');
mkdirSync(stampFolder);
/** Returns the gaps of one `ralph run` with a number of iterations. */
export function gapsOfRun({ folder, agent }, iterations) {
  stampFiles += 1;
  const stamps = join(stampFolder, `loop-${stampFiles}`);
  run(
    [process.execPath, BIN, 'run', '--quiet', '--max-iterations', String(iterations)],
    { cwd: folder, env: { ...env, PATH: `${dirname(agent)}:${env.PATH}`, STAMPS: stamps } },
    [0, 3],
  );
  return gapsIn(stamps);
}
