import { ADAPTERS, addToReport, startReport } from 'ralph-agents';
import type { AgentEvent } from 'ralph-agents/event';
import type { Action } from 'ralph-kit/actions/action';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { watchAttempt } from '../../../src/loop/watch/attempt-watch.ts';

const edit = (id: string, path: string): Action =>
  ADAPTERS.claude.action({ id, tool: 'Write', input: { file_path: `/w/${path}`, content: 'x' }, cwd: null });
const call = (action: Action): AgentEvent => ({ kind: 'tool_call', action });
const result = (id: string, refused: boolean): AgentEvent => ({
  ...{ kind: 'tool_result', id, ok: !refused, output: 'x' },
  ...(refused ? { refused } : {}),
});

function watch(fileOperations = 0) {
  return watchAttempt({
    ...{
      clock: systemClock(),
      root: '/w',
      realPath: (path) => path,
      task: EMPTY_TASK,
      agent: 'claude',
      secrets: [],
    },
    limits: { fileOperations, memoryMb: 0, tokens: 0, executionSeconds: 0, batchSize: 0 },
    correction: () => null,
  });
}

describe('calls that the agent turned down itself', () => {
  const refused = [edit('1', 'a.txt'), edit('2', 'b.txt')];
  const done = edit('3', 'b.txt');
  const events = [
    ...refused.flatMap((one) => [call(one), result(one.id ?? '', true)]),
    call(done),
    result('3', false),
  ];

  it.each([true, false])("aren't operations or writes (asked first: %s)", (asked) => {
    const attempt = watch();
    for (const event of events) {
      if (asked && event.kind === 'tool_call') attempt.within(event.action);
      attempt.onEvent(event);
    }
    const { fileOperations, writes, samples } = attempt.observed();
    expect([fileOperations, writes, samples.at(-1)?.fileOperations]).toEqual([1, ['b.txt'], 1]);
    expect(attempt.resources(0).fileOperations).toBe(1);
    const report = events.reduce(addToReport, startReport());
    expect([report.toolCalls, report.writeCalls]).toEqual([3, 1]);
  });

  it('use no limit up', () => {
    const attempt = watch(1);
    for (const one of refused) {
      expect(attempt.within(one)).toBe(true);
      attempt.onEvent(call(one));
      attempt.onEvent(result(one.id ?? '', true));
    }
    expect(attempt.within(done)).toBe(true);
    expect(attempt.within(edit('4', 'c.txt'))).toBe(false);
  });
});
