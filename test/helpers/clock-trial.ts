import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chooseAgent } from '../../src/app/setup/choose-agent.ts';
import { openProject } from '../../src/app/setup/project.ts';
import { openTracker } from '../../src/app/setup/tracker/index.ts';
import { gatesIn } from '../../src/domain/command-runs.ts';
import { IterationRecord } from '../../src/domain/records/iteration.ts';
import { NO_HANDLERS } from '../../src/io/handlers/open-handlers.ts';
import { systemIds } from '../../src/io/ids.ts';
import { openNotify } from '../../src/io/notify/index.ts';
import { openGateFiles } from '../../src/io/proc/gate-files.ts';
import { openProc } from '../../src/io/proc/index.ts';
import { openLab, openLedgers, openTurns, runLoop } from '../../src/loop/index.ts';
import { jumpingClock, manualStop } from './clocks.ts';
import { journalLines, makeLoopProject } from './crash/loop-project.ts';
import { openTestStore } from './crash/test-store.ts';

/** Milliseconds that nothing in this trial takes; a duration from a clock that jumps could be longer. */
const LONGEST_MS = 120_000;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Runs the loop in this process under a wall clock that jumps from this time on. Returns a line for each mistake. */
export async function clockJumpTrial(start: string): Promise<string[]> {
  const { repository, tasks } = makeLoopProject('gates', 3);
  const { root } = repository;
  const clock = jumpingClock(start);
  const opened = await openProject({ cwd: root });
  if (!opened.ok) throw new Error(opened.message);
  const { project } = opened;
  const { store } = openTestStore(join(root, '.ralph'), project.stateHome, { clock });
  const agent = chooseAgent(root, project.config);
  if (!agent.ok) throw new Error(agent.message);
  const ids = systemIds();
  const ports: Parameters<typeof runLoop>[0]['ports'] = {
    clock,
    ids,
    // No channel is configured.
    notify: openNotify({
      settings: project.config.notify,
      ofStops: [],
      clock,
      root,
      env: {},
      atTerminal: false,
      box: null,
      sentFile: null,
      chats: { telegram: null, ntfy: null },
      runsRepository: () => false,
    }),
    openPullRequest: async () => ({ ok: false, url: null, reason: 'nowhere', next: null }),
    handlers: NO_HANDLERS,
    realPath: (path) => path,
    gateFiles: openGateFiles({ root, env: process.env, at: (path) => path }),
    store,
    git: project.git,
    line: project.line,
    work: project.work,
    room: async () => ({ disk: null, memory: null }),
    watchOutside: async () => async () => ({ files: [], git: [], commits: [] }),
    proc: openProc({ clock, env: process.env, root }),
    tracker: openTracker({ root, store, config: project.config.tracker }),
    readFile: project.readFile,
    exists: project.exists,
    stop: manualStop(),
    process: { pid: process.pid, host: 'here', machine: '1 x64', version: '0' },
  };
  const ended = await runLoop({
    ...project,
    ports,
    workers: [{ ports, workplace: project.workplace }],
    turns: openTurns(1),
    ledgers: openLedgers(),
    spans: store.openLog('spans.jsonl'),
    lab: openLab(),
    run: 'r-20260101-000000-jump',
    adapters: [agent.adapter],
    workflow: null,
    prover: null,
    reportFolder: join(project.stateHome, 'hooks'),
    review: null,
    texts: {},
    secrets: [],
    home: null,
    box: { line: 'box: off', outside: [] },
    ...{ only: null, runUntil: null, model: null, notifyEnd: false },
    maxIterations: 10,
    askGate: null,
    answerChat: null,
    confirmMarks: null,
    remoteWorkers: null,
  });
  if (ended.kind === 'refused') return [`refused: ${ended.message}`];
  const { exitCode, durationMs } = ended.report;
  const wrong = exitCode === 0 ? [] : [`it ended with ${exitCode}`];
  if (!isDuration(durationMs)) wrong.push(`the run took ${durationMs} ms`);
  const records = recordsOf(root);
  if (records.length !== tasks.length) wrong.push(`${records.length} iterations for ${tasks.length} tasks`);
  for (const { facts } of records) {
    const durations = [facts.durationMs, ...gatesIn(facts).map((gate) => gate.durationMs)];
    wrong.push(...durations.filter((ms) => !isDuration(ms)).map((ms) => `a duration of ${ms} ms`));
  }
  const times = [...journalTimes(root), ...records.flatMap(({ facts }) => [facts.startedAt, facts.endedAt])];
  wrong.push(
    ...times.filter((time) => !clock.given.has(time)).map((time) => `${time} is not from the clock`),
  );
  return [...wrong, ...times.filter((time) => !UTC.test(time)).map((time) => `${time} isn't a UTC time`)];
}

/** Runs the built program in a time zone, where its records must be in UTC. Returns a line for each mistake. */
export function timeZoneTrial(bin: string, zone: string): string[] {
  const { repository } = makeLoopProject('plain', 1);
  const { root } = repository;
  const before = new Date().toISOString();
  const run = spawnSync(process.execPath, [bin, 'run', '--quiet'], {
    cwd: root,
    env: { ...process.env, TZ: zone, RALPH_TRUST: '1' },
    encoding: 'utf8',
  });
  const after = new Date().toISOString();
  if (run.status !== 0) return [`it ended with ${run.status}: ${run.stdout}${run.stderr}`];
  const times = [
    ...journalTimes(root),
    ...recordsOf(root).flatMap(({ facts }) => [facts.startedAt, facts.endedAt]),
  ];
  const off = times.filter((time) => !UTC.test(time) || time < before || time > after);
  const stamp = readdirSync(join(root, '.ralph/runs'))[0]?.slice(2, 17).replace('-', 'T') ?? '';
  const compact = (time: string) => time.replace(/[-:]/g, '').slice(0, 15);
  if (stamp < compact(before) || stamp > compact(after)) off.push(`the run's name ${stamp}`);
  return off.map((time) => `${time} is not between ${before} and ${after}`);
}

function isDuration(ms: number): boolean {
  return ms >= 0 && ms < LONGEST_MS;
}

function journalTimes(root: string): string[] {
  return journalLines(root, gunzipSync).map((line) => (JSON.parse(line) as { at: string }).at);
}

function recordsOf(root: string): IterationRecord[] {
  const runs = join(root, '.ralph/runs');
  return readdirSync(runs).flatMap((run) =>
    readdirSync(join(runs, run, 'iterations'))
      .filter((name) => Number(name) > 0)
      .map((name) => readFileSync(join(runs, run, 'iterations', name, 'iteration.json'), 'utf8'))
      .map((text) => IterationRecord.parse(JSON.parse(text))),
  );
}
