import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { RollbackResult } from '../../app/commands/rollback.ts';
import { keptText, takeCommand } from '../../domain/work-place.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { type Call, calling, type Examples } from '../call.ts';

export const examples: Examples = {
  rollback: ['rollback', 'rollback r-20260120-203500-abcd/3'],
};

export function define(program: Command): void {
  program
    .command('rollback')
    .argument('[id]', 'checkpoint to go back to; by default that before the newest iteration')
    .description('take back what was done since a checkpoint: in the copy, and by a revert what landed')
    .action(calling(run, true));
}

export async function run(call: Call, id: string | null = null) {
  const { rollback } = await import('../../app/commands/rollback.ts');
  await call.print(await rollback({ ...call, id }), rollbackText);
}

/** Limit of paths shown; the JSON has all. */
const PATHS_SHOWN = 20;
const DIGITS = 10;

export function rollbackText(data: RollbackResult, { style, para }: Terminal): string {
  const { checkpoint, changed, paths, task, reopened, reverted, warnings = [] } = data;
  if (changed === 0 && reopened.length === 0)
    return `Nothing was done since checkpoint ${checkpoint}. Nothing was changed.`;
  const landed = reverted.flatMap(({ task, commit }) =>
    commit === null ? [] : [`  reverted ${task}: ${commit.slice(0, DIGITS)}`],
  );
  const more = paths.length - PATHS_SHOWN;
  return [
    `Back at checkpoint ${checkpoint}.`,
    ...landed,
    ...(changed === 0
      ? []
      : [
          `${counted(changed, 'file')} of the copy changed.${task === null ? '' : ` ${keptText(takeCommand(task))}`}`,
          ...paths.slice(0, PATHS_SHOWN).map((path) => `  ${path}`),
          ...(more > 0 ? [`  and ${more} more`] : []),
        ]),
    ...(reopened.length === 0
      ? []
      : [para(`Open again, as they were done after that checkpoint: ${reopened.join(', ')}.`)]),
    ...warnings.map((warning) => style.yellow(para(warning, '', '  '))),
  ].join('\n');
}
