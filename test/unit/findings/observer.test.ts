import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ACTIONS_KEPT, ERRORS_KEPT, Observed, SAMPLES_KEPT } from '../../../src/domain/observed.ts';
import { detectFindings, type Observer, openObserver } from '../../../src/proof/findings/index.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';
import { attempt } from './facts.ts';

const plain = (text: string) => text;

function call(observer: Observer, id: string | null, text: string, atMs = 0): void {
  const [tool = ''] = text.split(' ');
  const kind = tool === 'Bash' ? ('system_command' as const) : ('file_write' as const);
  observer.onCall({ id, tool, kind, text, paths: ['src/a.ts'], counts: true }, atMs);
}

/** Reports a call and its result to an observer. */
function done(observer: Observer, text: string, ok: boolean, output: string): void {
  call(observer, 'c', text);
  observer.onResult({ id: 'c', ok, output }, 0);
}

describe('what is taken down', () => {
  it('is nothing of an attempt in which nothing was told', () => {
    expect({ ...openObserver(plain).observed(), writes: null }).toEqual(EMPTY_OBSERVED);
    expect(openObserver(plain).resources(7)).toEqual({
      fileOperations: 0,
      memoryMb: 0,
      tokens: 0,
      durationMs: 7,
    });
  });

  it('are actions, how they ended, and what they counted for', () => {
    const observer = openObserver(plain);
    call(observer, 'c1', 'Write src/a.ts', 1000);
    observer.onCall(
      { id: 'c2', tool: 'Bash', kind: 'system_command', text: 'Bash ls', paths: [], counts: false },
      2000,
    );
    observer.onResult({ id: 'c1', ok: true, output: 'written' }, 2500);
    observer.onTokens(1200, 3000);
    observer.onMemory(300, 3000);
    observer.onMemory(200, 4000);
    const seen = observer.observed();
    expect(seen.actions).toEqual([
      {
        atMs: 1000,
        tool: 'Write',
        kind: 'file_write',
        text: 'Write src/a.ts',
        paths: ['src/a.ts'],
        ok: true,
      },
      { atMs: 2000, tool: 'Bash', kind: 'system_command', text: 'Bash ls', paths: [], ok: null },
    ]);
    expect(seen).toMatchObject({ actionCount: 2, fileOperations: 1, errors: [], results: [] });
    expect(seen.samples.at(-1)).toEqual({ atMs: 4000, fileOperations: 1, tokens: 1200, memoryMb: 200 });
    expect(observer.resources(9000)).toEqual({
      fileOperations: 1,
      memoryMb: 300,
      tokens: 1200,
      durationMs: 9000,
    });
  });

  it('a result without a number is that of the newest call', () => {
    const observer = openObserver(plain);
    call(observer, null, 'Write one');
    call(observer, null, 'Write two');
    observer.onResult({ id: null, ok: false, output: 'no' }, 0);
    expect(observer.observed().actions.map(({ ok }) => ok)).toEqual([null, false]);
  });

  it('a result of nothing is passed over', () => {
    const observer = openObserver(plain);
    observer.onResult({ id: 'who', ok: false, output: 'no' }, 0);
    observer.onResult({ id: null, ok: false, output: 'no' }, 0);
    expect(observer.observed()).toMatchObject({ actions: [], errors: [], results: [] });
  });

  it('are corrections', () => {
    const observer = openObserver(plain);
    observer.onCorrection({ issue: 'goal_drift', text: 'Back to the task.' }, 500);
    expect(observer.observed().corrections).toEqual([
      { issue: 'goal_drift', text: 'Back to the task.', atMs: 500 },
    ]);
  });

  it('a time that lies before an earlier one counts as that', () => {
    const observer = openObserver(plain);
    call(observer, 'a', 'Write a', 5000);
    call(observer, 'b', 'Write b', 3000);
    expect(observer.observed().actions.map(({ atMs }) => atMs)).toEqual([5000, 5000]);
    expect(observer.observed().samples.map(({ atMs }) => atMs)).toEqual([5000]);
  });

  it('stays as it was given out', () => {
    const observer = openObserver(plain);
    call(observer, 'c', 'Bash x');
    const before = observer.observed();
    const copy = structuredClone(before);
    observer.onResult({ id: 'c', ok: false, output: 'bad' }, 5000);
    call(observer, 'd', 'Bash y');
    expect(before).toEqual(copy);
  });
});

