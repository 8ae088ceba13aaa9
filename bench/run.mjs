// `npm run bench`: each figure as a ratio to something run beside it, interleaved, with the promise next to it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'bin', 'ralph.js');
const SIZES = (process.env.BENCH_FILES ?? '1000,10000').split(',').map(Number);
const PROMISED_GAP = { 1000: 2.5, 10000: 1.2, 100000: 0.8 };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const scratch = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
const env = {
  ...process.env,
  HOME: scratch,
  XDG_STATE_HOME: join(scratch, 'state'),
  XDG_CONFIG_HOME: join(scratch, 'config'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  NO_COLOR: '1',
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function row(what, value, unit, baseline, promise) {
  const ratio = value / baseline;
  const kept = promise === null ? '' : `promise ≤ ${promise}: ${ratio <= promise ? 'kept' : 'NOT KEPT'}`;
  const figures = `${value.toFixed(1)} ${unit} against ${baseline.toFixed(1)} ${unit}`;
  process.stdout.write(
    `${what.padEnd(44)} ${figures.padEnd(30)} ratio ${ratio.toFixed(2).padStart(5)}  ${kept}\n`,
  );
}

function timed(argv, cwd) {
  const start = process.hrtime.bigint();
  spawnSync(process.execPath, argv, { cwd, env, stdio: 'ignore' });
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** A repository with that many tracked files and an agent that writes one file and says when it began and ended. */
function repository(files, tasks) {
  const folder = mkdtempSync(join(scratch, 'repo-'));
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], {
      cwd: folder,
      env,
      stdio: 'pipe',
    });
  for (let index = 0; index < files; index += 1) {
    const sub = join(folder, 'src', String(Math.floor(index / 100)));
    if (index % 100 === 0) mkdirSync(sub, { recursive: true });
    writeFileSync(join(sub, `${index}.txt`), `file ${index}\n`);
  }
  mkdirSync(join(folder, '.ralph'));
  writeFileSync(
    join(folder, '.ralph', 'PRD.md'),
    `## Tasks\n${Array.from({ length: tasks }, (_, index) => `- [ ] **T-${index}** Task ${index}`).join('\n')}\n`,
  );
  writeFileSync(
    join(folder, '.ralph', 'ralph.toml'),
    '[loop]\nagent = "x"\n[runners.x]\nargv = ["../agent.sh", "-"]\n',
  );
  const agent = join(scratch, 'agent.sh');
  writeFileSync(
    agent,
    `#!/bin/sh\ndate +%s%N >> "$STAMPS"\necho "$$" > "out-$$.txt"\necho "EXIT_SIGNAL: true"\ndate +%s%N >> "$STAMPS"\n`,
  );
  chmodSync(agent, 0o755);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
  return folder;
}

/** Milliseconds between the end of one agent and the start of the next, from the agent's own clock. */
function gaps(stamps) {
  const times = readFileSync(stamps, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Number(BigInt(line) / 1000n) / 1000);
  const found = [];
  // The first gap holds what is warmed up once.
  for (let index = 3; index + 1 < times.length; index += 2) found.push(times[index + 1] - times[index]);
  return found;
}

function loopGap(files) {
  const ours = repository(files, ROUNDS + 2);
  const theirs = repository(files, 1);
  const oursStamps = join(scratch, `ours-${files}`);
  const theirsStamps = join(scratch, `theirs-${files}`);
  const done = spawnSync(process.execPath, [BIN, 'run', '--quiet'], {
    cwd: ours,
    env: { ...env, STAMPS: oursStamps },
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`the run failed: ${done.stdout}${done.stderr}`);
  const script = `for i in $(seq ${ROUNDS + 2}); do git status --porcelain > ../before; ../agent.sh > ../said; git status --porcelain > ../after; cmp -s ../before ../after; done`;
  spawnSync('sh', ['-c', script], { cwd: theirs, env: { ...env, STAMPS: theirsStamps } });
  const promise = PROMISED_GAP[files] ?? null;
  row(
    `gap between agents, ${files} files`,
    median(gaps(oursStamps)),
    'ms',
    median(gaps(theirsStamps)),
    promise,
  );
}

function startUp() {
  const folder = repository(10, 3);
  for (const [what, argv, promise] of [
    ['start-up of --version', ['--version'], 1.25],
    ['start-up of --help', ['--help'], 1.25],
    ['start-up of status', ['status'], 1.6],
    ['start-up of interventions', ['interventions'], 1.6],
    ['start-up of blocked', ['blocked'], 1.6],
  ]) {
    const ours = [];
    const bare = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(timed([BIN, ...argv], folder));
      bare.push(timed(['-e', '0'], folder));
    }
    row(what, median(ours), 'ms', median(bare), promise);
  }
}

try {
  startUp();
  for (const size of SIZES) loopGap(size);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
