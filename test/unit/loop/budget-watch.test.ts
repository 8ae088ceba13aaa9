import type { AgentEvent, ModelUsage } from 'ralph-agents/event';
import { describe, expect, it } from 'vitest';
import { addCost, NO_COST } from '../../../src/domain/policy.ts';
import { openLedgers } from '../../../src/loop/ledgers.ts';
import { openLedger } from '../../../src/loop/watch/budget-watch.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

const USED = { kind: 'usage' } as AgentEvent;
const tokens = (inputTokens: number): ModelUsage[] => [
  {
    ...{ model: 'm', inputTokens, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 },
    costUsd: null,
  } as ModelUsage,
];

/** A budget of 1000 tokens and a minute, of which 400 tokens and 10 seconds are spent. */
function open() {
  const clock = virtualClock();
  const limits = { ...NO_COST, tokens: 1000, ms: 60_000 };
  const ledger = openLedger({ limits, before: () => ({ ...NO_COST, tokens: 400, ms: 10_000 }) }, {}, clock);
  const agent = () => {
    const over = new AbortController();
    const watch = ledger.watch(over.signal);
    const seen: string[] = [];
    void watch.halted.then(({ message }) => seen.push(message));
    return { ...watch, seen, over };
  };
  return { clock, ledger, agent };
}

/** Resolves when everything that follows from settled promises has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('the budget of an iteration', () => {
  it('is spent by all of its agents together, and ends all of them just at its limit', async () => {
    const { ledger, agent } = open();
    const [maker, one, other] = [agent(), agent(), agent()];
    maker.onEvent(USED, tokens(300));
    maker.onEvent({ kind: 'result' } as AgentEvent, tokens(300));
    maker.over.abort();
    one.onEvent(USED, tokens(200));
    other.onEvent(USED, tokens(99));
    await settled();
    expect([ledger.spentBecause(), ledger.spent().tokens]).toEqual([null, 999]);
    expect(ledger.mostExpensive().tokens).toBe(300);
    other.onEvent(USED, tokens(100));
    await settled();
    expect(ledger.spentBecause()).toBe('the budget is spent: 1,000 of 1,000 tokens');
    expect([maker, one, other].map(({ seen }) => seen.length)).toEqual([0, 1, 1]);
  });

  it('leaves an agent that has made its report, and ends one that starts when nothing is left', async () => {
    const { agent } = open();
    const first = agent();
    first.onEvent(USED, tokens(700));
    first.onEvent({ kind: 'result' } as AgentEvent, tokens(700));
    const late = agent();
    await settled();
    expect([first.seen.length, late.seen.length]).toEqual([0, 1]);
  });

  it('counts the time from the beginning of the iteration, not of the agent', async () => {
    const { clock, ledger, agent } = open();
    await clock.pass(40_000);
    const late = agent();
    await clock.pass(9_999);
    await settled();
    expect([ledger.spentBecause(), late.seen]).toEqual([null, []]);
    await clock.pass(1);
    await settled();
    expect(late.seen).toEqual(['the budget is spent: 1 min of 1 min']);
  });
});

describe('an agent that ends itself at what is left of the money', () => {
  const WALL = { kind: 'error', cause: 'other', message: '', fatal: true, costLimit: true } as const;
  const FAILED = { kind: 'exited', code: 1 } as const;
  const open = (usd: number, spent: number) =>
    openLedger(
      { limits: { ...NO_COST, usd }, before: () => ({ ...NO_COST, usd: spent }) },
      {},
      virtualClock(),
    );

  it.each([
    [1, 0.4, 0.6],
    [1, 0.33333, 0.6667],
    [0.3, 0.1, 0.2],
    // The rest of the budget is reserved for other workers, or spent.
    [1, 1, null],
    [0, 0.4, null],
  ])('of $%d, with $%d spent: %s', (usd, spent, left) => {
    expect(open(usd, spent).leftUsd()).toBe(left);
  });

  it('was ended by the budget', () => {
    const watch = open(1, 0.4).watch(new AbortController().signal);
    expect(watch.endOf(FAILED)).toEqual(FAILED);
    watch.onEvent(WALL, []);
    expect(watch.endOf(FAILED)).toMatchObject({ kind: 'halted', why: 'budget_spent' });
    const interrupted = { kind: 'interrupted', signal: 'SIGINT', forced: false } as const;
    expect(watch.endOf(interrupted)).toEqual(interrupted);
  });

  it('but not where the limit was yours alone', () => {
    const watch = open(0, 0).watch(new AbortController().signal);
    watch.onEvent(WALL, []);
    expect(watch.endOf(FAILED)).toEqual(FAILED);
  });
});

describe('the budget of iterations side by side', () => {
  /** A budget of 1000 tokens; 300 are reserved for each task that is known. */
  function sideBySide() {
    const clock = virtualClock();
    const ledgers = openLedgers();
    const onRecord = { tokens: 100 };
    const start = (taskId: string, reserved = 300) => {
      const before = () =>
        addCost(
          { ...NO_COST, tokens: onRecord.tokens },
          { ...ledgers.costOfOthers(taskId), iterations: 0, ms: 0 },
        );
      const ledger = openLedger({ limits: { ...NO_COST, tokens: 1000 }, before }, {}, clock);
      ledgers.add(taskId, { ...NO_COST, tokens: reserved }, ledger);
      const watch = ledger.watch(new AbortController().signal);
      const seen: string[] = [];
      void watch.halted.then(({ message }) => seen.push(message));
      return { seen, uses: (count: number) => watch.onEvent(USED, tokens(count)) };
    };
    return { ledgers, start, onRecord };
  }

  it('holds what is reserved for another one, whichever began first', async () => {
    const { ledgers, start } = sideBySide();
    const [one, other] = [start('A'), start('B')];
    expect(ledgers.costOfOthers('A').tokens).toBe(300);
    one.uses(599);
    other.uses(300);
    await settled();
    expect([one.seen, other.seen]).toEqual([[], []]);
    expect(ledgers.costOf('A').tokens).toBe(599);
    one.uses(600);
    await settled();
    expect(one.seen).toEqual(['the budget is spent: 1,000 of 1,000 tokens']);
  });

  it('is spent by all together where nothing is known of what they take', async () => {
    const { start } = sideBySide();
    const [one, other] = [start('A', 0), start('B', 0)];
    one.uses(500);
    other.uses(399);
    await settled();
    expect(other.seen).toEqual([]);
    other.uses(400);
    await settled();
    expect(other.seen).toHaveLength(1);
  });

  it('holds what is reserved for each attempt that a worker lost, until that is on record', () => {
    const { ledgers, start } = sideBySide();
    start('A').uses(350);
    start('B');
    ledgers.lose('A', 2);
    expect([ledgers.costOf('A').tokens, ledgers.costOfOthers('B').tokens]).toEqual([950, 950]);
    ledgers.lose('A', 0);
    expect([ledgers.costOf('A').tokens, ledgers.reserved('A').tokens]).toEqual([350, 300]);
  });

  it('is free again of what was reserved as soon as the real cost is on record', async () => {
    const { ledgers, start, onRecord } = sideBySide();
    const [one, other] = [start('A'), start('B')];
    one.uses(50);
    onRecord.tokens += 50;
    ledgers.settle('A');
    expect([ledgers.costOf('A'), ledgers.costOfOthers('B')]).toEqual([NO_COST, NO_COST]);
    other.uses(849);
    await settled();
    expect(other.seen).toEqual([]);
    other.uses(850);
    await settled();
    expect(other.seen).toHaveLength(1);
  });
});
