import type { Command } from 'commander';

import { type Call, calling } from '../../call.ts';

export function define(evaluation: Command): void {
  evaluation
    .command('run-unit', { hidden: true })
    .argument('<file>')
    .description('Make one run of an evaluation')
    .action(calling(run, false));
}

/** Makes one run of an evaluation, in a process of its own. */
export async function run(_call: Call, file: string) {
  const { runJob } = await import('../../../evaluate/evaluate.ts');
  await runJob(file);
}
