import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .argument('[run]', 'the run, or the beginning of its name; the newest by default')
    .description('recompute every decision of a run from the facts on record')
    .action(async (run: string | undefined, _options, command: Command) => {
      const call = callOf(command);
      const { replay } = await import('../../app/commands/replay.ts');
      const { replayText } = await import('../render/replay.ts');
      const result = await replay({ ...call, run: run ?? null });
      await call.print(result, (data, terminal) => replayText(data, terminal, call.verbose));
    });
}
