import { Argument, type Command } from 'commander';
import type { WorkInput, WorkResult } from '../../app/commands/work.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  work: ['work path', 'work clean'],
};

export function define(program: Command): void {
  program
    .command('work')
    .addArgument(
      new Argument('[action]', 'print where it lies, or remove it')
        .choices(['path', 'clean'])
        .default('path'),
    )
    .argument('[task]', 'whose work it has to hold')
    .description('the copy of your work tree in which tasks are worked at')
    .action(actionOf(run, (action) => action === 'clean'));
}

export async function run(call: Call, action: WorkInput['action'], task: string | null = null) {
  const { work } = await import('../../app/commands/work.ts');
  const result = await work({ ...call, action, task });
  await call.print(result, workText);
  // The warning is printed on standard error, because a program may read the path.
  if (result.ok && 'at_work' in result.data && result.data.at_work && call.format !== 'json')
    process.stderr.write('Read only while the attempt runs: what you write there may be lost.\n');
}

export function workText(data: WorkResult, { para }: Terminal): string {
  if ('cleaned' in data)
    return para(`The copies in ${data.cleaned} are removed. The next run makes new ones.`);
  return data.path;
}
