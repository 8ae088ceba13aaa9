import {
  explain,
  moduleRules,
  opinionsIn,
  plainSubject,
  RULES,
  selectRules,
  tomlRules,
} from 'ralph-actions/review';
import { describe, expect, it } from 'vitest';
import { action, PLACE, ROOT } from '../../../../test/helpers/review-place.ts';

const RULE = { name: 'prod_settings', ruling: 'deny', reason: 'By hand.' };

function opinionOf(rule: Record<string, unknown>, command: string): string {
  const { rules, problems } = tomlRules({ rule: [{ ...RULE, ...rule }] });
  expect(problems).toEqual([]);
  return explain(action('Bash', { command }), PLACE, rules).ruling.decision;
}

describe('rules in TOML', () => {
  it.each([
    [{ effect: 'writes', path: 'config/prod/*' }, 'echo a > config/prod/a.yml', 'deny'],
    [{ effect: 'writes', path: 'config/prod/*' }, 'cd config && tee prod/a.yml < x', 'deny'],
    [{ effect: 'writes', path: 'config/prod/*' }, 'cat config/prod/a.yml', 'allow'],
    [{ effect: 'writes', path: 'config/prod/*' }, 'echo config/prod/a.yml > x', 'allow'],
    [{ effect: ['deletes', 'writes'], path: ['/etc/*', 'a'] }, "bash -c 'rm a'", 'deny'],
    [{ program: 'ssh|scp' }, 'scp a host:b', 'deny'],
    [{ effect: 'network', program: 'curl' }, 'wget localhost', 'allow'],
    [{ words: '*--context prod*', ruling: 'warn' }, 'kubectl --context prod get pods', 'warn'],
    [{ words: '*--context prod*' }, 'kubectl get pods', 'allow'],
    [{ action: 'system_command', tool: 'Bash' }, 'ls', 'deny'],
    [{ action: ['patch', 'file_write'] }, 'ls', 'allow'],
  ] as const)('%j on %s: %s', (rule, command, expected) => expect(opinionOf(rule, command)).toBe(expected));

  it('says what to do instead', () => {
    const { rules } = tomlRules({ rule: [{ ...RULE, words: 'ls', instead: 'Use rg.' }] });
    const { ruling } = explain(action('Bash', { command: 'ls' }), PLACE, rules);
    expect(ruling).toEqual({ decision: 'deny', rule: 'prod_settings', reason: 'By hand. Instead: Use rg.' });
  });

  it.each([
    [{}, 'There are no [[rule]] tables'],
    [{ rule: [], rules: 1 }, 'There is no key rules'],
    [{ rule: [RULE] }, 'it matches everything'],
    [{ rule: [{ ...RULE, words: 'x'.repeat(201) }] }, 'rule 1: words'],
    [{ rule: [{ ...RULE, effect: 'explodes' }] }, 'rule 1: effect'],
    [{ rule: [{ ...RULE, name: 'Prod', words: 'a' }] }, 'rule 1: name'],
    [{ rule: [{ ...RULE, name: 'unparsed', words: 'a' }] }, 'there is a rule unparsed already'],
    [{ rule: [{ ...RULE, patern: 'a' }] }, 'rule 1'],
  ])('%j: %s', (file, problem) => {
    const { rules, problems } = tomlRules(file);
    expect(rules).toEqual([]);
    expect(problems.join('\n')).toContain(problem);
  });
});

describe('rules of a module', () => {
  it('are named by their place in its list', () => {
    const listed = [
      { name: 'no_migrations', judge: true },
      { name: 'no_push', judge: true, essential: true },
    ];
    expect(moduleRules(listed)).toMatchObject({
      rules: [
        { name: 'no_migrations', index: 0 },
        { name: 'no_push', index: 1, essential: true },
      ],
      problems: [],
    });
  });

  it('get plain data', () => {
    const one = action('Bash', { command: 'rm migrations/1.sql' });
    const subject = plainSubject(one, explain(one, PLACE).effects, ROOT);
    expect(JSON.parse(JSON.stringify(subject))).toMatchObject({
      action: { kind: 'system_command', tool: 'Bash', command: 'rm migrations/1.sql' },
      effects: [{ kind: 'deletes', by: 'rm', paths: [`${ROOT}/migrations/1.sql`] }, { kind: 'executes' }],
      root: ROOT,
    });
  });

  const opinion = (value: unknown, command = 'ls') =>
    opinionsIn([{ rule: 'mine', value }], action('Bash', { command }));

  it.each([[null], [undefined]])('that say %j say nothing', (value) =>
    expect(opinion(value)).toEqual({ opinions: [], failed: [] }),
  );

  it.each([
    [
      { decision: 'deny', reason: 'Never.' },
      { decision: 'deny', rule: 'mine', reason: 'Never.' },
    ],
    [
      { decision: 'warn', reason: 'Mind.' },
      { decision: 'warn', rule: 'mine', reason: 'Mind.' },
    ],
    [
      { decision: 'modify', reason: 'No.', command: 'rg' },
      { decision: 'modify', alternative: 'rg' },
    ],
  ])('give a remark: %j', (value, ruling) =>
    expect(opinion(value)).toMatchObject({ opinions: [{ ruling, effect: null }], failed: [] }),
  );

  it.each([['deny'], [true], [{}], [{ decision: 'deny' }], [{ decision: 'modify', reason: 'No.' }], [[]]])(
    'that say %j failed',
    (value) =>
      expect(opinion(value)).toEqual({ opinions: [], failed: [{ rule: 'mine', error: expect.any(String) }] }),
  );

  it.each([[null], [{}], [[{ name: 'x_y', judge: false }]], [[{ judge: true }]], [[1]]])(
    "%j aren't rules",
    (exported) => {
      const { rules, problems } = moduleRules(exported);
      expect(rules).toEqual([]);
      expect(problems).toHaveLength(1);
    },
  );
});

describe('the choice among rules', () => {
  const own = tomlRules({ rule: [{ ...RULE, words: 'a' }] }).rules;
  const names = (builtin: 'all' | 'essential' | 'none', disabled: string[] = []) =>
    selectRules(RULES, own, { builtin, disabled }).rules.map(({ name }) => name);
  const fixed = RULES.filter((rule) => rule.fixed).map(({ name }) => name);

  it('takes all, the essential ones, or those that protect ralph alone', () => {
    expect(names('all')).toEqual([...RULES.map(({ name }) => name), 'prod_settings']);
    expect(names('essential')).toEqual([
      ...RULES.filter(({ essential }) => essential).map(({ name }) => name),
      'prod_settings',
    ]);
    expect(names('none')).toEqual([...fixed, 'prod_settings']);
    expect(names('essential')).not.toContain('warn_external_network');
  });

  it('leaves out what is disabled, but for what protects ralph', () => {
    const chosen = selectRules(RULES, own, {
      builtin: 'all',
      disabled: ['unparsed', 'prod_settings', 'protected_write', 'no_such_rule'],
    });
    const left = chosen.rules.map(({ name }) => name);
    expect(left).not.toContain('unparsed');
    expect(left).not.toContain('prod_settings');
    expect(left).toContain('protected_write');
    expect(chosen).toMatchObject({ unknown: ['no_such_rule'], fixed: ['protected_write'] });
  });
});
