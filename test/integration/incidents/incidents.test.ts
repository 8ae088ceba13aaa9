/** @module-tag rest */

import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { displayWidth } from 'ralph-kit/columns';
import { MARKER, ownerMark } from 'ralph-kit/programs/table/tracked-tree';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { incidents } from '../../../src/app/commands/incidents.ts';
import { resume } from '../../../src/app/commands/resume.ts';
import type { CommandResult } from '../../../src/app/result.ts';
import { openProject } from '../../../src/app/setup/project.ts';
import { cleanIncidents } from '../../../src/app/setup/tidy-up.ts';
import { incidentsText } from '../../../src/cli/commands/incidents.ts';
import { resumeText } from '../../../src/cli/commands/resume.ts';
import type { IncidentSummary } from '../../../src/domain/incident.ts';
import { taskStateOf } from '../../../src/domain/records/state.ts';
import { printable, type Terminal, terminalOf } from '../../../src/io/ui/index.ts';
import { type IncidentInput, incidentReport } from '../../../src/respond/intervene/index.ts';
import { acquireRunLock } from '../../../src/store/index.ts';
import { makeRepository, type TestRepository } from '../../helpers/repository.ts';
import { attemptBefore, incidentInput } from '../../unit/intervene/incident-facts.ts';
import { finished, started } from '../../unit/state/records.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = makeRepository({
    'README.md': 'hello\n',
    '.ralph/PRD.md':
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n- [ ] **T-2** Write the printer\n',
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n',
  });
});

async function project() {
  const opened = await openProject({ cwd: repository.root });
  if (!opened.ok) throw new Error(opened.message);
  return opened.project;
}

/** Records an emergency stop as the loop does. */
async function happened(id: string, input: Parameters<typeof incidentInput>[0] = {}, taskId = 'T-1') {
  const { store } = await project();
  const given: IncidentInput = incidentInput({ ...input, id });
  const report = incidentReport(given);
  store.writeDocument(`incidents/${id}.json`, `${JSON.stringify(report, null, 2)}\n`);
  const incident: IncidentSummary = {
    ...{ id, at: report.at, run: report.run, iteration: 5, taskId, issue: report.issue.type },
    ...{ severity: report.severity, summary: report.summary, scope: 'run', resolved: null },
  };
  store.commit(() => [{ type: 'incident_opened', incident, plan: [] }]);
  return report;
}

const list = () => incidents({ cwd: repository.root, action: 'list', id: null });
const show = (id: string | null = null) => incidents({ cwd: repository.root, action: 'show', id });
const choose = (id: string | null, option: string | null, reason: string | null = null) =>
  resume({ cwd: repository.root, id, option, reason, ask: null });

function dataOf<R extends CommandResult>(result: R): Extract<R, { ok: true }>['data'] {
  if (!result.ok) throw new Error(result.message);
  return result.data;
}

/** Returns a text as a terminal of 80 columns shows it. */
function textOf<T extends object>(
  result: CommandResult<T>,
  render: (data: T, terminal: Terminal) => string,
): string {
  const terminal = terminalOf({ columns: 80 } as never, true);
  const text = render(printable(dataOf(result)), terminal);
  const wide = text.split('\n').filter((line) => displayWidth(line) > 80);
  expect(wide).toEqual([]);
  return text;
}

