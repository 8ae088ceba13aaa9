import { type Terminal, table } from '../../io/ui/index.ts';
import { stripControl } from '../../lib/text.ts';

type Row = Record<string, unknown>;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const said = (value: unknown): string => stripControl(String(value ?? ''));
const time = (value: unknown): string =>
  said(value)
    .replace('T', ' ')
    .replace(/(\.\d+)?Z$/, '');

/** `ralph checkpoints` for people. */
export function checkpointsText(data: Row, terminal: Terminal): string {
  if (data.dropped !== undefined) return `The checkpoint ${said(data.dropped)} is forgotten.`;
  if (data.checkpoint !== undefined) return oneText(data, terminal);
  if (data.patch !== undefined) return patchText(data, terminal);
  return listText(data, terminal);
}

function listText(data: Row, { style, width }: Terminal): string {
  const list = rows(data.checkpoints);
  if (list.length === 0) return 'There are no checkpoints yet: each iteration of a run begins with one.';
  const lines = table(
    [
      ['id', 'when (UTC)', 'kept until', 'what it holds'],
      ...list.map(({ id, at, kept, note }) => [
        said(id),
        time(at),
        kept === true ? 'you drop it' : 'pruned by age',
        said(note),
      ]),
    ],
    width,
  ).split('\n');
  return [style.dim(lines[0] ?? ''), ...lines.slice(1)].join('\n');
}

function oneText({ checkpoint, paths }: Row, { style }: Terminal): string {
  const { id, at, tree, head, kept, note } = checkpoint as Row;
  const changed = Array.isArray(paths) ? paths.map(said) : [];
  return [
    `${style.bold(said(id))}  ${said(note)}`,
    `  when (UTC)  ${time(at)}`,
    `  kept until  ${kept === true ? `you drop it (ralph checkpoints drop ${said(id)})` : 'it is pruned by age'}`,
    `  HEAD        ${head === null ? 'none yet' : said(head)}`,
    `  tree        ${said(tree)}`,
    changed.length === 0 ? 'Nothing in it differs from that HEAD.' : 'Differs from that HEAD:',
    ...changed.map((path) => `  ${path}`),
  ].join('\n');
}

function patchText({ from, to, patch, cut }: Row, { style }: Terminal): string {
  const other = to === null ? 'the work tree now' : said(to);
  if (patch === '' && cut !== true) return `There is no difference between ${said(from)} and ${other}.`;
  const lines = said(patch).replace(/\n$/, '').split('\n');
  const shown = lines.map((line) =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line,
  );
  return [...shown, ...(cut === true ? [style.dim('The rest is cut.')] : [])].join('\n');
}
