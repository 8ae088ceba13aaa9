import { Argument, type Command } from 'commander';
import type { CheckpointsInput, CheckpointsResult } from '../../app/commands/checkpoints.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { clockTime, dateTime } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { patchLines } from '../render/patch.ts';

export const examples: Examples = {
  checkpoints: ['checkpoints', 'checkpoints diff r-20260120-220000-ab12/7'],
};

export function define(program: Command): void {
  program
    .command('checkpoints')
    .addArgument(
      new Argument('[action]', 'list them, show one, compare one, or drop one')
        .choices(['list', 'show', 'diff', 'drop'])
        .default('list'),
    )
    .argument('[id]', 'to show, diff and drop: RUN/N, or a task for its kept work')
    .argument('[other]', 'for diff: the checkpoint to compare with; by default the work tree')
    .action(actionOf(run, (action) => action === 'drop'));
}

export async function run(
  call: Call,
  action: CheckpointsInput['action'],
  id: string | null = null,
  other: string | null = null,
) {
  const { checkpoints } = await import('../../app/commands/checkpoints.ts');
  await call.print(await checkpoints({ ...call, action, id, other }), checkpointsText, action === 'diff');
}

export function checkpointsText(data: CheckpointsResult, terminal: Terminal): string {
  if ('dropped' in data) return `Checkpoint ${data.dropped} is dropped.`;
  if ('checkpoint' in data) return oneText(data, terminal);
  if ('patch' in data) return patchText(data, terminal);
  return listText(data, terminal);
}

type Of<K extends string> = Extract<CheckpointsResult, Record<K, unknown>>;

function listText({ checkpoints }: Of<'checkpoints'>, { table }: Terminal): string {
  if (checkpoints.length === 0)
    return 'There are no checkpoints yet: each iteration of a run begins with one.';
  const now = new Date();
  const rows = checkpoints.map(({ id, at, kept, note }) => {
    // The id of a checkpoint already names the run.
    const what = note.replace(` of run ${id.slice(0, id.lastIndexOf('/'))}`, '');
    return [id, clockTime(at, now), kept ? `${what} (until you drop it)` : what];
  });
  return table(rows);
}

function oneText({ checkpoint, paths }: Of<'checkpoint'>, { style }: Terminal): string {
  const { id, at, tree, head, kept, note } = checkpoint;
  return [
    `${style.bold(id)}  ${note}`,
    `  when        ${dateTime(at)}`,
    `  kept until  ${kept ? `you drop it (ralph checkpoints drop ${id})` : 'it is pruned by age'}`,
    `  HEAD        ${head ?? 'none yet'}`,
    `  tree        ${tree}`,
    paths.length === 0 ? 'Nothing in it differs from that HEAD.' : 'Differs from that HEAD:',
    ...paths.map((path) => `  ${path}`),
  ].join('\n');
}

function patchText({ from, to, patch, cut }: Of<'patch'>, terminal: Terminal): string {
  if (patch === '' && !cut) return `There is no difference between ${from} and ${to ?? 'the work tree now'}.`;
  const lines = patchLines(patch, terminal);
  return [...lines, ...(cut ? [terminal.style.dim('The rest is cut.')] : [])].join('\n');
}
