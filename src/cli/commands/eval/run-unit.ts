import type { Command } from 'commander';

import { actionOf, type Call } from '../../call.ts';

export function define(evaluation: Command): void {
  evaluation
    .command('run-unit', { hidden: true })
    .argument('<file>')
    .description('Make one run of an evaluation')
    .action(actionOf(run, false));
}

/** Makes one run of an evaluation, in a process of its own. */
export async function run(_call: Call, file: string) {
  const { runJob } = await import('../../../app/eval/evaluate.ts');
  await runJob(file);
}
