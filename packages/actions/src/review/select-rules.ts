import type { RuleFacts } from './rule.ts';

export type RuleChoice = {
  readonly builtin: 'all' | 'essential' | 'none';
  readonly disabled: readonly string[];
};

export type SelectedRules<R> = {
  readonly rules: readonly R[];
  /** Names in `disabled` that no rule has. */
  readonly unknown: readonly string[];
  /** Names in `disabled` of rules that can't be disabled. */
  readonly fixed: readonly string[];
};

export function selectRules<R extends RuleFacts>(
  builtIn: readonly R[],
  own: readonly R[],
  { builtin, disabled }: RuleChoice,
): SelectedRules<R> {
  const chosen = builtIn.filter(
    ({ fixed, essential }) => fixed || builtin === 'all' || (builtin === 'essential' && essential),
  );
  const known = new Map([...builtIn, ...own].map((rule) => [rule.name, rule]));
  return {
    rules: [...chosen, ...own].filter(({ name, fixed }) => fixed || !disabled.includes(name)),
    unknown: disabled.filter((name) => !known.has(name)),
    fixed: disabled.filter((name) => known.get(name)?.fixed),
  };
}
