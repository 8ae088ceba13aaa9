import { type DiffResult, diff } from '../../app/commands/diff.ts';
import { printable, showInPager, type Terminal, terminalOf } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';
import { patchLines } from '../render/patch.ts';

type DiffOptions = { readonly task?: string; readonly stat?: boolean; readonly nameOnly?: boolean };

/** `ralph diff` */
export async function run(call: Call, which: string | null = null, options: DiffOptions = {}) {
  const { task = null, stat = false, nameOnly = false } = options;
  const show = nameOnly ? 'names' : stat ? 'stat' : 'patch';
  const result = await diff({ ...call, which, task, show });
  if (result.ok && call.format === 'text' && process.stdout.isTTY === true) {
    const terminal = terminalOf(process.stdout, !call.color);
    const data = printable(result.data);
    const notes = data.notes.map((note) => terminal.style.yellow(terminal.para(note, '! ')));
    await showInPager(`${[...notes, diffText(data, terminal)].join('\n')}\n`);
    return;
  }
  // What is piped is the difference alone.
  if (result.ok) for (const note of result.data.notes) call.onNotice(note);
  await call.print(result, diffText, true);
}

/** The difference in the form that was asked for. */
export function diffText(data: DiffResult, terminal: Terminal): string {
  const { files, patch, show, iterations } = data;
  if (files.length === 0 && patch === '') {
    const what = iterations.length === 0 ? 'It' : iterations.map((one) => `#${one}`).join(', ');
    return show === 'names' ? '' : `${what} changed no file.`;
  }
  if (show === 'names') return files.map(({ path }) => path).join('\n');
  return show === 'stat' ? statText(files, terminal) : patchLines(patch, terminal).join('\n');
}

function statText(files: DiffResult['files'], { style, table }: Terminal): string {
  const rows = files.map(({ path, old_path: old, binary, lines_added: added, lines_removed: removed }) => [
    ...(binary || added === null || removed === null
      ? [binary ? 'binary' : '', '']
      : [style.green(`+${added}`), style.red(`-${removed}`)]),
    old === null ? path : `${old} → ${path}`,
  ]);
  const sum = (of: 'lines_added' | 'lines_removed') => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return `${table(rows)}\n${counted(files.length, 'file')} changed, +${sum('lines_added')} -${sum('lines_removed')}`;
}
