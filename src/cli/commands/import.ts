import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { ImportResult } from '../../app/commands/import.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  import: ['import'],
};

export function define(program: Command): void {
  program
    .command('import')
    .description(
      "import ralph-gold's attempts, blocked tasks and events, as the first command in its folder does; its files are kept",
    )
    .action(actionOf(run, true));
}

export async function run(call: Call) {
  const { importRecords } = await import('../../app/commands/import.ts');
  await call.print(await importRecords(call), importText);
}

function importText({ attempts, blocked }: ImportResult): string {
  if (attempts + blocked === 0) return 'No attempts and no blocked tasks of ralph-gold are here.';
  return `${counted(attempts, 'attempt')} and ${counted(blocked, 'blocked task')} of ralph-gold are here: ralph tasks`;
}
