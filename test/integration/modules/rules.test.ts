/** @module-tag rest */

import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOwnRules } from '../../../src/app/setup/own-rules.ts';
import { boxAt, isWholeBox } from '../../helpers/boxed.ts';
import { hostOf } from '../../helpers/modules.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const FIXTURE = new URL('../../fixtures/modules/hostile.mjs', import.meta.url);

/** The rules of a module in the box, as a run reads them, beside a file that they have no business with. */
async function rulesOf(source: string | null) {
  const parent = temporaryFolder();
  writeFileSync(join(parent, 'canary.txt'), 'canary');
  const root = mkdtempSync(join(parent, 'repository-'));
  const stateHome = join(parent, 'state');
  const git = join(root, '.git');
  for (const folder of [stateHome, join(git, 'objects')]) mkdirSync(folder, { recursive: true });
  if (source === null) copyFileSync(FIXTURE, join(root, 'rules.mjs'));
  else writeFileSync(join(root, 'rules.mjs'), source);
  copyFileSync(FIXTURE, join(root, 'handler.mjs'));
  const box = boxAt({ root, stateHome, gitDir: git, commonDir: git, home: homedir(), settings: {} });
  const host = hostOf(root, ['rules.mjs', 'handler.mjs'], { stateHome, box: () => box });
  const { rules, problems, askRules } = await readOwnRules('rules.mjs', root, host);
  const inModule = rules.filter((rule) => 'index' in rule);
  const ask = (command: string) =>
    askRules(inModule, {
      action: { command, kind: 'system_command', tool: 'Bash', paths: [] },
      effects: [],
      root,
    });
  return { rules, problems, ask, host };
}

const WELL = [
  { rule: 'before', value: null },
  { rule: 'mine', value: { decision: 'warn', reason: 'well' } },
  { rule: 'after', value: null },
];

/** On a machine that is busy enough, 2 s can be over before 100 ms of processor time. */
const HANGS =
  /^it (?:computed for more than 100 ms without an answer|gave no answer to judge\(\) within 2 s) and was ended$/;

describe.skipIf(!isWholeBox)('a rule in a module', () => {
  it.each<[string, string, RegExp]>([
    ['ends its thread', 'exit', /^it ended its own thread \(process\.exit, code 3\)$/],
    ['loops for ever', 'loop', HANGS],
    ['answers late', 'late', HANGS],
    ['blocks', 'block', HANGS],
    ['never settles', 'never', HANGS],
    ['needs too much memory', 'memory', /^it (?:ended with .*memory|computed for more|gave no answer)/],
    ['throws', 'throw', /^it failed with Error: no luck \(line \d+\)$/],
    ['gives a symbol', 'symbol', /could not be cloned/],
    ['gives a circle', 'circle', /circular/],
  ])('that %s is named, and the next question is answered', async (_what, how, failure) => {
    const { ask } = await rulesOf(null);
    expect(await ask(how)).toContainEqual({ rule: 'mine', error: expect.stringMatching(failure) });
    expect(await ask('well')).toEqual(WELL);
  });

  it.each<[string, string, RegExp]>([
    ['kills the process', 'kill', /^it was lost: the process that it ran in ended$/],
    ['floods the channel', 'endless', /^it (?:computed for more than 100 ms|was lost)/],
    ['says more than 1 MB', 'large', /more than 1 MB$/],
  ])('that %s is named by its rule or its module', async (_what, how, failure) => {
    const { ask } = await rulesOf(null);
    const [answer] = await ask(how);
    expect(answer).toEqual({
      rule: expect.stringMatching(/^(?:rules\.mjs|mine)$/),
      error: expect.stringMatching(failure),
    });
    expect(await ask('well')).toEqual(WELL);
  });

  it.each([
    ['prints answers', 'print'],
    ['sends answers to other questions, and no answers', 'forge'],
    ['puts JSON in its place', 'patch'],
    ['ended the first time', 'once'],
    ['waits, but does not compute', 'slow'],
    ['starts a program that leaves', 'spawn'],
    ['reads beside the repository', 'read'],
  ])('that %s is answered all the same', async (_what, how) => {
    const { ask } = await rulesOf(null);
    expect(await ask(how)).toEqual(WELL);
    expect(await ask('well')).toEqual(WELL);
  });

  it('that ends is asked again, also where its module takes longer to load than an answer may', async () => {
    const { ask } = await rulesOf(`import { existsSync, writeFileSync } from 'node:fs';
      const [begin, mark] = [process.cpuUsage(), process.env.RALPH_MODULE_DATA + '/once'];
      while (process.cpuUsage(begin).user < 500_000);
      export default [{ name: 'mine', judge({ action }) {
        if (action.command !== 'once' || existsSync(mark)) return null;
        writeFileSync(mark, '');
        process.exit(3);
      } }];`);
    expect(await ask('once')).toEqual([{ rule: 'mine', value: null }]);
  });

  it("can't change what the next one judges", async () => {
    const { ask } = await rulesOf(null);
    expect(await ask('change')).toContainEqual({
      rule: 'after',
      value: { decision: 'warn', reason: 'unchanged' },
    });
  });

  it.each([
    ['computes', 'loop', { wallMs: 600_000, processorMs: 100 }, 'computed for more than 100 ms'],
    ['only waits', 'block', { wallMs: 3000, processorMs: 60_000 }, 'gave no answer to judge() within 3 s'],
  ])('that %s is ended by the limit for that', async (_what, command, limits, why) => {
    const { host } = await rulesOf(null);
    const subject = { action: { command }, effects: [], root: '/' };
    // The second time its thread is a new one.
    for (const _again of [1, 2]) {
      const reply = await host.ask('rules.mjs', { kind: 'judge', indexes: [0, 1] }, subject, limits);
      expect(reply).toMatchObject({ kind: 'failed', why: expect.stringContaining(why), at: 1 });
    }
  });

  it('answers while a handler of another module computes', async () => {
    const { ask, host } = await rulesOf(null);
    const handler = host.ask(
      'handler.mjs',
      { kind: 'function', name: 'detect' },
      { how: 'loop' },
      { wallMs: 60_000 },
    );
    for (let round = 0; round < 20; round += 1) expect(await ask('well')).toEqual(WELL);
    await host.close();
    expect(await handler).toMatchObject({ kind: 'failed', why: 'was called after its end' });
  });

  it('whose process stands still is lost, and the next question is answered', async () => {
    const { ask, host } = await rulesOf(null);
    const detect = { kind: 'function', name: 'detect' } as const;
    const reply = await host.ask('rules.mjs', detect, { how: 'stop' }, { wallMs: 10 });
    expect(reply).toMatchObject({ kind: 'failed', why: expect.stringMatching(/was lost|within 0.01 s/) });
    expect(await ask('well')).toEqual(WELL);
  });

  it('that fails where there is no command ends the run before it begins', async () => {
    const { problems } = await rulesOf(
      "export default [{ name: 'mine', judge: ({ action }) => action.command.includes('x') && null }];",
    );
    expect(problems).toEqual([
      expect.stringMatching(/^rules\.mjs: mine, called for Write: it failed with TypeError: /),
    ]);
  });
});
