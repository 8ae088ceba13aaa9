import { type RollbackResult, rollback } from '../../app/commands/rollback.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';

export async function run(call: Call, id: string | null = null) {
  await call.print(await rollback({ ...call, id }), rollbackText);
}

/** Paths that are named; all are in the JSON. */
const PATHS_SHOWN = 20;

/** `ralph rollback` */
export function rollbackText(data: RollbackResult, { style, para }: Terminal): string {
  const { checkpoint, paths, reopened, warnings = [] } = data;
  const [kept, ...others] = data.kept;
  if (kept === undefined)
    return `The work tree already matches checkpoint ${checkpoint}. Nothing was changed.`;
  const more = paths.length - PATHS_SHOWN;
  return [
    `The work tree is back at checkpoint ${checkpoint}: ${counted(paths.length, 'file')} changed.`,
    ...paths.slice(0, PATHS_SHOWN).map((path) => `  ${path}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `What it held before is kept. ${style.bold(`ralph rollback ${kept}`)} brings it back.`,
    ...others.map((id) => `Something else changed meanwhile; it is kept as ${id}.`),
    ...(reopened.length === 0
      ? []
      : [para(`Open again, as they were done after that checkpoint: ${reopened.join(', ')}.`)]),
    ...warnings.map((warning) => style.yellow(para(warning, '', '  '))),
    style.dim('HEAD, branches, your index and your stash are unchanged.'),
  ].join('\n');
}
