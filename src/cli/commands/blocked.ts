import type { Command } from 'commander';
import { folderOf, globals, wholeNumber } from '../globals.ts';
import { print } from '../print.ts';
import { loopInput } from './run.ts';

/** `blocked`, `unblock`, `retry-blocked`: tasks that failed too often, and what to do about them. */
export function blockedCommands(program: Command): void {
  program
    .command('blocked')
    .description('blocked tasks with their reasons')
    .option('--suggest', 'what to do about each, with the command for it')
    .option('--json', 'the same as --format json')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const { blockedText } = await import('../render/blocked.ts');
      const input = { cwd: folderOf(global) };
      const result =
        options.suggest === true
          ? await (await import('../../app/commands/blocked-tasks.ts')).blockedWithSuggestions(input)
          : await (await import('../../app/commands/queries.ts')).blocked(input);
      await print('blocked', global, result, blockedText);
    });
  program
    .command('unblock')
    .argument('[tasks...]', 'ids of blocked tasks')
    .description('give blocked tasks a fresh series of attempts')
    .option('--timeout <duration>', 'time limit until the task is done: 600, 0.5, 90s, 30m, 2h')
    .option('--timeout-multiplier <factor>', 'that many times the longest timeout so far, for example 3.0')
    .option('--filter <what>', 'all blocked tasks of this level or reason, or whose id fits this glob')
    .option('--reason <text>', 'what the history of the task says of it')
    .option('--json', 'the same as --format json')
    .action(async (tasks: string[], options, command: Command) => {
      const global = globals(command);
      const { unblock } = await import('../../app/commands/unblock.ts');
      const { unblockText } = await import('../render/blocked.ts');
      const result = await unblock({
        cwd: folderOf(global),
        tasks,
        filter: options.filter ?? null,
        timeout: options.timeout ?? null,
        timeoutMultiplier: options.timeoutMultiplier ?? null,
        reason: options.reason ?? null,
      });
      await print('unblock', global, result, unblockText);
    });
  program
    .command('retry-blocked')
    .description('unblock by the suggested strategy, and run just those tasks')
    .option('--max-attempts <n>', 'attempts of each task (1)', wholeNumber, 1)
    .option('--filter <what>', 'only those of this level or reason, or whose id fits this glob')
    .option('--agent <name>', 'the agent of this run')
    .option('--mode <name>', 'speed, quality, exploration, or one of [modes]')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .option('--no-commit', 'never commit in this run')
    .option('--no-wait', 'end with exit 9 instead of waiting for a usage limit or an outage to pass')
    .option('--stream', 'print what the agent says as it says it')
    .option('--json', 'the same as --format json')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const { retryBlocked } = await import('../../app/commands/retry-blocked.ts');
      const { livePrinter } = await import('../live.ts');
      const { retryText } = await import('../render/blocked.ts');
      const printer = livePrinter(global, options.stream === true);
      const result = await retryBlocked({
        ...(await loopInput(global, options, printer)),
        filter: options.filter ?? null,
        maxAttempts: options.maxAttempts,
      });
      printer.dispose();
      await print('retry-blocked', global, result, retryText);
    });
}
