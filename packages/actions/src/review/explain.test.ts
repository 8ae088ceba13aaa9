import { explain, type Rule } from 'ralph-actions/review';
import type { Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { action, PLACE } from '../../../../test/helpers/review-place.ts';

/** Returns a rule that says the same of every push. */
function onPush(name: string, ruling: Exclude<Ruling, { decision: 'allow' }>): Rule {
  return {
    ...{ name, essential: false, ruling: 'deny', finds: '', instead: '' },
    judge: ({ effects }) => {
      const effect = effects.find(({ kind }) => kind === 'history');
      return effect === undefined ? null : { ruling, effect };
    },
  };
}

const PUSH = action('Bash', { command: 'git push --force origin main' });
const warn = { decision: 'warn', rule: 'w', reason: 'mind it' } as const;
const modify = {
  ...({ decision: 'modify', rule: 'm', reason: 'not so' } as const),
  ...{ alternative: 'git push --force-with-lease', input: { command: 'git push --force-with-lease' } },
};
const deny = { decision: 'deny', rule: 'd', reason: 'no' } as const;
const other = { decision: 'deny', rule: 'other', reason: 'never' } as const;

describe('explain', () => {
  it.each([
    ['nothing is said', [], 'allow'],
    ['one warns', [warn], 'w'],
    ['one warns and one changes', [warn, modify], 'm'],
    ['one denies', [deny, modify, warn], 'd'],
    ['two deny: the first', [warn, other, deny], 'other'],
  ] as const)('where %s', (_, rulings, expected) => {
    const rules = rulings.map((ruling) => onPush(ruling.rule, ruling));
    const { ruling, opinions } = explain(PUSH, PLACE, rules);
    expect(ruling.decision === 'allow' ? 'allow' : ruling.rule).toBe(expected);
    expect(opinions.map((opinion) => opinion.ruling.rule)).toEqual(rulings.map(({ rule }) => rule));
  });

  it('names the earliest of what is denied', () => {
    const { ruling, opinions } = explain(action('Bash', { command: 'touch .ralph/x; rm -rf /etc/x' }), PLACE);
    expect(ruling).toMatchObject({ decision: 'deny', rule: 'protected_write' });
    const rules = opinions.map((opinion) => opinion.ruling.rule);
    expect(rules.slice(0, 2)).toEqual(['deletion_outside', 'protected_write']);
  });

  it.each([
    ['rm -r dist', ['deletes', 'executes']],
    ['mv a b', ['deletes', 'deletes', 'writes', 'writes', 'executes']],
    ['chmod +x run.sh', ['permissions', 'permissions', 'executes']],
    ['curl -o out https://example.org', ['writes', 'network', 'executes']],
    ['pkill node', ['processes', 'executes']],
    ['git reset --hard', ['history', 'executes']],
    ['python3', ['prompts', 'executes']],
    ['python3 -c \'import os; os.remove("a")\'', ['deletes', 'executes']],
    ["bash -c 'rm x'", ['deletes', 'executes']],
    ['if', ['unfollowed', 'executes']],
  ])('%s: %j', (command, kinds) => {
    expect(explain(action('Bash', { command }), PLACE).effects.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['Read', { file_path: 'a' }, ['reads']],
    ['Write', { file_path: 'a', content: 'x' }, ['writes']],
    ['apply_patch', { input: '*** Delete File: a\n*** Add File: b\n' }, ['deletes', 'writes']],
    ['WebFetch', { url: 'https://example.org' }, ['network']],
    ['mcp__fs__delete', { path: 'a' }, ['deletes']],
    ['TodoWrite', { todos: [] }, []],
  ])('%s %j: %j', (tool, input, kinds) => {
    expect(explain(action(tool, input), PLACE).effects.map(({ kind }) => kind)).toEqual(kinds);
  });
});