describe('errors', () => {
  it('are counted by what they say, whatever the path, the line and the words around', () => {
    const observer = openObserver(plain);
    done(observer, 'Write a', false, 'No such file: /repo/a.ts (12 ms)');
    done(observer, 'Write b', false, 'No such file: /repo/b.ts (7 ms)');
    done(observer, 'Write c', false, 'Disk is full');
    done(observer, 'Write d', false, 'No such file: /repo/c.ts (9 ms)');
    expect(observer.observed().errors).toMatchObject([
      {
        tool: 'Write',
        error: 'No such file: <path> (# ms)',
        line: 'No such file: /repo/c.ts (9 ms)',
        path: 'src/a.ts',
        count: 3,
      },
      { tool: 'Write', error: 'Disk is full', count: 1 },
    ]);
    const found = detectFindings(attempt({ observed: { ...observer.observed(), writes: null } }));
    expect(found).toMatchObject([{ type: 'repetitive_errors', severity: 'low' }]);
  });

  it('in several places name none of them', () => {
    const observer = openObserver(plain);
    for (const path of ['a.md', 'a.md', 'b.md']) {
      const made = { id: 'c', tool: 'Write', kind: 'file_write', text: `Write ${path}` } as const;
      observer.onCall({ ...made, paths: [path], counts: true }, 0);
      observer.onResult({ id: 'c', ok: false, output: 'Path already exists' }, 0);
    }
    expect(observer.observed().errors).toMatchObject([{ line: 'Path already exists', path: null, count: 3 }]);
  });

  it('of different tools are different', () => {
    const observer = openObserver(plain);
    done(observer, 'Write a', false, 'no');
    done(observer, 'Edit a', false, 'no');
    expect(observer.observed().errors.map(({ count }) => count)).toEqual([1, 1]);
  });

  it("that say nothing don't count: a search that found nothing", () => {
    const observer = openObserver(plain);
    for (let time = 0; time < 5; time += 1)
      done(observer, 'Bash grep x y', false, time % 2 === 0 ? 'Exit code 1' : '');
    expect(observer.observed().errors).toEqual([]);
  });

  it('that the same call overcame are forgotten: tests that failed until they passed', () => {
    const observer = openObserver(plain);
    for (let time = 0; time < 4; time += 1)
      done(observer, 'Bash npm test', false, 'AssertionError: 1 is not 2');
    done(observer, 'Bash npm run other', false, 'missing script');
    expect(observer.observed().errors).toMatchObject([{ count: 4 }, { count: 1 }]);
    done(observer, 'Bash npm test', true, 'ok');
    expect(observer.observed().errors).toMatchObject([{ error: 'missing script' }]);
  });

  it('the most frequent come first, and only so many', () => {
    const observer = openObserver(plain);
    const word = (n: number) =>
      `error ${'abcdefghijklmnopqrstuvwxyz'[n % 26]}${'abcdefghijklmnopqrstuvwxyz'[Math.floor(n / 26)]}`;
    for (let n = 0; n < 300; n += 1) {
      done(observer, `Bash ${n}`, false, word(n));
      if (n % 10 === 0) done(observer, 'Bash again', false, 'the same');
    }
    const { errors } = observer.observed();
    expect(errors).toHaveLength(ERRORS_KEPT);
    expect(errors[0]).toMatchObject({ tool: 'Bash', error: 'the same', line: 'the same', count: 30 });
  });
});

test('of very many errors the rare ones are forgotten', () => {
  const observer = openObserver(plain);
  const letters = 'abcdefghij';
  const word = (n: number) => [...String(n)].map((digit) => letters[Number(digit)]).join('');
  const rare = () => done(observer, 'Bash rare', false, 'the rare one');
  rare();
  for (let n = 0; n < 300; n += 1) done(observer, `Bash ${n}`, false, `other ${word(n)}`);
  rare();
  rare();
  expect(observer.observed().errors[0]).toMatchObject({ tool: 'Bash', error: 'the rare one', count: 2 });
});

