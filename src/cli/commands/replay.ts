import type { Command } from 'commander';
import { folderOf, globals } from '../globals.ts';
import { print } from '../print.ts';

/** `replay`: the decisions of a run once more. */
export function replayCommand(program: Command): void {
  program
    .command('replay')
    .argument('[run]', 'the run, or the beginning of its name; the newest by default')
    .description('recompute every decision of a run from the facts on record')
    .action(async (run: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const { replay } = await import('../../app/commands/replay.ts');
      const { replayText } = await import('../render/replay.ts');
      await print(
        'replay',
        global,
        await replay({ cwd: folderOf(global), run: run ?? null }),
        (data, terminal) => replayText(data, terminal, global.verbose === true),
      );
    });
}
