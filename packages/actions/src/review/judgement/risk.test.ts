import type { ReviewPlace } from 'ralph-actions/forms/place';
import { ReviewSettings } from 'ralph-actions/forms/settings';
import { actionKey, assess, goalOf, NO_HISTORY, withAction, withResult } from 'ralph-actions/review';
import type { Action } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { action, PLACE } from '../../../../../test/helpers/review-place.ts';

const { risk, rationality } = ReviewSettings.parse({});
const CONTEXT = { settings: { risk, rationality }, rules: [], goal: null, history: NO_HISTORY };
const bash = (command: string) => action('Bash', { command });
const riskOf = (one: Action, place: ReviewPlace = PLACE) => assess(one, place, CONTEXT).risk;

describe('the base risk is that of the worst effect', () => {
  it.each<[Action, number]>([
    [bash('ls -la src'), 0.1],
    [action('Read', { file_path: 'a.ts' }), 0.1],
    [action('TodoWrite', { todos: [] }), 0.1],
    [bash('touch a.ts'), 0.4],
    [action('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }), 0.4],
    [action('create', { path: 'a.ts', file_text: '' }), 0.3],
    [bash('curl https://example.org'), 0.6],
    [action('WebFetch', { url: 'https://example.org' }), 0.6],
    [bash('./unheard-of --flag'), 0.7],
    [bash('rm a.ts'), 0.8],
    [bash('touch b.ts; rm a.ts'), 0.8],
    [bash('if ('), 0.8],
    [action('mcp__some__tool', {}), 0.8],
    [action('mcp__some__list_things', { path: 'a' }), 0.6],
  ])('%j', (one, base) => expect(riskOf(one).base).toBe(base));
});

describe('what helps against a side effect is true of its place', () => {
  it.each<[string, boolean, string]>([
    [
      'rm src/a.ts',
      true,
      'The checkpoint before the attempt has it, unless git ignores it (ralph checkpoints).',
    ],
    ['rm /srv/x', true, 'Delete only what lies in the repository, by its name.'],
    ['rm .git/hooks/pre-commit', true, 'Use git itself.'],
    ['rm .ralph/ralph.toml', true, 'Leave it as it is.'],
    [
      'rm "$(cat names)"',
      true,
      'The checkpoint before the attempt has it, unless git ignores it (ralph checkpoints).',
    ],
    ['echo x > /srv/x', true, 'Write inside the repository.'],
    ['rm /tmp/a', false, 'The attempt made it, or it is a temporary file: nothing of yours is lost.'],
    ['echo x > new.ts', false, "It wasn't there before the attempt: nothing of yours is lost."],
    ['echo x > /srv/new', false, 'It is new there, and no checkpoint has it: remove it afterwards.'],
  ])('%s', (command, isThere, mitigation) => {
    const { sideEffects } = assess(bash(command), { ...PLACE, existed: () => isThere }, CONTEXT);
    const file = sideEffects.find(({ type }) => type === 'file');
    expect(file?.mitigation).toBe(mitigation);
  });
});

describe('factors', () => {
  const outside = { ...PLACE, existed: () => true };
  it.each<[string, Action, readonly string[], number, string]>([
    ['a deletion that the checkpoint brings back', bash('rm a.ts'), ['reversible'], 0.79, 'medium'],
    [
      'a write outside',
      action('Write', { file_path: '/srv/x', content: '' }),
      ['out_of_scope', 'privilege'],
      0.9,
      'high',
    ],
    ['a deletion outside', bash('rm /srv/x'), ['out_of_scope', 'privilege'], 1, 'critical'],
    ['changed permissions', bash('chmod +x a.sh'), ['privilege'], 0.6, 'medium'],
    ['nothing of note', bash('npm test'), [], 0.7, 'medium'],
  ])('%s', (_, one, factors, score, severity) => {
    const found = riskOf(one, outside);
    expect(found.factors.map(({ name }) => name)).toEqual(factors);
    expect(found).toMatchObject({ score, severity });
  });

  it("a temporary file, a new file outside and a device don't count as reach beyond", () => {
    const nothing = { ...PLACE, existed: () => false };
    expect(riskOf(bash('echo x > /tmp/x'), PLACE).factors).toEqual([]);
    expect(riskOf(bash('echo x > /dev/null'), PLACE).factors).toEqual([]);
    expect(riskOf(bash('mkdir /srv/new'), nothing).factors.map(({ name }) => name)).toEqual(['privilege']);
  });

  it('files that the task does not expect are out of scope; what work brings along is not', () => {
    const task = { title: 'Parser', description: '', acceptance: [], expectedPaths: ['src/parser.ts'] };
    const context = { ...CONTEXT, goal: goalOf(task, []) };
    const factors = (path: string) =>
      assess(action('Write', { file_path: path, content: '' }), PLACE, context).risk.factors.map(
        ({ name }) => name,
      );
    expect(factors('src/parser.ts')).toEqual([]);
    expect(factors('src/lexer.ts')).toEqual(['out_of_scope']);
    expect(factors('test/lexer.test.ts')).toEqual([]);
    expect(factors('package-lock.json')).toEqual([]);
    expect(factors('dist/lexer.js')).toEqual([]);
  });

  it.each([
    [0, 0.7],
    [1, 0.79],
    [3, 0.79],
  ])('%i failures of the same action: %f, as they make nothing high', (times, score) => {
    expect(afterFailures(bash('npm test'), times).risk.score).toBe(score);
  });

  it.each([
    [0, 0.1],
    [1, 0.2],
    [2, 0.3],
    [3, 0.5],
    [9, 0.5],
  ])('%i failures of a look: %f', (times, score) => {
    expect(afterFailures(action('Read', { file_path: 'a.ts' }), times).risk.score).toBe(score);
  });
});

/** Returns the risk of an action that failed so often in a row. */
function afterFailures(one: Action, times: number) {
  let history = NO_HISTORY;
  const key = actionKey(one);
  for (let time = 0; time < times; time += 1) {
    history = withAction(history, { action: one, key, signature: 's', blocked: false, gates: [] });
    history = withResult(history, key, false);
  }
  return assess(one, PLACE, { ...CONTEXT, history });
}

describe('the words of a decision', () => {
  it('begin as the document has them', () => {
    const high = assess(bash('rm /srv/x'), PLACE, CONTEXT);
    expect(high.ruling).toMatchObject({ decision: 'deny', rule: 'judgement' });
    expect(high.reasons[0]).toMatch(/^Critical side effects detected: file deletion \(\/srv\/x\)/);
    expect(high.reasons[1]).toMatch(/^Critical risk action: /);
    expect(assess(bash('if ('), PLACE, CONTEXT).reasons[0]).toMatch(
      /^High risk action: unknown effects \(risk 0\.80\)/,
    );
  });

  it('are empty where nothing speaks against it', () => {
    expect(assess(bash('npm test'), PLACE, CONTEXT)).toMatchObject({
      ruling: { decision: 'allow' },
      reasons: [],
    });
  });
});