describe('results of commands', () => {
  it('are kept with the end of what they printed, the newest 20', () => {
    const observer = openObserver(plain);
    for (let n = 0; n < 30; n += 1)
      done(observer, `Bash run ${n}`, n % 2 === 0, `${'x'.repeat(5000)}\nend ${n}\n`);
    done(observer, 'Write a', true, 'no command');
    const { results } = observer.observed();
    expect(results).toHaveLength(20);
    expect(results.at(-1)).toMatchObject({ command: 'run 29', ok: false });
    expect(results.at(-1)?.tail).toMatch(/^x+\nend 29$/);
    expect(results.at(-1)?.tail).toHaveLength(400);
  });

  it('and errors go through the redaction first, also where the end is cut in a secret', () => {
    const secret = 'S3CRET'.repeat(20);
    const observer = openObserver((text) => text.replaceAll(secret, '[redacted]'));
    done(observer, 'Bash env', false, `token ${secret} ${'y'.repeat(330)}`);
    const seen = JSON.stringify(observer.observed());
    expect(seen).toContain('[redacted]');
    expect(seen).not.toContain('S3CRET');
  });

  it('lose their terminal sequences', () => {
    const observer = openObserver(plain);
    done(observer, 'Bash x', true, '\u001b[31mred\u001b[0m\r\n');
    expect(observer.observed().results).toEqual([{ command: 'x', ok: true, tail: 'red' }]);
  });
});

type Step =
  | {
      readonly kind: 'call' | 'result';
      readonly id: string | null;
      readonly text: string;
      readonly at: number;
    }
  | { readonly kind: 'tokens' | 'memory' | 'correction'; readonly amount: number; readonly at: number };

const at = fc.oneof(fc.nat(10_000), fc.nat(10_000_000));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('call' as const, 'result' as const),
    id: fc.option(fc.string({ maxLength: 3 })),
    text: fc.string(),
    at,
  }),
  fc.record({
    kind: fc.constantFrom('tokens' as const, 'memory' as const, 'correction' as const),
    amount: fc.nat(100_000),
    at,
  }),
);

function take(observer: Observer, one: Step): void {
  if (one.kind === 'call') {
    observer.onCall(
      { ...{ id: one.id, tool: 'Bash', kind: 'system_command', text: one.text }, paths: [], counts: true },
      one.at,
    );
  } else if (one.kind === 'result')
    observer.onResult({ id: one.id, ok: one.at % 2 === 0, output: one.text }, one.at);
  else if (one.kind === 'tokens') observer.onTokens(one.amount, one.at);
  else if (one.kind === 'memory') observer.onMemory(one.amount, one.at);
  else if (one.kind === 'correction') observer.onCorrection({ issue: 'x', text: 'y' }, one.at);
}

function expectBounded(seen: Observed): void {
  expect(Observed.safeParse(seen).success).toBe(true);
  expect(seen.actions.length).toBeLessThanOrEqual(ACTIONS_KEPT);
  expect(seen.errors.length).toBeLessThanOrEqual(ERRORS_KEPT);
  expect(seen.results.length).toBeLessThanOrEqual(20);
  expect(seen.corrections.length).toBeLessThanOrEqual(20);
  expect(seen.samples.length).toBeLessThanOrEqual(SAMPLES_KEPT);
  const times = seen.samples.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(new Set(times).size).toBe(times.length);
}

test('whatever the stream, what is kept is bounded, and samples are in order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const observer = openObserver(plain);
      for (const one of steps) {
        take(observer, one);
        expectBounded({ ...observer.observed(), writes: null });
      }
      expect(observer.observed().actionCount).toBe(steps.filter(({ kind }) => kind === 'call').length);
    }),
    { numRuns: 30 },
  );
});

test('the samples of a long attempt are thinned out evenly, and end with how things stand', () => {
  const observer = openObserver(plain);
  for (let second = 0; second <= 36_000; second += 1) {
    if (second % 5 === 0) call(observer, `c${second}`, `Bash ${second}`, second * 1000);
    observer.onMemory(100 + (second % 7), second * 1000);
    if (second % 977 === 0) expectBounded({ ...observer.observed(), writes: null });
  }
  const { samples, fileOperations } = observer.observed();
  expect(samples.length).toBeGreaterThan(SAMPLES_KEPT / 2 - 1);
  expect(samples[0]).toMatchObject({ atMs: 0 });
  expect(samples.at(-1)).toEqual({
    atMs: 36_000_000,
    fileOperations,
    tokens: 0,
    memoryMb: 100 + (36_000 % 7),
  });
  const gaps = samples.slice(1, -1).map(({ atMs }, index) => atMs - (samples[index]?.atMs ?? 0));
  expect(Math.max(...gaps)).toBe(Math.min(...gaps));
  expect(observer.resources(1).memoryMb).toBe(106);
});
