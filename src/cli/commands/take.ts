import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { TakeInput, TakeResult } from '../../app/commands/take.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, collect, type Examples, wholeNumber } from '../call.ts';

export const examples: Examples = {
  take: ['take T-3', 'take T-3 --ignored data/seed.db'],
};

export function define(program: Command): void {
  program
    .command('take')
    .argument('<task>', 'the task')
    .option(
      '--attempt <n>',
      'the work as of this attempt, counted from 1 since the task was begun or unblocked',
      wholeNumber,
    )
    .option('--ignored <path>', 'a file that git ignores, from the copy; may be repeated', collect)
    .description('bring the work at a task that is not done to your checkout')
    .action(actionOf(run, true));
}

export async function run(
  call: Call,
  which: string,
  options: Partial<Pick<TakeInput, 'attempt' | 'ignored'>>,
) {
  const { take } = await import('../../app/commands/take.ts');
  const { attempt = null, ignored = [] } = options;
  await call.print(await take({ ...call, which, attempt, ignored }), takeText);
}

export function takeText({ taken, kept, paths, submodules, next }: TakeResult, { style }: Terminal): string {
  const [check = '', accept] = next;
  const then = [
    `Finish it, then check it: ${style.bold(check)}`,
    ...(accept === undefined ? [] : [`When it is done: ${style.bold(accept)}`]),
  ];
  if (kept === null)
    return [
      `${style.green('✔')} The work at ${taken} is in your checkout already. Nothing was changed.`,
      ...then,
    ].join('\n');
  return [
    `${style.green('✔')} The work at ${taken} is in your checkout, uncommitted (${counted(paths.length, 'file')}).`,
    ...paths.map((path) => `  ${path}`),
    ...submodules.flatMap(({ path, needs }) =>
      needs === null ? [] : [`The submodule ${path} stays as it is until you run: ${style.bold(needs)}`],
    ),
    `What your checkout held before is kept: ${style.bold(`ralph checkpoints diff ${kept}`)}`,
    ...then,
  ].join('\n');
}
