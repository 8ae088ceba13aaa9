import type { Command } from 'commander';

import { actionOf, type Call, type Examples } from '../../call.ts';
import { comparisonText } from '../../render/evaluation.ts';

export const examples: Examples = {
  'eval compare': ['eval compare before/results.json after/results.json'],
};

export function define(evaluation: Command): void {
  evaluation
    .command('compare')
    .argument('<a>', 'a results.json or its folder')
    .argument('<b>', 'another one')
    .description('Compare two results')
    .action(actionOf(run, false));
}

export async function run(call: Call, a: string, b: string) {
  const { compare } = await import('../../../app/eval/evaluate.ts');
  await call.print(await compare({ cwd: call.cwd, a, b }), comparisonText);
}
