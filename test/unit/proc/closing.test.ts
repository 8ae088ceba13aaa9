import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/domain/agent.ts';
import { watchClosing } from '../../../src/io/proc/supervise/closing.ts';
import { actionOf } from '../../helpers/action.ts';
import { virtualClock } from '../../helpers/clocks.ts';

const result: AgentEvent = { kind: 'result', ok: true, text: null };
const failed: AgentEvent = { kind: 'result', ok: false, text: null };
const text: AgentEvent = { kind: 'text', text: 'more', delta: false };
const call: AgentEvent = { kind: 'tool_call', action: actionOf('Bash', {}) };
const session: AgentEvent = { kind: 'session', id: 's' };
const limit: AgentEvent = { kind: 'limit', message: 'x', resetsAt: null };

function start() {
  const clock = virtualClock();
  const closing = watchClosing(clock);
  let isOver = false;
  void closing.over.then(() => {
    isOver = true;
  });
  return { clock, closing, isOver: () => isOver };
}

describe('the time after a closing result', () => {
  it.each([
    ['a result', [result], true],
    ['a failure', [failed], true],
    ['what belongs to no turn', [result, limit], true],
    ['no result', [text, call], false],
    ['another turn', [result, session], false],
    ['words after it', [result, text], false],
    ['a call after it', [result, call], false],
    ['the result of another turn', [result, session, text, result], true],
  ] as const)('after %s', async (_name, events, ends) => {
    const { clock, closing, isOver } = start();
    for (const event of events) closing.onEvent(event);
    expect(closing.isOpen()).toBe(ends);
    await clock.pass(9999);
    expect(isOver()).toBe(false);
    await clock.pass(1);
    expect(isOver()).toBe(ends);
  });

  it('begins anew with a second result', async () => {
    const { clock, closing, isOver } = start();
    closing.onEvent(result);
    await clock.pass(9000);
    closing.onEvent(result);
    await clock.pass(9999);
    expect(isOver()).toBe(false);
    await clock.pass(1);
    expect(isOver()).toBe(true);
  });

  it('never ends when the program has', async () => {
    const { clock, closing, isOver } = start();
    closing.onEvent(result);
    closing.stop();
    await clock.pass(20_000);
    expect(isOver()).toBe(false);
  });
});
