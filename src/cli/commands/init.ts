import type { Command } from 'commander';
import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import { counted } from 'ralph-kit/counted';
import type { InitAnswers, InitResult } from '../../app/commands/init.ts';
import { type Terminal, terminalOf } from '../../io/ui/index.ts';
import { actionOf, type Call, collect, type Examples } from '../call.ts';

export const examples: Examples = {
  init: ['init', 'init --agent claude --task "Add a login" --gate "npm test"', 'init --list TODO.md'],
};

export function define(program: Command): void {
  program
    .command('init')
    .description('set up .ralph/ in this repository; asks on a terminal')
    .option('--force', 'replace existing files; the old ones are archived')
    .option('--agent <name>', `the agent: auto, ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--list <file>', 'a file that holds your tasks; also switches to it')
    .option('--task <title>', 'a first task for a new list; may be repeated', collect)
    .option('--gate <command>', 'a check, in place of those found; may be repeated', collect)
    .option('--no-gates', 'no checks')
    .option('--no-try', "don't run each check once")
    .option('-y, --yes', 'ask nothing: take what is found')
    .action(actionOf(run, true));
}

type InitOptions = {
  readonly force?: boolean;
  readonly agent?: string;
  readonly list?: string;
  readonly task?: readonly string[];
  readonly gate?: readonly string[];
  readonly gates: boolean;
  readonly try: boolean;
  readonly yes?: boolean;
};

export async function run(call: Call, options: InitOptions) {
  const { init } = await import('../../app/commands/init.ts');
  const { force = false, agent = null, list = null, task: tasks = [] } = options;
  const commands = (options.gate ?? []).map((command) => ({ name: command, run: command }));
  const preset: InitAnswers = {
    agent,
    tasks,
    list: list === null ? (tasks.length > 0 ? 'new' : null) : { path: list },
    gates: commands.length > 0 || !options.gates ? commands : null,
  };
  const terminal = terminalOf(process.stdout, !call.color);
  const asks =
    options.yes !== true &&
    call.format !== 'json' &&
    !call.quiet &&
    terminal.live &&
    process.stdin.isTTY === true;
  const result = await init({
    ...call,
    force,
    preset,
    ask: asks ? async (survey) => (await import('../ask-init.ts')).askInit(survey, preset, call.color) : null,
    tries: options.try,
    onGate: ({ run: command }) => {
      if (call.format !== 'json' && !call.quiet)
        process.stderr.write(`Trying ${terminal.verbatim(command, 2)} …\n`);
    },
  });
  await call.print(result, initText);
}

const MARKS = { passed: '✔', failed: '✖', timed_out: '!', tool_missing: '✖', not_run: '–' } as const;

export function initText(data: InitResult, { style, para }: Terminal): string {
  const {
    written,
    kept,
    archived,
    tracker,
    has_tasks,
    tasks,
    agents,
    agent_needs: needed,
    installs,
    gates,
    checks,
    notes,
  } = data;
  const none = 'none found; set [gates] commands in .ralph/ralph.toml';
  const ranNone = (detail: string) => detail.endsWith('0 tests ran');
  const tried = checks.map(({ name, run, result, detail }) => {
    const isEmpty = ranNone(detail);
    const colour =
      result === 'passed' && !isEmpty ? style.green : result === 'not_run' ? style.dim : style.yellow;
    const left = result === 'tool_missing' ? ': written as a comment' : '';
    const called = name === run ? run : `${name}: ${run}`;
    return para(`${called} (${detail}${left})`, `    ${colour(isEmpty ? '!' : MARKS[result])} `, '      ');
  });
  const isRed = checks.some(({ result, detail }) => result === 'failed' || ranNone(detail));
  const steps = [
    ...(has_tasks ? [] : [`write your tasks into ${tracker}, or: ralph tasks add "…"`]),
    ...(needed === null ? [] : [needed]),
  ];
  return [
    ...written.map((path) => `${style.green('✔')} wrote ${path}`),
    ...kept.map((path) => `${style.dim('–')} kept ${path} as it is`),
    ...archived.map((path) => `${style.dim('–')} the old version is now ${path}`),
    para(`tasks: ${tracker}${has_tasks ? ` (${counted(tasks, 'task')})` : ''}`, '  '),
    para(`agents found: ${agents.length === 0 ? 'none on PATH' : agents.join(', ')}`, '  '),
    ...(checks.length > 0
      ? ['  gates:', ...tried]
      : [para(`gates: ${gates.length === 0 ? none : gates.join(', ')}`, '  ')]),
    ...(isRed
      ? [style.yellow(para('A check that fails before a run stops nothing. See why: ralph gates', '! '))]
      : []),
    ...notes.map((note) => style.yellow(para(note, '! '))),
    '',
    ...(steps.length === 0
      ? ['Next: ralph run --dry-run   ralph run']
      : [
          ...steps.map((step, at) => para(step, at === 0 ? 'Next: ' : '      ')),
          ...installs.map(({ name, command }) => `        ${name.padEnd(9)} ${command}`),
          '      then: ralph run',
        ]),
  ].join('\n');
}
