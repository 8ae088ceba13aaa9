import { type RollbackResult, rollback } from '../../app/commands/rollback.ts';
import { keptText, takeCommand } from '../../domain/work-place.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';

export async function run(call: Call, id: string | null = null) {
  await call.print(await rollback({ ...call, id }), rollbackText);
}

/** Paths that are named; all are in the JSON. */
const PATHS_SHOWN = 20;
/** Digits of a commit that are shown. */
const DIGITS = 10;

/** `ralph rollback` */
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
