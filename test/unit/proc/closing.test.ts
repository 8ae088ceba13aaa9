import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ADAPTERS } from 'ralph-agents';
import type { AgentEvent } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import { watchClosing } from '../../../src/io/proc/supervise.ts';
import { actionOf } from '../../helpers/action.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

const RECORDINGS = fileURLToPath(new URL('../../fixtures/recordings', import.meta.url));

const result: AgentEvent = { kind: 'result', ok: true, text: null };
const failed: AgentEvent = { kind: 'result', ok: false, text: null };
const text: AgentEvent = { kind: 'text', text: 'more', delta: false };
const call: AgentEvent = { kind: 'tool_call', action: actionOf('Bash', {}) };
const session: AgentEvent = { kind: 'session', id: 's' };
const busy = (who: string): AgentEvent => ({
  kind: 'busy',
  what: who === '' ? 'agent' : 'helper',
  who,
  busy: true,
});
const idle = (who: string): AgentEvent => ({
  kind: 'busy',
  what: who === '' ? 'agent' : 'helper',
  who,
  busy: false,
});
const program: AgentEvent = { kind: 'busy', what: 'program', who: 'p', busy: true };
const limit: AgentEvent = { kind: 'limit', message: 'x', resetsAt: null, inWords: false };

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
    ['all its work', [busy(''), text, idle('')], true],
    ['its work, while a helper works', [busy(''), busy('h'), idle('')], false],
    ['its work and its helper', [busy(''), busy('h'), idle(''), idle('h')], true],
    ['the begin of another turn', [busy(''), idle(''), busy('')], false],
    ['a result, while a helper works', [busy('h'), result], false],
    ['a result, and then its helper', [busy('h'), result, idle('h')], true],
    ['a result, while a program runs', [program, result], true],
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

describe.each(['claude', 'copilot'] as const)('recorded streams of %s', (agent) => {
  const events = (name: string) =>
    readFileSync(`${RECORDINGS}/${agent}/${name}/0001/output.jsonl`, 'utf8')
      .split('\n')
      .flatMap((line) => ADAPTERS[agent].parse(line));

  it('begin their end with the result, whatever they leave running', () => {
    const { closing } = start();
    for (const event of events('server-of-its-own')) closing.onEvent(event);
    expect(closing.isOpen()).toBe(true);
  });

  it('have no end while a helper works', () => {
    const { closing } = start();
    let helps = false;
    let seen = 0;
    for (const event of events('helper-in-the-background')) {
      closing.onEvent(event);
      if (event.kind === 'busy' && event.what === 'helper') helps = event.busy;
      const rests =
        event.kind === 'result' || (event.kind === 'busy' && event.what === 'agent' && !event.busy);
      if (helps && rests) seen += 1;
      if (helps) expect(closing.isOpen()).toBe(false);
    }
    expect(seen).toBeGreaterThan(0);
    expect(closing.isOpen()).toBe(true);
  });
});
