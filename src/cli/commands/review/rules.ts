import type { Command } from 'commander';
import type { ReviewRulesResult } from '../../../app/commands/review/rules.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../../call.ts';

export const examples: Examples = {
  'review rules': ['review rules'],
};

export function define(review: Command): void {
  review
    .command('rules')
    .summary('List the rules')
    .description('the rules: which are essential, switched off, your own')
    .action(actionOf(run, false));
}

export async function run(call: Call) {
  const { reviewRules } = await import('../../../app/commands/review/rules.ts');
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
