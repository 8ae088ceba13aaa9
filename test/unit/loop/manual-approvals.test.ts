import { createHash } from 'node:crypto';
import type { Action, Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { notificationOf } from '../../../src/decide/index.ts';
import { isKept } from '../../../src/domain/entry.ts';
import { type GateOption, NO_GATE_FACTS } from '../../../src/domain/human/gate.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import type { Store } from '../../../src/domain/ports.ts';
import type { JournalBody, JournalRecord } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE, type State, taskStateOf } from '../../../src/domain/records/state.ts';
import type { LoopContext } from '../../../src/loop/context.ts';
import type { DestructivePreview } from '../../../src/loop/watch/destructive-preview.ts';
import { openManualApprovals } from '../../../src/loop/watch/manual-approvals.ts';
import { openWaiting } from '../../../src/loop/watch/waiting.ts';
import { foldRecords } from '../../../src/state/index.ts';
import { actionOf } from '../../helpers/action.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

const MADE: Action = actionOf('Bash', { command: 'rm old.txt' });
const OTHER: Action = actionOf('Bash', { command: 'rm new.txt' });
const SECRET: Action = actionOf('Write', { file_path: 'a.txt', content: 'token hunter22hunter22' });

/** Returns a journal in memory to which another process can add decisions. */
function memory(now: () => string) {
  let state: State = EMPTY_STATE;
  const append = (bodies: readonly JournalBody[]) => {
    const records = bodies.map((body, index) => ({
      ...body,
      ...{ seq: state.seq + index + 1, at: now() },
    })) as JournalRecord[];
    state = foldRecords(state, records);
    return state;
  };
  const shown: string[] = [];
  const notified: string[] = [];
  const store: Pick<Store, 'commit' | 'refresh'> = {
    refresh: () => state,
    commit: (given) => {
      const entries = typeof given === 'function' ? given(state) : given;
      shown.push(...entries.map((entry) => JSON.stringify(entry)));
      append(entries.filter(isKept));
      const deciding = { human: HumanSettings.parse({}), hasBudget: false };
      notified.push(...entries.flatMap((entry) => notificationOf(entry, state, deciding)?.title ?? []));
      return state;
    },
  };
  const decide = (request: string, option: GateOption, reason = '') =>
    append([
      {
        type: 'human_gate_decided',
        decision: {
          ...{ request, option, reason, guidance: '', agent: null },
          by: { user: 'you', role: '', signature: null },
        },
      },
    ]);
  return { store, shown, notified, decide, state: () => state };
}

/** The approvals of one attempt at T-1 and what was answered so far. */
function attempt({
  timeout = 3600,
  waitsSeconds = 15,
  journal = null as ReturnType<typeof memory> | null,
  because = 'INC-1' as string | null,
  look = null as DestructivePreview | null,
} = {}) {
  const clock = virtualClock();
  const journalOf = journal ?? memory(clock.now);
  const context = {
    ports: {
      ...{ store: journalOf.store, clock },
      ids: { sha256: (text: string) => createHash('sha256').update(text).digest('hex') },
    },
    ...{ secrets: ['hunter22hunter22'], run: 'r-1', root: '/repo' },
    config: { human: HumanSettings.parse({ gates: { MANUAL: { timeout } } }) },
  } as unknown as LoopContext;
  const task = { id: 'T-1', title: 'One' } as Parameters<typeof openManualApprovals>[1]['task'];
  const waiting = openWaiting(clock);
  const approvals = openManualApprovals(context, {
    ...{ task, iteration: 2, agent: 'claude', because, preview: look, waitsSeconds, waiting },
  });
  const answers: Ruling[] = [];
  const ask = (action: Action, gone = new AbortController()) => {
    void approvals.approve(action, gone.signal).then((ruling) => answers.push(ruling));
    return gone;
  };
  return { ...journalOf, clock, approvals, ask, answers, waiting };
}

const decisions = (answers: readonly Ruling[]) => answers.map(({ decision }) => decision);

