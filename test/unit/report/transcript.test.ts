import type { AgentEvent } from 'ralph-agents/event';
import type { Action } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { openTranscript, storyOf } from '../../../src/tell/index.ts';
import { event } from '../state/records.ts';

const action = (id: string | null, command: string): Action => ({
  ...{ kind: 'system_command', tool: 'Bash', id, paths: [], command, content: [] },
  ...{ network: null, cwd: null, input: {} },
});
const textEvent = (text: string, delta = false): AgentEvent => ({ kind: 'text', text, delta });
const call = (id: string | null, command: string): AgentEvent => ({
  kind: 'tool_call',
  action: action(id, command),
});
const result = (id: string | null, ok: boolean, output = ''): AgentEvent => ({
  kind: 'tool_result',
  id,
  ok,
  output,
});

function entriesOf(...events: readonly (readonly [event: AgentEvent, atMs: number | null])[]) {
  const { add, entries } = openTranscript(({ command }) => command ?? '');
  for (const [one, atMs] of events) add(one, atMs);
  return entries;
}

describe('a transcript', () => {
  it('puts pieces of words together, until something else comes between', () => {
    const entries = entriesOf(
      [textEvent('a'), 0],
      [textEvent('b', true), 1],
      [call('1', 'x'), 2],
      [textEvent('c', true), 3],
    );
    expect(entries).toMatchObject([{ text: 'ab' }, { action: 'x' }, { text: 'c' }]);
  });

  it('gives each call its own result, in whatever order they come', () => {
    const entries = entriesOf(
      [call('1', 'slow'), 100],
      [call('2', 'fast'), 200],
      [result('2', false, 'bad'), 250],
      [result('1', true), 5100],
    );
    expect(entries).toMatchObject([
      { action: 'slow', ok: true, durationMs: 5000 },
      { action: 'fast', ok: false, output: 'bad', durationMs: 50 },
    ]);
  });

  it('gives results without a number to the calls in their order; what has none is open', () => {
    const entries = entriesOf([call(null, 'a'), null], [call(null, 'b'), null], [result(null, true), null]);
    expect(entries).toMatchObject([
      { action: 'a', ok: true, durationMs: null },
      { action: 'b', ok: null },
    ]);
    expect(entriesOf([result('9', true), 0])).toEqual([]);
  });

  it('does not repeat the last words as the closing report, and says that the agent failed', () => {
    const closing = (ok: boolean, text: string | null): AgentEvent => ({ kind: 'result', ok, text });
    expect(entriesOf([textEvent('done\n'), 0], [closing(true, 'done'), 1])).toHaveLength(1);
    expect(entriesOf([textEvent('done'), 0], [closing(false, 'no'), 1])).toMatchObject([
      { text: 'done' },
      { text: 'no' },
      { kind: 'note', text: 'The agent reports that it failed.' },
    ]);
  });
});

describe('the story of an attempt', () => {
  const applied = (more: object) =>
    event(2, {
      event_type: 'intervention_applied',
      severity: 'info',
      details: { task_id: 'A', agent: 'claude', intervention_type: 'soft_correction', ...more },
    });
  const nothing = event(1, { details: { task_id: 'A', agent: 'claude', completion_claimed: true } });

  it.each([
    [{ outcome: 'helped' }, 'fixed in the next attempt'],
    [{ outcome: 'not_helped' }, 'repeated in the next attempt'],
    [{ outcome: 'no_further_attempt' }, 'no further attempt'],
    [{}, 'not known yet whether it helped'],
  ])('of an intervention with %o: %s', (more, outcome) => {
    expect(storyOf([nothing, applied(more)])).toMatchObject([
      { taskId: 'A', agent: 'claude', what: 'claimed done, changed nothing', done: ['warned'], outcome },
    ]);
  });

  it('is one entry for each attempt, as bad as its worst event', () => {
    const other = event(3, { iteration: 2, severity: 'critical' });
    const story = storyOf([nothing, other, applied({})]);
    expect(story.map(({ iteration, severity }) => [iteration, severity])).toEqual([
      [1, 'warning'],
      [2, 'critical'],
    ]);
  });
});
