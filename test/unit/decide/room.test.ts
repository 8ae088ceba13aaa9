import { describe, expect, it } from 'vitest';
import { type Room, shortageOf, shortageText } from '../../../src/decide/index.ts';
import { checkRoom } from '../../../src/loop/take-step.ts';

const MB = 1024 ** 2;
const PLENTY: Room = {
  disk: { free: 100_000 * MB, copy: 100 * MB },
  memory: 8000 * MB,
  queue: { waiting: 0, pace: { gatesMs: 2000, agentMs: 10_000 } },
};
const queue = (waiting: number) => ({ queue: { ...PLENTY.queue, waiting } });

describe('another attempt beside others', () => {
  it.each<[string, Partial<Room>, ReturnType<typeof shortageOf>]>([
    ['lacks nothing', {}, null],
    ['nor where nothing is known', { disk: null, memory: null, queue: { waiting: 9, pace: null } }, null],
    ['has two copies to the byte', { disk: { free: 200 * MB, copy: 100 * MB } }, null],
    ['lacks disk for two copies', { disk: { free: 200 * MB - 1, copy: 100 * MB } }, 'disk'],
    ['lacks memory', { memory: 1023 * MB }, 'memory'],
    ['has the memory that it should have', { memory: 1024 * MB }, null],
    ['has gates by the time it ends', queue(5), null],
    ['lacks gates by the time it ends', queue(6), 'gates'],
    [
      'has gates at once, however slow they are',
      { queue: { waiting: 0, pace: { gatesMs: 9e6, agentMs: 1 } } },
      null,
    ],
    ['lacks disk first', { disk: { free: 0, copy: 1 }, memory: 0, ...queue(99) }, 'disk'],
  ])('%s', (_what, room, expected) => {
    expect(shortageOf({ ...PLENTY, ...room })).toBe(expected);
  });

  it.each([
    [
      'disk',
      /^2 of 4 workers for now: 100 MB of disk are free, and two copies of the work tree take 200 MB\.$/,
    ],
    ['memory', /700 MB of memory are free, and an attempt should have 1024 MB/],
    ['gates', /6 results wait for gates, 12 s of them: longer than an attempt takes/],
  ] as const)('says what it lacks: %s', (which, text) => {
    const room = { disk: { free: 100 * MB, copy: 100 * MB }, memory: 700 * MB, ...queue(6) };
    expect(shortageText(which, room, { used: 2, requested: 4 })).toMatch(text);
  });
});

describe('the number of workers', () => {
  /** Asks before a start, with so many at work and so much memory, what was said before included. */
  function asker() {
    const messages: string[] = [];
    let shortages: ReadonlySet<'disk' | 'memory' | 'gates'> = new Set();
    return {
      messages,
      ask: async (working: number, memory: number, free = 1000 * MB) => {
        const context = {
          ports: {
            room: async () => ({ disk: { free, copy: 100 * MB }, memory }),
            store: { commit: ([{ message }]: [{ message: string }]) => messages.push(message) },
          },
          turns: { waiting: () => [] },
          workers: [1, 2, 3, 4],
        };
        const crew = { working: () => Array.from({ length: working }, (_, at) => `T-${at}`) };
        const took = { count: 0, agentMs: 0, gatesMs: 0 };
        const checked = await checkRoom(context as never, { crew }, { took, shortages });
        ({ shortages } = checked);
        return checked.isShort;
      },
    };
  }

  it('falls while something is short and rises again, and each cause is said once', async () => {
    const { ask, messages } = asker();
    expect(await ask(2, 4000 * MB)).toBe(false);
    expect(await ask(3, 100 * MB)).toBe(true);
    expect(await ask(2, 100 * MB)).toBe(true);
    expect(await ask(2, 4000 * MB)).toBe(false);
    expect(await ask(3, 100 * MB)).toBe(true);
    expect(messages).toHaveLength(1);
    expect(await ask(3, 4000 * MB, 10 * MB)).toBe(true);
    expect(messages).toEqual([expect.stringContaining('memory'), expect.stringContaining('disk')]);
  });

  it('is never less than one', async () => {
    const { ask, messages } = asker();
    expect(await ask(0, 0, 0)).toBe(false);
    expect(messages).toEqual([]);
  });
});
