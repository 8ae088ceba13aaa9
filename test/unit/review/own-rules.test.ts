import { explain, moduleRules, RULES, selectRules, tomlRules } from 'ralph-actions/review';
import { newBudget } from 'ralph-actions/shell';
import { describe, expect, it } from 'vitest';
import { action, PLACE, ROOT } from './place.ts';

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
  it('get plain data, and give a remark', () => {
    const seen: unknown[] = [];
    const { rules, problems } = moduleRules([{ name: 'no_migrations', judge: true }], (index, given) => {
      const subject = JSON.parse(JSON.stringify(given)) as { effects: { kind: string; paths?: string[] }[] };
      seen.push(subject);
      const drops = subject.effects.some(
        ({ kind, paths }) => kind === 'deletes' && paths?.[0]?.includes('/migrations/'),
      );
      return drops && index === 0 ? { decision: 'deny', reason: 'Never.' } : null;
    });
    expect(problems).toEqual([]);
    const { ruling } = explain(action('Bash', { command: 'rm migrations/1.sql' }), PLACE, rules);
    expect(ruling).toEqual({ decision: 'deny', rule: 'no_migrations', reason: 'Never.' });
    expect(explain(action('Bash', { command: 'rm a.sql' }), PLACE, rules).ruling.decision).toBe('allow');
    expect(seen[0]).toMatchObject({
      action: { kind: 'system_command', tool: 'Bash', command: 'rm migrations/1.sql' },
      effects: [{ kind: 'deletes', by: 'rm', paths: [`${ROOT}/migrations/1.sql`] }, { kind: 'executes' }],
      root: ROOT,
    });
  });

  it('that say something else fail', () => {
    const { rules } = moduleRules([{ name: 'broken', judge: true }], () => 'deny');
    const [rule] = rules;
    expect(() =>
      rule?.judge({
        action: action('Bash', { command: 'ls' }),
        effects: [],
        place: PLACE,
        goal: null,
        budget: newBudget(),
        placeAt: () => PLACE,
      }),
    ).toThrow(TypeError);
  });

  it.each([[null], [{}], [[{ name: 'x_y', judge: false }]], [[{ judge: true }]], [[1]]])(
    '%j are none',
    (exported) => {
      const { rules, problems } = moduleRules(exported, () => null);
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
