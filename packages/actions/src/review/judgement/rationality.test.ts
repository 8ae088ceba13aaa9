import { ReviewSettings } from 'ralph-actions/forms/settings';
import { actionKey, assess, goalOf, NO_HISTORY, withAction, withResult } from 'ralph-actions/review';
import type { Action } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { action, PLACE } from '../../../../../test/helpers/review-place.ts';

const settings = ReviewSettings.parse({});
const GATES = ['npm test'];
const TASK = {
  title: 'Add a discount to the cart',
  description: '',
  acceptance: [],
  expectedPaths: ['src/cart.ts'],
};
const goal = goalOf(TASK, GATES);
const bash = (command: string) => action('Bash', { command });
const read = (path: string) => action('Read', { file_path: path });
const write = (path: string) => action('Write', { file_path: path, content: 'x' });
const failed = (one: Action) => ({ one, failed: true });
const blocked = (one: Action) => ({ one, blocked: true });
type Step = Action | { readonly one: Action; readonly failed?: boolean; readonly blocked?: boolean };

/** Returns the rationality of the last of several actions. */
function judged(...steps: readonly Step[]) {
  let history = NO_HISTORY;
  const all = steps.map((step) => ('one' in step ? step : { one: step }));
  for (const { one, failed: isFailed = false, blocked: isBlocked = false } of all.slice(0, -1)) {
    const key = actionKey(one);
    history = withAction(history, {
      action: one,
      key,
      signature: one.tool,
      blocked: isBlocked,
      gates: GATES,
    });
    history = withResult(history, key, !isFailed);
  }
  const last = all.at(-1)?.one ?? bash('true');
  return assess(last, PLACE, { settings, rules: [], goal, history }).rationality;
}

describe('components', () => {
  it.each<[string, Step[], Partial<Record<string, number>>]>([
    [
      'the first of all',
      [bash('npm test')],
      { goal_alignment: 1, progression: 1, efficiency: 1, completeness: 1 },
    ],
    ['what the task names', [write('src/cart.ts')], { goal_alignment: 1 }],
    ['what shares a word with it', [write('lib/discounts/rate.ts')], { goal_alignment: 1 }],
    ['what it does not speak of', [write('src/login.ts')], { goal_alignment: 0 }],
    ['what a command writes', [bash('git diff > login.patch')], { goal_alignment: 1 }],
    ['reading anything', [read('src/login.ts')], { goal_alignment: 1 }],
    ['a file beside one that was written', [write('src/cart.ts'), write('src/cart.css')], { progression: 1 }],
    ['a file elsewhere', [write('src/cart.ts'), write('lib/cart.ts')], { progression: 0.7 }],
    ['a look again', [bash('git status'), bash('git status')], { progression: 0.3 }],
    [
      'a look after an edit',
      [bash('git status'), write('src/cart.ts'), bash('git status')],
      { progression: 1 },
    ],
    ['a command again', [bash('npm run build'), bash('npm run build')], { progression: 1 }],
    [
      'one that failed, and nothing has changed',
      [failed(bash('npm run build')), bash('npm run build')],
      { progression: 0.3 },
    ],
    [
      'one that failed, after an edit',
      [failed(bash('npm test')), write('src/cart.ts'), bash('npm test')],
      { progression: 1 },
    ],
    ['one that was blocked', [blocked(bash('rm /srv/x')), bash('rm /srv/x')], { progression: 0 }],
    ['a file that is read again', [read('a.ts'), read('a.ts')], { efficiency: 0.5 }],
    [
      'the suite after one edit',
      [bash('npm test'), write('src/cart.ts'), bash('npm test')],
      { efficiency: 0.5 },
    ],
    [
      'the suite after two',
      [bash('npm test'), write('src/cart.ts'), write('src/cart.css'), bash('npm test')],
      { efficiency: 1 },
    ],
    ['a write without a path', [action('Write', { content: 'x' })], { completeness: 0.5 }],
    ['what cannot be parsed', [bash('if (')], { completeness: 0.5 }],
  ])('%s', (_, steps, components) => {
    expect(judged(...steps).components).toMatchObject(components);
  });
});

describe('the score', () => {
  it('is the weighted mean', () => {
    // Off the goal and the rest as it should be: 0.3 + 0.2 + 0.1.
    expect(judged(write('src/login.ts'))).toMatchObject({ score: 0.6, level: 'medium' });
    // A repetition of a blocked action scores 0.4 + 0.2 + 0.1.
    expect(judged(blocked(bash('rm /srv/x')), bash('rm /srv/x'))).toMatchObject({
      score: 0.7,
      level: 'medium',
    });
    expect(judged(bash('npm test'))).toMatchObject({ score: 1, level: 'high', issues: [] });
  });

  it('goes by the thresholds of the configuration', () => {
    const own = ReviewSettings.parse({
      rationality: { high_threshold: 0.9, medium_threshold: 0.8, low_threshold: 0.7 },
    });
    const found = assess(write('src/login.ts'), PLACE, {
      settings: own,
      rules: [],
      goal,
      history: NO_HISTORY,
    });
    expect(found.rationality).toMatchObject({ score: 0.6, level: 'low' });
    expect(found.rationality.issues.at(-1)).toContain('rationality 0.60');
  });

  it('is high where nothing is known', () => {
    const neutral = { settings, rules: [], goal: null, history: NO_HISTORY };
    expect(assess(write('src/login.ts'), PLACE, neutral).rationality).toMatchObject({ level: 'high' });
  });
});

describe('what follows', () => {
  it('an edit off the goal is warned about from the second time on, and never stopped', () => {
    const first = assess(write('src/login.ts'), PLACE, { settings, rules: [], goal, history: NO_HISTORY });
    expect(first).toMatchObject({ ruling: { decision: 'allow' }, adjustments: ['first_time'] });
    const history = withAction(NO_HISTORY, {
      ...{ action: write('src/login.ts'), key: 'k', signature: first.signature, blocked: false, gates: [] },
    });
    const second = assess(write('src/menu.ts'), PLACE, { settings, rules: [], goal, history });
    expect(second.ruling).toMatchObject({ decision: 'warn', rule: 'judgement' });
    expect(second.reasons.join(' ')).toContain("Low rationality: The task doesn't speak of src/menu.ts.");
    expect(second.alternatives).toContain('Stay with what the task names: src/cart.ts.');
  });
});
