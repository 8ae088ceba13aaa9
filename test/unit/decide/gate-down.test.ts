import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { chooseNext } from '../../../src/decide/choice/choose-next.ts';
import { tasksNeedingGates } from '../../../src/decide/choice/tasks-needing-gates.ts';
import type { GateSpec } from '../../../src/domain/gate.ts';

import { NO_CHOICE } from '../../helpers/facts.ts';

const task = (id: string, more: Partial<typeof EMPTY_TASK> = {}) => ({ ...EMPTY_TASK, id, ...more });
const spec = (paths: string[] | null) => ({ name: 'server', paths }) as GateSpec;
const HERE = task('A', { expectedPaths: ['src/a.ts'] });
const THERE = task('B', { expectedPaths: ['docs/b.md'] });
const ASKS = task('C', { gates: ['server'] });
const DONE = task('D', { status: 'done' });

describe('tasks that need a gate which is down', () => {
  it.each<[string, GateSpec, string[]]>([
    ['all, where it has no paths', spec(null), ['A', 'B', 'C']],
    ['those that name its paths or the gate', spec(['src']), ['A', 'C']],
    ['none of another gate', { ...spec(null), name: 'lint' }, ['C']],
  ])('%s', (_, gate, expected) =>
    expect(tasksNeedingGates({ gates: ['server'] }, [gate], [HERE, THERE, ASKS, DONE])).toEqual(expected),
  );
});

describe('the choice while a gate is down', () => {
  const at = (time: string) => `2026-01-01T${time}.000Z`;
  const outage = { gates: ['server'], since: at('01:00:00'), idleSince: at('01:30:00'), tries: 3 };
  const chosen = (now: string, until: string, ids: string[], runUntil: string | null = null) => {
    const availability = { ...NO_CHOICE.availability, now: at(now), runUntil: runUntil && at(runUntil) };
    const facts = { ...NO_CHOICE, availability, outage: { ...outage, until: at(until), needing: ['A'] } };
    const next = chooseNext(facts, { tasks: ids.map((id) => task(id)), states: {} });
    return next.kind === 'task' ? next.task.id : next.kind === 'end' ? next.ending : next;
  };

  it('takes a task that does without it', () => expect(chosen('01:31:00', '01:34:00', ['A', 'B'])).toBe('B'));
  it('takes the others, too, once it is asked again', () =>
    expect(chosen('01:34:00', '01:34:00', ['A', 'B'])).toBe('A'));
  it('waits where there is none', () =>
    expect(chosen('01:31:00', '01:34:00', ['A'])).toMatchObject({
      kind: 'gate_down',
      until: at('01:34:00'),
    }));
  it('ends after an hour in which nothing else was done, with gate and time', () =>
    expect(chosen('02:31:00', '02:40:00', ['A'])).toMatchObject({
      exitCode: 9,
      reason: `Stopped: gate "server" fails on your branch without any work, too, since ${at('01:00:00')}.`,
    }));
  it('ends at your time', () =>
    expect(chosen('01:31:00', '01:34:00', ['A'], '01:33:00')).toMatchObject({ kind: 'until_reached' }));
});

describe('finished work that waits for a gate', () => {
  const at = (time: string) => `2026-01-01T${time}.000Z`;
  const outage = {
    ...{ gates: ['server'], since: at('01:00:00'), idleSince: at('01:30:00'), tries: 3 },
    ...{ until: at('01:34:00'), needing: ['A'] },
  };
  const unavailable = (until: string) => ({
    ...{ kind: 'outage', until: at(until), since: at('01:00:00'), message: 'down' },
    ...{ tries: 1, resetKnown: true },
  });
  const chosen = (now: string, more: Partial<typeof NO_CHOICE> & { readonly agent?: object }) => {
    const agents = [{ name: 'a', suspended: null, unavailable: null, ...more.agent }];
    const availability = { ...NO_CHOICE.availability, now: at(now), maxWaitSeconds: 3600, agents };
    const finished = [{ id: 'A', agent: 'b' }];
    const facts = { ...NO_CHOICE, outage, finished, ...more, availability } as typeof NO_CHOICE;
    const next = chooseNext(facts, { tasks: [task('B'), task('A')], states: {} });
    if (next.kind === 'task') return `${next.task.id} by ${next.agent}`;
    return next.kind === 'end' ? next.ending.kind : next.kind;
  };
  const away = { unavailable: unavailable('09:00:00') };
  const soon = { unavailable: unavailable('01:40:00') };

  it.each<[string, string, Parameters<typeof chosen>[1], string]>([
    ['goes in its turn while an agent works', '01:35:00', {}, 'B by a'],
    ['goes first where none can work, by the name of who did it', '01:35:00', { agent: away }, 'A by b'],
    ['needs none that is suspended either', '01:35:00', { agent: { suspended: 'review' } }, 'A by b'],
    ['waits for its gate, not for an agent that is away for long', '01:31:00', { agent: away }, 'gate_down'],
    ['lets the others wait for their agent meanwhile', '01:31:00', { agent: soon }, 'wait'],
    [
      'is judged once no gate is known to be down any more',
      '01:31:00',
      { agent: soon, outage: null },
      'A by b',
    ],
    ["isn't judged where others were asked for", '01:35:00', { agent: soon, only: ['B'] }, 'wait'],
    [
      'ends with the run after an hour',
      '02:31:00',
      { agent: away, outage: { ...outage, until: at('02:40:00') } },
      'gate_down',
    ],
  ])('%s', (_, now, more, expected) => expect(chosen(now, more)).toBe(expected));
});
