import { type ReviewRulesResult, reviewRules } from '../../../app/commands/review/rules.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import type { Call } from '../../call.ts';

/** `ralph review rules` */
export async function run(call: Call) {
  const result = await reviewRules(call);
  if (result.ok) for (const problem of result.data.problems) call.onNotice(problem);
  await call.print(result, reviewRulesText);
}

export function reviewRulesText({ rules, builtin }: ReviewRulesResult, { table, style }: Terminal): string {
  const rows = rules.map(({ name, ruling, essential, fixed, custom, enabled, finds }) => [
    enabled ? name : style.dim(name),
    ruling,
    custom ? 'your own' : fixed ? 'always' : essential ? 'essential' : '',
    enabled ? 'on' : style.yellow('off'),
    finds,
  ]);
  return `${table(rows, ['rule', 'ruling', 'kind', '', 'finds'])}\n\n[review.rules] builtin = "${builtin}"`;
}
