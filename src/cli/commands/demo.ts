import type { Command } from 'commander';
import { callOf } from '../call.ts';

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('see a lie caught: the loop on a scratch repository with the scripted agent')
    .option('--keep', 'keep the scratch repository')
    .action(async (options, command: Command) => {
      const call = callOf(command);
      const keep = options.keep === true;
      const { demo } = await import('../../app/commands/demo.ts');
      const { livePrinter } = await import('../live.ts');
      const { emit, onStop, note, dispose } = livePrinter(call, false);
      const onFolder = (folder: string) => {
        if (keep) note(`Scratch repository: ${folder}`);
      };
      const result = await demo({ keep, emit, onStop, onFolder });
      dispose();
      await call.print(result, () => '');
    });
}
