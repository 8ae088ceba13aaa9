/** @module-tag rest */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHandlers } from '../../../src/io/handlers/open-handlers.ts';
import { hostOf } from '../../helpers/modules.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

type Given = Partial<Omit<Parameters<typeof openHandlers>[0], 'host'>>;

/** Returns handlers with one module, for the issue `mine`. */
function handlersOf(source: string | null, given: Given = {}) {
  const root = temporaryFolder();
  if (source !== null) writeFileSync(join(root, 'mine.mjs'), source);
  const host = hostOf(root, ['./mine.mjs', 'mine.mjs']);
  const handlers = openHandlers({
    handlers: { mine: './mine.mjs' },
    strategyModule: '',
    host,
    env: {},
    timeoutMs: 50_000,
    ...given,
  });
  return { root, host, handlers };
}

const FOUND = { severity: 'high', confidence: 0.9, impactFactor: 0.2, summary: 'it loops' };

describe('a module', () => {
  it.each([
    [
      'exports functions',
      'export const detect = (a) => a.wanted; export function intervene(q) { return q; }',
    ],
    ['exports them as its default', 'export default { detect: (a) => a.wanted, intervene: async (q) => q };'],
  ])('%s', async (_how, source) => {
    const { handlers } = handlersOf(source);
    expect(await handlers.detect({ wanted: FOUND })).toEqual([
      { issue: 'mine', finding: { ...FOUND, details: {} }, failure: null },
    ]);
    const answer = { intervention: 'soft_correction', text: 'Try the other way.' };
    expect(await handlers.intervene({ issue: 'mine' }, answer)).toEqual({ answer, failure: null });
  });

  it('may keep a state of its own from call to call', async () => {
    const { handlers } = handlersOf(
      'let calls = 0; export const intervene = () => ({ intervention: "none", text: calls++ && undefined });' +
        `export const detect = () => ({ ...${JSON.stringify(FOUND)}, details: { calls: ++calls } });`,
    );
    await handlers.detect({});
    expect(await handlers.detect({})).toMatchObject([{ finding: { details: { calls: 2 } } }]);
  });

  it.each(['export const other = 1;', 'export default 3;', 'export const detect = 1, intervene = null;', ''])(
    'without the functions finds nothing and leaves it to the ladder: %s',
    async (source) => {
      const { handlers } = handlersOf(source);
      expect(await handlers.detect({})).toEqual([{ issue: 'mine', finding: null, failure: null }]);
      expect(await handlers.intervene({ issue: 'mine' }, {})).toEqual({ answer: null, failure: null });
    },
  );

  it.each(['null', 'undefined', 'Promise.resolve()'])(
    'that answers %s leaves it to the ladder',
    async (value) => {
      const { handlers } = handlersOf(`export const intervene = () => ${value};`);
      expect(await handlers.intervene({ issue: 'mine' }, {})).toEqual({ answer: null, failure: null });
    },
  );

  it('of the strategy is asked by that name alone', async () => {
    const { root, handlers } = handlersOf('export const intervene = () => ({ intervention: "none" });', {
      handlers: {},
      strategyModule: 'mine.mjs',
    });
    expect(root).not.toBe('');
    expect([handlers.issues, handlers.strategy]).toEqual([[], true]);
    expect(await handlers.intervene('strategy', {})).toEqual({
      answer: { intervention: 'none' },
      failure: null,
    });
    expect(await handlers.detect({})).toEqual([]);
    expect(await handlers.intervene({ issue: 'mine' }, {})).toEqual({ answer: null, failure: null });
  });

  it("doesn't block another one", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'a.mjs'), 'process.exit(3);');
    writeFileSync(join(root, 'b.mjs'), `export const detect = () => (${JSON.stringify(FOUND)});`);
    const host = hostOf(root, ['a.mjs', 'b.mjs']);
    const handlers = openHandlers({
      handlers: { a: 'a.mjs', b: 'b.mjs' },
      strategyModule: '',
      host,
      env: {},
    });
    expect(await handlers.detect({})).toMatchObject([
      { issue: 'a', finding: null, failure: expect.stringContaining('a.mjs') },
      { issue: 'b', finding: FOUND, failure: null },
    ]);
  });
});

