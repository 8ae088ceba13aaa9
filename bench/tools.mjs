// What every row of the benchmark uses: a scratch folder, an environment without a user's settings, repositories.
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
/** For bundles: below node_modules, so that what is not bundled is found from there. */
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

/** Runs a program to its end; throws when it fails otherwise than allowed. */
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

/** Milliseconds of a node program from start to end. */
export function timed(argv, cwd) {
  const start = process.hrtime.bigint();
  spawnSync(process.execPath, argv, { cwd, env, stdio: 'ignore' });
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** What codex prints that is done: in its place stands a script, so that the gap is that of a built-in agent. */
export const SAYS_DONE = `printf '%s\\n' \\
  '{"type":"thread.started","thread_id":"t"}' \\
  '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"EXIT_SIGNAL: true"}}' \\
  '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`;

/**
 * Writes one file, works for a tenth of a second, claims to be done, and tells when it began and when it ended. The
 * file is named by the time, as the process id is the same in each box.
 */
export const AGENT = `#!/bin/sh
now=$(date +%s%N)
echo "$now" >> "$STAMPS"
echo "$now" > "out-$now.txt"
sleep 0.1
${SAYS_DONE}
date +%s%N >> "$STAMPS"
`;

/** A repository with so many committed files and tasks, and a shell script outside of it as its agent. */
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
  // One pack instead of one file for each object: seconds instead of minutes at 100,000.
  run(['git', 'fast-import', '--quiet'], { cwd: folder, input: commit });
  run(['git', 'reset', '--quiet', '--hard'], { cwd: folder });
  return { folder, agent };
}

/** Milliseconds between the end of one agent and the start of the next, from the agent's own clock. */
export function gapsIn(stamps) {
  const times = readFileSync(stamps, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Number(BigInt(line) / 1000n) / 1000);
  const found = [];
  // The first gap holds what is warmed up once.
  for (let index = 3; index + 1 < times.length; index += 2) found.push(times[index + 1] - times[index]);
  return found;
}

let stampFiles = 0;
/** Where agents write when they began and ended. */
const stampFolder = join(scratch, 'stamps');
mkdirSync(stampFolder);
/** The gaps of one `ralph run` over so many iterations. */
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
