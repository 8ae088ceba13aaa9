import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { VERSION } from '../app/version.ts';
import type { LoopEvent } from '../domain/loop-event.ts';
import { type GlobalOptions, print } from './print.ts';

/** Whether JSON was asked for, also where the rest of the command line cannot be understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const asked = argv.findLast(
    (word, index) => word.startsWith('--format=') || argv[index - 1] === '--format',
  );
  return (asked?.replace('--format=', '') ?? process.env.RALPH_FORMAT) === 'json';
}

/** The command line. Each command's code is loaded when it is called, so that `--help` starts fast. */
export function buildProgram(): Command {
  const program = new Command('ralph')
    .description('Works through a list of tasks with a coding agent, and does not believe it.')
    .version(VERSION, '--version', 'print the version')
    .option('--cwd <dir>', 'work in this folder')
    .addOption(
      new Option('--format <format>', 'form of the output')
        .choices(['text', 'json'])
        .default('text')
        .env('RALPH_FORMAT'),
    )
    .option('-q, --quiet', 'print the summary alone')
    .option('-v, --verbose', 'print more')
    .option('--no-color', 'print without colours')
    .showHelpAfterError('(ralph --help lists the commands and options)')
    .showSuggestionAfterError()
    .exitOverride();
  if (wantsJson(process.argv)) program.configureOutput({ writeErr: () => undefined });

  runCommands(program);
  setUpCommands(program);
  queryCommands(program);
  return program;
}

function runCommands(program: Command): void {
  const common = (command: Command) =>
    command
      .option(
        '--agent <name>',
        'the agent: claude, codex, copilot, gemini, opencode, scripted, or one of [runners]',
      )
      .option('--mode <name>', 'speed, quality, exploration, or one of [modes]')
      .option('--task <id>', 'work at this task alone')
      .option('--no-commit', 'never commit in this run')
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
      const { demo } = await import('../app/demo.ts');
      const { livePrinter } = await import('./live.ts');
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
  readonly stream?: boolean;
  readonly maxIterations?: number;
  readonly workers?: number;
  readonly dryRun?: boolean;
};

async function runLoopCommand(name: 'run' | 'step', options: LoopOptions, command: Command): Promise<void> {
  const global = globals(command);
  const { run } = await import('../app/run.ts');
  const { livePrinter } = await import('./live.ts');
  const { dryRunText } = await import('./render.ts');
  const printer = livePrinter(global, options.stream === true);
  let lastVerdict: string | null = null;
  const result = await run({
    cwd: folderOf(global),
    flags: {
      'loop.agent': options.agent,
      'loop.mode': options.mode,
      'git.commit': options.commit ? undefined : 'never',
      'parallel.workers': options.workers,
    },
    task: options.task ?? null,
    maxIterations: options.maxIterations ?? null,
    dryRun: options.dryRun === true,
    emit: (event: LoopEvent) => {
      if (event.kind === 'iteration_finished') lastVerdict = event.verdict.kind;
      printer.emit(event);
    },
    onStop: printer.onStop,
    onNotice: printer.note,
  });
  printer.dispose();
  const judged =
    name === 'step' && result.ok
      ? { ...result, exitCode: stepExitCode(result.exitCode, lastVerdict) }
      : result;
  print(name, global, judged, (data, terminal) =>
    options.dryRun === true ? dryRunText(data, terminal) : '',
  );
}

/** A step that came to done or progress succeeded, whatever is left to do (spec cli.md). */
function stepExitCode(exitCode: number, verdict: string | null): number {
  return exitCode === 3 && (verdict === 'done' || verdict === 'progress') ? 0 : exitCode;
}

