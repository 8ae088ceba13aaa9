import { expect, it } from 'vitest';
import { iterationSpans } from '../../../src/decide/run/iteration-span.ts';
import { spansIn } from '../../helpers/otlp.ts';
import { recordedRun, sha256 } from '../replay/recorded-run.ts';

const time = (second: number) => `2026-05-01T10:00:0${second}.500Z`;
const record = recordedRun().iterations[0]?.record;
if (record?.kind !== 'read') throw new Error('the run has an iteration');
const { decisions } = record.value;
const facts = { ...record.value.facts, startedAt: time(0), endedAt: time(1) };

function spansOf(given: Partial<Parameters<typeof iterationSpans>[0]> = {}) {
  const times = {
    facts,
    decisions,
    agentEnded: time(1),
    gatesBegan: time(2),
    gatesEnded: time(3),
    decidedAt: time(4),
    to: time(5),
    ...given,
  };
  const origin = { ids: { sha256 }, version: '1.2.3', secrets: ['hunter2hunter2'] };
  return spansIn(iterationSpans(times, origin));
}

const attributesOf = (span: ReturnType<typeof spansOf>[number] | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

it('one trace per run, a span per iteration and one for each of its phases', () => {
  const [iteration, ...phases] = spansOf();
  const again = spansOf();
  const next = spansOf({ facts: { ...facts, iteration: 2 } });
  const other = spansOf({ facts: { ...facts, run: 'r-2' } });
  expect(phases.map(({ name }) => name)).toEqual([
    'agent_execution',
    'detection',
    'evidence_validation',
    'gates',
    'intervention',
  ]);
  expect(phases.every(({ parentSpanId }) => parentSpanId === iteration?.spanId)).toBe(true);
  expect(again).toEqual([iteration, ...phases]);
  expect(new Set([...again, ...next].map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set([...again, ...next, ...other].map(({ spanId }) => spanId)).size).toBe(18);
  expect(other[0]?.traceId).not.toBe(iteration?.traceId);
  expect(iteration).toMatchObject({
    startTimeUnixNano: String(BigInt(Date.parse(time(0))) * 1_000_000n),
    endTimeUnixNano: String(BigInt(Date.parse(time(5))) * 1_000_000n),
    status: { code: decisions.failedAttempt ? 2 : 1 },
  });
  expect(attributesOf(iteration)).toMatchObject({ 'ralph.run': 'r-1', 'ralph.iteration': '1' });
});

it('a clock that was set back makes no span that ends before its start', () => {
  const gates = spansOf({ gatesEnded: time(0) }).find(({ name }) => name === 'gates');
  expect(gates?.endTimeUnixNano).toBe(gates?.startTimeUnixNano);
});

it('no secret and no half of a character is in it', () => {
  const task = { ...facts.task, id: 'T hunter2hunter2 \ud83d' };
  expect(attributesOf(spansOf({ facts: { ...facts, task } })[0])['ralph.task_id']).toBe(
    'T [redacted] \ufffd',
  );
});