describe('what goes wrong in a module is a sentence that names it, and the next call works again', () => {
  it.each<[string, string, RegExp]>([
    ['throws', '\n\nthrow new Error("no luck");', /^\.\/mine\.mjs:3 failed with Error: no luck$/],
    ['throws a text', 'throw "no luck";', /^\.\/mine\.mjs failed with no luck$/],
    ['throws what cannot be shown', 'throw { toString() { throw 1; } };', /cannot be shown$/],
    ['rejects', 'return Promise.reject(new TypeError("no"));', /mjs:1 failed with TypeError: no$/],
    [
      'leaves a rejection unhandled',
      'Promise.reject(new Error("lost")); return new Promise(() => {});',
      /ended with Error: lost$/,
    ],
    [
      'throws later',
      'setTimeout(() => { throw new Error("late"); }); return new Promise(() => {});',
      /ended with Error: late$/,
    ],
    ['ends the process', 'process.exit(3);', /ended its own thread \(process\.exit, code 3\)$/],
    [
      'needs too much memory',
      'const all = []; for (;;) all.push(new Array(1e6).fill(all));',
      /ended with .*memory/,
    ],
    ['gives a function', 'return () => 1;', /failed with DataCloneError: .*could not be cloned/],
    ['gives a function in it', 'return { intervention: "none", f() {} };', /could not be cloned/],
    ['gives a symbol', 'return Symbol("x");', /could not be cloned/],
    ['gives a circle', 'const it = {}; it.it = it; return it;', /what JSON cannot hold/],
    ['gives a bigint', 'return 1n;', /what JSON cannot hold/],
    ['gives too much', 'return { intervention: "x".repeat(2e6) };', /more than 1 MB$/],
    ['gives a number', 'return 7;', /gave from intervene\(\) what cannot be used/],
    ['gives another intervention', 'return { intervention: "dance" };', /what cannot be used/],
    ['gives a secret in its error', 'throw new Error("hunter2-hunter2");', /Error: \[redacted\]$/],
  ])('%s', async (_what, body, failure) => {
    const { handlers } = handlersOf(
      `export function intervene(question) { if (question.well) return { intervention: 'none' }; ${body} }`,
      { env: { MY_PASSWORD: 'hunter2-hunter2' } },
    );
    const call = await handlers.intervene({ issue: 'mine' }, {});
    expect(call).toEqual({ answer: null, failure: expect.stringMatching(failure) });
    expect(call.failure).toContain('./mine.mjs');
    expect(await handlers.intervene({ issue: 'mine' }, { well: true })).toEqual({
      answer: { intervention: 'none' },
      failure: null,
    });
  });

  it.each<[string, string | null, RegExp]>([
    ['that was not there', null, /^\.\/mine\.mjs failed with Error: Cannot find module/],
    ['with a mistake in it', '\nexport const detect = ;', /^\.\/mine\.mjs failed with SyntaxError/],
    [
      'that imports what does not exist',
      'import "./none.mjs";',
      /mine\.mjs failed with .*Cannot find module/,
    ],
    ['that throws at its start', 'throw new Error("early");', /mjs:1 failed with Error: early$/],
    ['that ends the process at its start', 'process.exit();', /ended its own thread/],
  ])('a module %s', async (_what, source, failure) => {
    const { handlers } = handlersOf(source);
    for (const _again of [1, 2]) {
      expect(await handlers.detect({})).toEqual([
        { issue: 'mine', finding: null, failure: expect.stringMatching(failure) },
      ]);
    }
  });

  it.each([
    { ...FOUND, severity: 'fatal' },
    { ...FOUND, confidence: 1.5 },
    { ...FOUND, confidence: Number.NaN },
    { ...FOUND, ladder: ['dance'] },
    { summary: 'x' },
    [],
    'text',
  ])("what isn't a finding: %j", async (value) => {
    const { handlers } = handlersOf('export const detect = (a) => a.value;');
    expect(await handlers.detect({ value })).toEqual([
      { issue: 'mine', finding: null, failure: expect.stringContaining('what cannot be used') },
    ]);
  });

  it('a module is the one that was read, whatever became of it since', async () => {
    const { root, handlers } = handlersOf('export const detect = () => null;');
    writeFileSync(join(root, 'mine.mjs'), `export const detect = () => (${JSON.stringify(FOUND)});`);
    expect(await handlers.detect({})).toEqual([{ issue: 'mine', finding: null, failure: null }]);
  });

  it('a question that JSON cannot hold', async () => {
    const { handlers } = handlersOf('export const intervene = () => null;');
    const call = await handlers.intervene({ issue: 'mine' }, { ask: 1n });
    expect(call.failure).toMatch(/could not be asked: TypeError/);
  });

  it.each([
    ['loops for ever', 'for (;;);'],
    ['never answers', 'return new Promise(() => {});'],
    ['waits for ever', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);'],
  ])('%s', async (_what, body) => {
    const { host, handlers } = handlersOf(
      `export function intervene({ well }) { if (well) return { intervention: 'none' }; ${body} }`,
      { timeoutMs: 500 },
    );
    const failure = './mine.mjs gave no answer to intervene() within 0.5 s and was ended';
    expect(await handlers.intervene({ issue: 'mine' }, {})).toEqual({ answer: null, failure });
    const call = { kind: 'function', name: 'intervene' } as const;
    const reply = await host.ask('./mine.mjs', call, { well: true }, { wallMs: 50_000 });
    expect(reply).toEqual({ kind: 'value', value: { intervention: 'none' } });
  });

  it('a call after the end', async () => {
    const { host, handlers } = handlersOf('export const intervene = () => null;');
    await host.close();
    expect((await handlers.intervene({ issue: 'mine' }, {})).failure).toContain('after its end');
  });
});
