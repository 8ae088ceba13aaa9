import { expect, it } from 'vitest';
import { NO_COST } from '../../../src/domain/policy.ts';
import { EMPTY_STATE, type RunSummary } from '../../../src/domain/records/state.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { reportRun } from '../../../src/tell/report.ts';
import { attempt, finished, numbered, RUN, time } from '../state/records.ts';

const END = { type: 'run_finished', run: 'r-1', ending: 'all_done', exitCode: 0 } as const;

/** Two attempts of 30 min, which began at 0:00 and 0:10; the second one waited 5 min for its turn. */
function report(workers: number, second: Parameters<typeof finished>[1], hasEnded = true) {
  const records = [
    { at: time(0), body: { ...RUN, workers } },
    { at: time(30), body: finished(1, { verdict: 'done', taskStatus: 'done' }) },
    {
      at: time(40),
      body: {
        ...finished(2, { taskId: 'B', waitedMs: 5 * 60_000, ...second }),
        attempt: attempt({ iteration: 2, startedAt: time(10), verdict: second?.verdict ?? 'done' }),
      },
    },
    ...(hasEnded ? [{ at: time(40), body: { ...END, recordSha256: 'x', head: null } }] : []),
  ];
  const state = foldRecords(
    EMPTY_STATE,
    numbered(records.map(({ body }) => body)).map((record, at) => ({ ...record, at: records[at]?.at ?? '' })),
  );
  const run = state.runs[0] as RunSummary;
  const all = {
    run,
    state,
    tasks: [],
    continues: 'ralph run',
    baseline: null,
    limits: NO_COST,
    now: time(40),
  };
  return reportRun({ ...all, earlier: [], end: null, running: false, newest: true, suggest: null });
}

it.each([
  ['one worker gains nothing', 1, {}, null],
  ['two workers', 2, {}, { workers: 2, workMs: 55 * 60_000, factor: 1.38, conflicts: 0, lostMs: 0 }],
  [
    'two workers, one of whom conflicted',
    2,
    { verdict: 'conflict' as const },
    { workers: 2, workMs: 30 * 60_000, factor: 0.75, conflicts: 1, lostMs: 25 * 60_000 },
  ],
])('%s', (_what, workers, second, speedUp) => {
  const { time: spent, speedUp: seen } = report(workers, second);
  expect(seen).toEqual(speedUp);
  expect(spent).toMatchObject({ agentMs: 2000, checksMs: 55 * 60_000 - 2000, waitedMs: 5 * 60_000 });
});

it('claims nothing of a run that was cut off: what its last attempts did is missing', () => {
  expect(report(2, {}, false)).toMatchObject({ ending: 'crashed', speedUp: null });
});
