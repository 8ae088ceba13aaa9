import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, State } from '../../../src/domain/records/state.ts';
import type { Unavailable } from '../../../src/domain/service.ts';
import { foldRecords } from '../../../src/state/index.ts';
import {
  blockedRecord,
  event,
  feedback,
  finished,
  numbered,
  RUN,
  started,
  time,
  UNBLOCKED,
} from './records.ts';

const taskId = fc.constantFrom('A', 'B', '1');
const number = fc.integer({ min: 1, max: 30 });
const verdict = fc.constantFrom('done', 'progress', 'no_files', 'timed_out', 'rate_limited', 'interrupted');

const limit = (n: number): Unavailable => ({
  ...{ kind: 'rate_limited', message: 'full', since: time(n), tries: n },
  ...(n % 3 === 0 ? { until: null, resetKnown: false } : { until: time(n + 5), resetKnown: true }),
});

const body: fc.Arbitrary<JournalBody> = fc.oneof(
  fc.constant(RUN),
  fc.constant<JournalBody>({
    type: 'run_finished',
    run: 'r-1',
    ending: 'all_done',
    exitCode: 0,
    recordSha256: 'x',
    head: null,
  }),
  fc.tuple(number, taskId).map(([n, id]) => started(n, id)),
  fc
    .record({
      n: number,
      id: taskId,
      verdict,
      status: fc.constantFrom('open', 'done', 'blocked', 'parked'),
      yes: fc.boolean(),
    })
    .map(({ n, id, verdict, status, yes }) =>
      finished(n, {
        taskId: id,
        verdict,
        taskStatus: status as 'open',
        blocked: status === 'blocked' ? blockedRecord() : null,
        treeChanged: yes,
        noFiles: !yes,
        reinforced: yes,
        events: yes ? [event(n)] : [],
        feedback: [feedback(`${n}`, { taskId: id })],
        changedPaths: [`p${n}`, id],
        unavailable: verdict === 'rate_limited' && yes ? limit(n) : null,
      }),
    ),
  taskId.map((id) => ({ ...UNBLOCKED, taskId: id, timeoutSeconds: 60 })),
  number.map((n) => ({ type: 'work_landed' as const, taskId: 'A', commit: `c${n}`, paths: 1 })),
  number.map((n) => ({
    type: 'feedback_added' as const,
    entry: feedback(`f${n % 3}`, { source: 'person' }),
  })),
  fc.constantFrom<JournalBody>(
    { type: 'events_archived', count: 1, archive: 'a' },
    { type: 'feedback_cleared', source: 'loop' },
    { type: 'agent_reinstated', agent: 'claude' },
  ),
);

it('folding in two halves with a snapshot between equals folding at once', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 40 }), fc.nat(40), (bodies, cut) => {
      const records = numbered(bodies);
      const first = foldRecords(EMPTY_STATE, records.slice(0, cut));
      const line = JSON.stringify({ type: 'journal_continued', after: '', state: first });
      const snapshot = { ...JournalBody.parse(JSON.parse(line)), seq: first.seq, at: 'x' };
      const second = foldRecords(EMPTY_STATE, [snapshot, ...records.slice(cut)]);
      const whole = foldRecords(EMPTY_STATE, records);
      expect(second).toEqual(whole);
      expect(State.parse(whole)).toEqual(whole);
    }),
    { numRuns: 150 },
  );
});
