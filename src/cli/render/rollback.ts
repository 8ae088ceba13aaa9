import { type Terminal, wrap } from '../../io/ui/index.ts';
import { stripControl } from '../../lib/text.ts';

/** Paths that are named; all are in the JSON. */
const PATHS_SHOWN = 20;

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => stripControl(String(one))) : [];

/** `ralph rollback` for people. */
export function rollbackText(data: Record<string, unknown>, { style, width }: Terminal): string {
  const checkpoint = stripControl(String(data.checkpoint));
  const paths = list(data.paths);
  const kept = list(data.kept);
  if (kept.length === 0)
    return `The work tree is as checkpoint ${checkpoint} has it already. Nothing was changed.`;
  const more = paths.length - PATHS_SHOWN;
  const reopened = list(data.reopened);
  return [
    `The work tree is back at checkpoint ${checkpoint}: ${paths.length} ${paths.length === 1 ? 'file' : 'files'} changed.`,
    ...paths.slice(0, PATHS_SHOWN).map((path) => `  ${path}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `What it held before is kept. ${style.bold(`ralph rollback ${kept[0]}`)} brings it back.`,
    ...kept.slice(1).map((id) => `Something else came up meanwhile; it is kept as ${id}.`),
    ...(reopened.length === 0
      ? []
      : [wrap(`Open again, as they were done after that checkpoint: ${reopened.join(', ')}.`, width, '')]),
    ...list(data.warnings).map((warning) => style.yellow(wrap(warning, width, '  '))),
    style.dim('HEAD, branches, your index and your stash were left alone.'),
  ].join('\n');
}