function setUpCommands(program: Command): void {
  program
    .command('init')
    .description('set up .ralph/ in this repository')
    .option('--force', 'replace files that are there; the old ones are archived')
    .option('--agent <name>', 'the agent to configure')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const { init } = await import('../app/init.ts');
      const { initText } = await import('./render.ts');
      const result = await init({
        cwd: folderOf(global),
        force: options.force === true,
        agent: options.agent ?? null,
      });
      await print('init', global, result, initText);
    });
  const feedback = program.command('feedback').description('guidance for the agent');
  const give = async (
    action: 'add' | 'list' | 'clear',
    text: string,
    task: string | null,
    command: Command,
  ) => {
    const global = globals(command);
    const app = await import('../app/history.ts');
    const { feedbackText } = await import('./render.ts');
    print(
      'feedback',
      global,
      await app.feedback({ cwd: folderOf(global), action, text, task }),
      feedbackText,
    );
  };
  feedback
    .command('add')
    .argument('<text...>')
    .option('--task <id>', 'only for this task')
    .description('add guidance to the coming prompts')
    .action((words: string[], options, command: Command) =>
      give('add', words.join(' '), options.task ?? null, command),
    );
  feedback
    .command('list', { isDefault: true })
    .description('what the coming prompts will carry')
    .action((_options, command: Command) => give('list', '', null, command));
  feedback
    .command('clear')
    .description('take back the guidance that people added')
    .action((_options, command: Command) => give('clear', '', null, command));
}

function queryCommands(program: Command): void {
  program
    .command('status')
    .description('the run, the counts, what is next, the last events')
    .action(async (_options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/queries.ts');
      const { statusText } = await import('./render.ts');
      await print('status', global, await app.status({ cwd: folderOf(global) }), statusText);
    });
  program
    .command('tasks')
    .description('the list of tasks')
    .action(async (_options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/queries.ts');
      const { tasksText } = await import('./render.ts');
      await print('tasks', global, await app.tasks({ cwd: folderOf(global) }), tasksText);
    });
  program
    .command('explain')
    .argument('[task]')
    .description('why this task and this timeout, and why not the others')
    .action(async (task: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/queries.ts');
      const { explainText } = await import('./render.ts');
      await print(
        'explain',
        global,
        await app.explain({ cwd: folderOf(global), task: task ?? null }),
        explainText,
      );
    });
  program
    .command('prompt')
    .argument('[task]')
    .description('the prompt that would be sent')
    .action(async (task: string | undefined, _options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/queries.ts');
      const result = await app.prompt({ cwd: folderOf(global), task: task ?? null });
      await print('prompt', global, result, (data) => data.prompt);
    });
  program
    .command('blocked')
    .description('blocked tasks with their reasons')
    .action(async (_options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/queries.ts');
      const { blockedText } = await import('./render.ts');
      await print('blocked', global, await app.blocked({ cwd: folderOf(global) }), blockedText);
    });
  program
    .command('interventions')
    .description('what was detected and done about it')
    .option('--last <n>', 'only the newest n', wholeNumber)
    .option('--type <type>', 'only events of this type')
    .option('--severity <severity>', 'only info, warning or critical')
    .option('--task <id>', 'only events of this task')
    .option('--reset', 'archive the history and begin a new one')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/history.ts');
      const { interventionsText } = await import('./render.ts');
      const result = await app.interventions({
        cwd: folderOf(global),
        last: options.last ?? null,
        type: options.type ?? null,
        severity: options.severity ?? null,
        task: options.task ?? null,
        reset: options.reset === true,
      });
      await print('interventions', global, result, interventionsText);
    });
  program
    .command('profile')
    .description('how the agents behaved')
    .option('--agent <name>', 'only this agent')
    .option('--reinstate', 'lift the suspension of the agent')
    .action(async (options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/history.ts');
      const { profileText } = await import('./render.ts');
      const result = await app.profile({
        cwd: folderOf(global),
        agent: options.agent ?? null,
        reinstate: options.reinstate === true,
      });
      await print('profile', global, result, profileText);
    });
  program
    .command('logs')
    .argument('[iteration]', 'number of the iteration; the newest one by default', wholeNumber)
    .description('what an iteration printed and came to')
    .action(async (iteration: number | undefined, _options, command: Command) => {
      const global = globals(command);
      const app = await import('../app/history.ts');
      const { logsText } = await import('./render.ts');
      print(
        'logs',
        global,
        await app.logs({ cwd: folderOf(global), iteration: iteration ?? null }),
        logsText,
      );
    });
}

function globals(command: Command): GlobalOptions {
  return command.optsWithGlobals() as GlobalOptions;
}

function folderOf(options: GlobalOptions): string {
  return resolve(options.cwd ?? '.');
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number is expected');
  return Number(text);
}
