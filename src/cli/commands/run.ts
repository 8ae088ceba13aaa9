import type { Command } from 'commander';
import type { TrustCheck, TrustMode } from '../../app/setup/check-trust.ts';
import { BUILT_IN_AGENTS } from '../../domain/agents.ts';
import type { LoopEvent } from '../../domain/loop-event.ts';
import { folderOf, globals, wholeNumber } from '../globals.ts';
import type { livePrinter } from '../live.ts';
import { type GlobalOptions, print } from '../print.ts';

/** `run`, `step`, `demo`: what works at the tasks. */
export function runCommands(program: Command): void {
  const common = (command: Command) =>
    command
      .option('--agent <name>', `the agent: ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
      .option('--mode <name>', 'speed, quality, exploration, or one of [modes]')
      .option('--task <id>', 'work at this task alone')
      .option('--trust', 'accept the commands that this repository would run, and remember that')
      .option('--no-commit', 'never commit in this run')
      .option('--no-wait', 'end with exit 9 instead of waiting for a usage limit or an outage to pass')
      .option('--stream', 'print what the agent says as it says it');
  common(program.command('run'))
    .description('work through the tasks until they are done')
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option('--workers <n>', 'parallel workers (only 1 exists yet)', wholeNumber)
    .option('--dry-run', 'only say what would be done')
    .action((options, command: Command) => runLoopCommand('run', options, command));
  common(program.command('step'))
    .description('one iteration')
    .action((options, command: Command) => runLoopCommand('step', { ...options, maxIterations: 1 }, command));
  program
    .command('demo')
    .description('see a lie caught: the loop on a scratch repository with the scripted agent')
    .option('--keep', 'keep the scratch repository')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const { demo } = await import('../../app/commands/demo.ts');
      const { livePrinter } = await import('../live.ts');
      const printer = livePrinter(global, false);
      const result = await demo({
        keep: options.keep === true,
        emit: printer.emit,
        onStop: printer.onStop,
        onFolder: (folder) => {
          if (options.keep === true) printer.note(`Scratch repository: ${folder}`);
        },
      });
      printer.dispose();
      await print('demo', global, result, () => '');
    });
}

type LoopOptions = {
  readonly agent?: string;
  readonly mode?: string;
  readonly task?: string;
  readonly commit: boolean;
  readonly wait?: boolean;
  readonly stream?: boolean;
  readonly maxIterations?: number;
  readonly workers?: number;
  readonly dryRun?: boolean;
  readonly trust?: boolean;
};

async function runLoopCommand(name: 'run' | 'step', options: LoopOptions, command: Command): Promise<void> {
  const global = globals(command);
  const { run } = await import('../../app/commands/run.ts');
  const { livePrinter } = await import('../live.ts');
  const { dryRunText } = await import('../render/queries.ts');
  const printer = livePrinter(global, options.stream === true);
  const input = await loopInput(global, options, printer);
  let lastVerdict: string | null = null;
  const result = await run({
    ...input,
    flags: { ...input.flags, 'parallel.workers': options.workers },
    task: options.task ?? null,
    maxIterations: options.maxIterations ?? null,
    dryRun: options.dryRun === true,
    emit: (event: LoopEvent) => {
      if (event.kind === 'iteration_finished') lastVerdict = event.verdict.kind;
      printer.emit(event);
    },
  });
  printer.dispose();
  const judged =
    name === 'step' && result.ok
      ? { ...result, exitCode: stepExitCode(result.exitCode, lastVerdict) }
      : result;
  await print(name, global, judged, (data, terminal) =>
    options.dryRun === true ? dryRunText(data, terminal) : '',
  );
}

/** What every command that runs the loop gives to it. */
export async function loopInput(
  global: GlobalOptions,
  options: Pick<LoopOptions, 'agent' | 'mode' | 'commit' | 'wait' | 'trust'>,
  printer: ReturnType<typeof livePrinter>,
) {
  const trust: TrustMode =
    options.trust === true ? { kind: 'accept' } : { kind: 'check', ask: await askerFor(global) };
  return {
    cwd: folderOf(global),
    flags: {
      'loop.agent': options.agent,
      'loop.mode': options.mode,
      'git.commit': options.commit ? undefined : 'never',
      'loop.max_wait': options.wait === false ? 0 : undefined,
    },
    trust,
    emit: printer.emit,
    onStop: printer.onStop,
    onNotice: printer.note,
  };
}

/** Loaded only where a person sits at the terminal. */
async function askerFor(global: GlobalOptions): Promise<((check: TrustCheck) => Promise<boolean>) | null> {
  if (global.format === 'json' || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  const { askTrust } = await import('../ask-trust.ts');
  return (check) => askTrust(check, process.stdin, process.stderr);
}

/** A step that came to done or progress succeeded, whatever is left to do (spec cli.md). */
function stepExitCode(exitCode: number, verdict: string | null): number {
  return exitCode === 3 && (verdict === 'done' || verdict === 'progress') ? 0 : exitCode;
}
