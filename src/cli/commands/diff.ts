import type { Command } from 'commander';
import type { DiffResult } from '../../app/commands/diff.ts';
import { printable, showInPager, type Terminal, terminalOf } from '../../io/ui/index.ts';
import { changedText } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { patchLines } from '../render/patch.ts';

export const examples: Examples = {
  diff: ['diff', 'diff T-3', 'diff 4 --stat'],
};

export function define(program: Command): void {
  program
    .command('diff')
    .argument('[what]', 'number of an iteration, or a task; the newest attempt by default')
    .option('--task <id>', 'all attempts at this task')
    .option('--stat', 'how many lines of which files')
    .option('--name-only', 'the names of the files alone')
    .action(actionOf(run, false));
}

type DiffOptions = { readonly task?: string; readonly stat?: boolean; readonly nameOnly?: boolean };

export async function run(call: Call, which: string | null = null, options: DiffOptions = {}) {
  const { diff } = await import('../../app/commands/diff.ts');
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
  // Piped output must contain only the difference.
  if (result.ok) for (const note of result.data.notes) call.onNotice(note);
  await call.print(result, diffText, true);
}

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
  return `${table(rows)}\n${changedText(files.length, sum('lines_added'), sum('lines_removed'))}`;
}