describe('an action that waits for you', () => {
  it.each<[GateOption, string, string]>([
    ['approve', 'allow', ''],
    ['reject', 'deny', 'the user rejected this (G-1): not now'],
  ])('%s: it is answered within a second with %s', async (option, decision, reason) => {
    const { clock, ask, decide, answers, approvals, state } = attempt();
    ask(MADE);
    await clock.pass(5000);
    expect(answers).toEqual([]);
    expect(approvals.open()).toEqual(['G-1']);
    expect(state().human.requests[0]).toMatchObject({
      gate: 'MANUAL',
      facts: { taskId: 'T-1', agent: 'claude' },
      action: { tool: 'Bash', shown: expect.stringContaining('rm old.txt') },
    });
    decide('G-1', option, 'not now');
    await clock.pass(1000);
    expect(decisions(answers)).toEqual([decision]);
    if (decision === 'deny')
      expect(answers[0]).toMatchObject({ harmless: true, reason: expect.stringContaining(reason) });
    expect(approvals.open()).toEqual([]);
  });

  it('is allowed once; the same one again asks anew', async () => {
    const { clock, ask, decide, answers, approvals } = attempt();
    ask(MADE);
    decide('G-1', 'approve');
    await clock.pass(1000);
    ask(MADE);
    await clock.pass(1000);
    expect(decisions(answers)).toEqual(['allow']);
    expect(approvals.open()).toEqual(['G-2']);
  });

  it('asked for twice at once is one request, and one approval lets one of them happen', async () => {
    const { clock, ask, decide, answers, approvals } = attempt();
    ask(MADE);
    ask(MADE);
    expect(approvals.open()).toEqual(['G-1']);
    decide('G-1', 'approve');
    await clock.pass(1000);
    expect(decisions(answers)).toEqual(['allow']);
    expect(approvals.open()).toEqual(['G-2']);
  });

  it("is bound to all of it: an approval doesn't count for another action", async () => {
    const { clock, ask, decide, answers, approvals } = attempt();
    ask(MADE);
    decide('G-1', 'approve');
    ask(OTHER);
    await clock.pass(1000);
    expect(decisions(answers)).toEqual(['allow']);
    expect(approvals.open()).toEqual(['G-2']);
  });

  it('that was rejected is denied at once in this attempt', async () => {
    const { clock, ask, decide, answers, approvals } = attempt();
    ask(MADE);
    decide('G-1', 'reject');
    await clock.pass(1000);
    ask(MADE);
    await clock.pass(0);
    expect(decisions(answers)).toEqual(['deny', 'deny']);
    expect(approvals.open()).toEqual([]);
  });

  it('whose hook waits no longer is denied with words to ask again, and passes then', async () => {
    const { clock, ask, decide, answers, approvals } = attempt({ waitsSeconds: 15 });
    ask(MADE);
    await clock.pass(15_000);
    expect(answers).toMatchObject([
      { decision: 'deny', harmless: true, reason: expect.stringContaining('call again') },
    ]);
    expect(approvals.open()).toEqual(['G-1']);
    decide('G-1', 'approve');
    ask(MADE);
    await clock.pass(0);
    expect(decisions(answers)).toEqual(['deny', 'allow']);
  });

  it('is denied when the time of its gate is over, and stays so', async () => {
    const { clock, ask, answers, approvals, state } = attempt({ timeout: 5 });
    ask(MADE);
    await clock.pass(5500);
    ask(MADE);
    await clock.pass(0);
    expect(answers).toMatchObject([
      { decision: 'deny', reason: expect.stringContaining('in time') },
      { decision: 'deny', reason: expect.stringContaining('in time') },
    ]);
    expect(approvals.open()).toEqual([]);
    expect(state().human.audit.lines).toMatchObject([
      { kind: 'timeout', decision: 'deny', gate_id: 'MANUAL' },
    ]);
  });

  it('that nothing waits for any more uses no approval up', async () => {
    const { clock, ask, decide, answers, state } = attempt();
    const gone = ask(MADE);
    await clock.pass(1000);
    gone.abort();
    await clock.pass(1000);
    decide('G-1', 'approve');
    await clock.pass(1000);
    expect(decisions(answers)).toEqual(['deny']);
    expect(taskStateOf(state(), 'T-1').decisions.actions).toMatchObject([{ request: 'G-1' }]);
    ask(MADE);
    await clock.pass(0);
    expect(decisions(answers)).toEqual(['deny', 'allow']);
  });

  it('stays open at the end of its attempt, and what was approved by then passes in the next', async () => {
    const first = attempt();
    first.ask(MADE);
    await first.clock.pass(1000);
    await first.approvals.close();
    await first.clock.pass(1000);
    expect(decisions(first.answers)).toEqual(['deny']);
    expect(first.approvals.open()).toEqual(['G-1']);
    first.decide('G-1', 'approve');
    const second = attempt({ journal: first });
    second.ask(MADE);
    await second.clock.pass(0);
    expect(decisions(second.answers)).toEqual(['allow']);
  });

  it('that takes something away is denied at once with the alternative, and passes once you approved it', async () => {
    const triggers = [
      { gate: 'GATE-AP-DESTRUCTIVE' as const, name: 'tests_removed' as const, text: '1 test removed' },
    ];
    const facts = { ...NO_GATE_FACTS, taskId: 'T-1', testsRemoved: 1 };
    const draft = { gate: 'GATE-AP-DESTRUCTIVE' as const, facts, triggers, action: null };
    const look: DestructivePreview = (action) => (action === MADE ? { draft, signs: ['a'] } : null);
    const { clock, ask, decide, answers, approvals, state } = attempt({ because: null, look });
    expect([MADE, OTHER].map(approvals.concerns)).toEqual([true, false]);
    ask(MADE);
    await clock.pass(0);
    expect(answers).toMatchObject([
      { decision: 'deny', harmless: true, reason: expect.stringContaining('Fix the failing test') },
    ]);
    expect(state().human.requests).toMatchObject([{ gate: 'GATE-AP-DESTRUCTIVE', action: { signs: ['a'] } }]);
    decide('G-1', 'approve');
    ask(MADE);
    await clock.pass(0);
    expect(decisions(answers)).toEqual(['deny', 'allow']);
    expect(approvals.everyAction).toBe(false);
  });

  it('is one of 20 at most', async () => {
    const { clock, ask, answers, approvals } = attempt();
    for (let n = 0; n < 21; n += 1) ask(actionOf('Bash', { command: `rm ${n}` }));
    await clock.pass(0);
    expect(decisions(answers)).toEqual(['deny']);
    expect(approvals.open()).toHaveLength(20);
  });

  it('is shown, each of them, and notifies you once in an attempt', async () => {
    const { clock, ask, decide, shown, notified } = attempt();
    ask(MADE);
    ask(OTHER);
    decide('G-1', 'approve');
    await clock.pass(1000);
    ask(SECRET);
    await clock.pass(0);
    expect(shown.filter((event) => event.includes('human_gate_opened'))).toHaveLength(3);
    expect(notified).toEqual(['ralph: an action of T-1 waits for you (G-1)']);
  });

  it('is shown without secrets', () => {
    const { ask, state, shown } = attempt();
    ask(SECRET);
    expect(state().human.requests[0]?.action?.detail).toContain('token');
    expect(`${JSON.stringify(state())}${shown}`).not.toContain('hunter22');
  });

  it('counts the time in which at least one waits', async () => {
    const { clock, ask, decide, waiting } = attempt({ waitsSeconds: 600 });
    await clock.pass(1000);
    expect([waiting.isOpen(), waiting.totalMs()]).toEqual([false, 0]);
    ask(MADE);
    await clock.pass(2000);
    ask(OTHER);
    await clock.pass(2000);
    decide('G-1', 'approve');
    await clock.pass(1000);
    expect([waiting.isOpen(), waiting.totalMs()]).toEqual([true, 5000]);
    decide('G-2', 'reject');
    await clock.pass(250);
    expect(waiting.isOpen()).toBe(false);
    const total = waiting.totalMs();
    await clock.pass(10_000);
    expect(waiting.totalMs()).toBe(total);
  });
});