describe('ralph incidents', () => {
  it('says that there were none', async () => {
    expect(textOf(await list(), incidentsText)).toBe('There were no incidents.');
    expect(await show()).toMatchObject({ ok: false, message: 'There are no incidents.' });
  });

  it('lists them with what became of them', async () => {
    await happened('INC-1');
    await happened('INC-2', {}, 'T-2');
    await choose('INC-1', 'abort', 'not worth it');
    const result = await list();
    expect(dataOf(result)).toMatchObject({
      open: ['INC-2'],
      incidents: [
        { id: 'INC-1', task_id: 'T-1', resolved: { option: 'abort', reason: 'not worth it' } },
        { id: 'INC-2', task_id: 'T-2', resolved: null },
      ],
    });
    const lines = textOf(result, incidentsText).split('\n');
    expect(lines[1]).toMatch(/^INC-1 +2026-05-01 10:05:00 +T-1 +resource spiral +high +abort$/);
    expect(lines[2]).toMatch(/^INC-2 .* open$/);
    expect(lines.at(-1)).toBe('Next: ralph resume INC-2');
  });

  it('shows the report of one in 80 columns, with the commands whole', async () => {
    await happened('INC-3', {
      facts: { task: { ...incidentInput().facts.task, title: 'word '.repeat(60) } },
    });
    const text = textOf(await show('3'), incidentsText);
    for (const part of [
      'INC-3 resource spiral, high: open',
      'memory grew to 3.1 times',
      '2026-05-01 10:00:02  An action of the agent failed: Bash npm test',
      '2 files, 1 file operation, 5000 MiB of memory, 1200 tokens, 7 min',
      'src/a.ts: modified',
      '1. See what the agent did and printed: ralph logs 5',
      'ralph resume INC-3 --option resume_with_limits',
      'ralph resume INC-3 --option abort',
      '.ralph/incidents/INC-3.json',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows the one that is open where none is named', async () => {
    await happened('INC-1');
    await happened('INC-2');
    await choose('INC-2', 'abort');
    expect(dataOf(await show())).toMatchObject({ incident: { id: 'INC-1' } });
  });

  it('offers nothing to choose for one that is resolved', async () => {
    await happened('INC-1');
    await choose('INC-1', 'abort', 'enough');
    const text = textOf(await show('INC-1'), incidentsText);
    expect(text).toMatch(/resolved with abort at .*: enough/);
    expect(text).not.toContain('ralph resume');
  });

  it('names the known ones for an unknown id', async () => {
    await happened('INC-1');
    await happened('INC-12');
    expect(await show('INC-13')).toMatchObject({
      ok: false,
      exitCode: 2,
      message: 'There is no incident INC-13. Known: INC-12, INC-1.',
      next: 'ralph incidents',
    });
  });

  it.each([
    ['that is missing', () => repository.remove('.ralph/incidents/INC-1.json'), /it is missing/],
    ["that isn't JSON", () => repository.write('.ralph/incidents/INC-1.json', '{'), /it isn't JSON/],
    [
      'of another form',
      () => repository.write('.ralph/incidents/INC-1.json', '{"$schema":"ralph.incident.v1","id":7}'),
      /cannot be read: id: /,
    ],
  ])('says what is known of a report %s, and how to continue', async (_what, damage, reason) => {
    await happened('INC-1');
    damage();
    expect(await show('INC-1')).toMatchObject({
      ok: false,
      exitCode: 1,
      message: expect.stringMatching(reason),
      next: 'ralph resume INC-1',
    });
    expect(await show('INC-1')).toMatchObject({
      message: expect.stringContaining('memory grew to 3.1 times'),
    });
    // The incident can be resolved anyway.
    expect(await choose('INC-1', 'resume_with_limits')).toMatchObject({ ok: true, exitCode: 0 });
  });
});

describe('ralph resume', () => {
  it('without an option lists what there is to choose from, and changes nothing', async () => {
    await happened('INC-1');
    const result = await choose(null, null);
    expect(result.exitCode).toBe(2);
    const text = textOf(result, resumeText);
    for (const option of ['resume_with_limits', 'rollback_and_retry', 'manual_intervention', 'abort']) {
      expect(text).toContain(`    ralph resume INC-1 --option ${option}\n`);
    }
    expect((await project()).store.state.incidents[0]?.resolved).toBeNull();
  });

  it.each([
    ['no incident', [], null, 'abort', 'No incident is open.', 'ralph run'],
    [
      'two',
      ['INC-1', 'INC-2'],
      null,
      'abort',
      '2 incidents are open: INC-1, INC-2. Which one?',
      'ralph resume INC-1',
    ],
    ['an unknown one', ['INC-1'], 'INC-9', 'abort', 'There is no incident INC-9.', 'ralph incidents'],
    [
      'an unknown option',
      ['INC-1'],
      'INC-1',
      'abbort',
      '--option abbort is not known. Did you mean abort?',
      'ralph resume',
    ],
  ])('is refused for %s', async (_what, ids, id, option, message, next) => {
    for (const one of ids) await happened(one);
    expect(await choose(id, option)).toMatchObject({
      ok: false,
      exitCode: 2,
      message: expect.stringContaining(message),
      next,
    });
  });

  it('is refused while a run is active, and changes nothing', async () => {
    await happened('INC-1');
    const lock = acquireRunLock(repository.path('.ralph/run.lock'), { run: 'r-9', host: hostname() });
    if (!lock.ok) throw new Error('the lock should be free');
    expect(await choose('INC-1', 'abort')).toMatchObject({ ok: false, exitCode: 10 });
    lock.release();
    expect((await project()).store.state.incidents[0]?.resolved).toBeNull();
    expect(await choose('INC-1', 'abort')).toMatchObject({ ok: true });
  });

  it('is refused for one that is resolved', async () => {
    await happened('INC-1');
    await choose('INC-1', 'manual_intervention', 'mine');
    const seq = (await project()).store.state.seq;
    expect(await choose('INC-1', 'abort')).toMatchObject({
      ok: false,
      exitCode: 2,
      message: expect.stringMatching(/INC-1 was already resolved, at .* with manual_intervention \(mine\)/),
    });
    expect((await project()).store.state.seq).toBe(seq);
  });

  it('with limits: half of those of the attempt hold until the task is done', async () => {
    await happened('INC-1');
    const result = await choose('1', 'resume-with-limits', 'try again');
    const limits = { fileOperations: 100, memoryMb: 2048, tokens: 1000, executionSeconds: 300, batchSize: 0 };
    expect(dataOf(result)).toMatchObject({
      limits: { file_operations: 100, memory_mb: 2048 },
      next: 'ralph run',
    });
    const { state } = (await project()).store;
    expect(taskStateOf(state, 'T-1').restriction).toEqual({ incident: 'INC-1', limits });
    expect(state.incidents[0]?.resolved).toMatchObject({
      option: 'resume_with_limits',
      reason: 'try again',
    });
    expect(textOf(result, resumeText).replace(/\s+/g, ' ')).toContain(
      'Until T-1 is done: at most 100 file operations, 2048 MiB of memory, 1000 tokens, 5 min an attempt.',
    );
  });

  it('with a rollback: what is yours stays as it is', async () => {
    const { git } = await project();
    await git.checkpoint('r-1', 4, await git.snapshot());
    repository.write('README.md', 'broken\n');
    await happened('INC-1');
    const result = await choose('INC-1', 'rollback_and_retry');
    expect(dataOf(result)).toMatchObject({
      rollback: { checkpoint: 'r-1/4', paths: [], reopened: [] },
      next: 'ralph run',
    });
    expect(repository.read('README.md')).toBe('broken\n');
    expect((await project()).store.state.incidents[0]?.resolved).toMatchObject({
      option: 'rollback_and_retry',
    });
    expect(textOf(result, resumeText)).toContain('checkpoint r-1/4');
  });

  it.each([
    ['no checkpoint', { checkpoints: [] }, /here is no safe checkpoint/],
    ['a checkpoint that is gone', {}, /There is no checkpoint r-1\/4/],
  ])('with a rollback and %s stays open', async (_what, facts, message) => {
    await happened('INC-1', { facts });
    const result = await choose('INC-1', 'rollback_and_retry');
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect((await project()).store.state.incidents[0]?.resolved).toBeNull();
  });

  it('by hand: each action waits, and it is said how that ends', async () => {
    await happened('INC-1');
    const result = await choose('INC-1', 'manual_intervention', 'I look at it');
    expect(taskStateOf((await project()).store.state, 'T-1')).toMatchObject({
      parked: false,
      decisions: { manual: 'INC-1' },
    });
    const text = textOf(result, resumeText).replace(/\s+/g, ' ');
    expect(text).toContain('Each write, deletion and command of T-1 waits for you: ralph approvals');
    expect(text).toContain('ralph unblock T-1');
  });

  it.runIf(process.platform === 'linux')(
    'aborted: ends what is left, names what is not its to touch',
    async () => {
      const { store } = await project();
      repository.write('README.md', 'half done\n');
      const attempt = attemptBefore();
      store.commit(() => [
        started(4, 'T-1'),
        finished(4, { taskId: 'T-1', attempt, changedPaths: ['README.md'], reinforce: ['goal_drift'] }),
      ]);
      await happened('INC-1');
      // What a killed ralph of this repository left: its mark names a process that is gone.
      const gone = spawn('true');
      await new Promise((resolve) => gone.once('exit', resolve));
      const [ofRoot, space] = ownerMark(repository.root).split('.');
      const orphan = spawn('sh', ['-c', 'sleep 1000 & exit'], {
        env: { PATH: process.env.PATH, [MARKER]: `${ofRoot}.${space}.${gone.pid}.00.0` },
        stdio: 'ignore',
        detached: true,
      });
      await new Promise((resolve) => orphan.once('exit', resolve));
      const result = await choose('INC-1', 'abort');
      expect((dataOf(result) as { cleanup?: unknown }).cleanup).toEqual([
        {
          what: 'Processes of agents were ended',
          done: true,
          items: [expect.stringMatching(/^\d+ \(sleep 1000\)$/)],
        },
        { what: 'What gates had left outside of the repository is removed', done: true, items: [] },
        { what: 'Its prompt is no longer rebuilt', done: true, items: [] },
      ]);
      expect(repository.read('README.md')).toBe('half done\n');
      expect(taskStateOf((await project()).store.state, 'T-1').blocked).toMatchObject({
        reason: 'human_rejected',
      });
      expect(textOf(result, resumeText)).toContain('ralph unblock T-1');
    },
  );

  it('says which incidents are open still', async () => {
    await happened('INC-1');
    await happened('INC-2', {}, 'T-2');
    const result = await choose('INC-1', 'abort');
    expect(dataOf(result)).toMatchObject({ still_open: ['INC-2'], next: 'ralph resume INC-2' });
    expect(textOf(result, resumeText)).toContain('Still open: INC-2.');
  });
});

describe('cleanIncidents', () => {
  const DAY = 24 * 3600 * 1000;

  /** INC-1 was resolved, INC-2 was not. */
  async function cleaned(config: string, ageDays: number): Promise<readonly string[]> {
    repository.write('.ralph/ralph.toml', `[loop]\nagent = "scripted"\n[interventions]\n${config}\n`);
    await happened('INC-1');
    await happened('INC-2', {}, 'T-2');
    await choose('INC-1', 'abort');
    const later = await project();
    vi.setSystemTime(Date.now() + ageDays * DAY);
    try {
      return cleanIncidents(later);
    } finally {
      vi.useRealTimers();
    }
  }
  const reports = () => ['INC-1', 'INC-2'].filter((id) => repository.exists(`.ralph/incidents/${id}.json`));

  it.each([
    ['nothing where it is not asked for', '', 1000, ['INC-1', 'INC-2']],
    ['what is older than the days', 'auto_cleanup = true', 31, ['INC-2']],
    ['nothing that is younger', 'auto_cleanup = true', 29, ['INC-1', 'INC-2']],
    [
      'by the days of the configuration',
      'auto_cleanup = true\npreserve_incident_data_days = 2',
      3,
      ['INC-2'],
    ],
  ])('removes %s, and nothing that is open', async (_what, config, age, left) => {
    const removed = await cleaned(config, age);
    expect(reports()).toEqual(left);
    expect(removed).toEqual(['INC-1', 'INC-2'].filter((id) => !left.includes(id)));
    expect((await project()).store.state.incidents).toHaveLength(2);
  });

  it('leaves what lies behind a link alone', async () => {
    mkdirSync(repository.path('elsewhere'));
    repository.write('elsewhere/INC-1.json', 'mine');
    await happened('INC-1');
    await choose('INC-1', 'abort');
    repository.remove('.ralph/incidents');
    symlinkSync(repository.path('elsewhere'), repository.path('.ralph/incidents'));
    repository.write(
      '.ralph/ralph.toml',
      '[loop]\nagent = "scripted"\n[interventions]\nauto_cleanup = true\n',
    );
    const later = await project();
    vi.setSystemTime(Date.now() + 100 * DAY);
    expect(cleanIncidents(later)).toEqual([]);
    vi.useRealTimers();
    expect(repository.read('elsewhere/INC-1.json')).toBe('mine');
  });
});
