import type { AgentAdapter, AgentPlan, AgentRequest } from '../domain/agent.ts';
import type { Inherits } from '../domain/box/box.ts';
import type { Runner } from '../domain/config.ts';
import { formatOf } from './registry.ts';

const PLACEHOLDER = /\{prompt(_file)?\}/g;

/**
 * An agent that you describe: `[runners.NAME] argv` with `-` (prompt on standard input), `{prompt}` (inline) or
 * `{prompt_file}` (its path). With none of them the prompt goes to standard input. No shell is involved.
 */
export function customAdapter(name: string, runner: Runner): AgentAdapter {
  return {
    name,
    model: runner.model ?? null,
    ...formatOf(runner.output ?? 'text'),
    plan: (request) => customPlan(runner.argv ?? [], request, runner),
    cumulativeUsage: false,
    hook: null,
    home: null,
    inherits: inheritsOf({ which: 'all', and: [] }, runner),
    trouble: { limit: wordsOf(runner.limit), outage: wordsOf(runner.outage) },
  };
}

/** `[runners.NAME] inherit` names what an agent gets beside the ordinary variables and its own. */
export function inheritsOf({ which, and }: Inherits, { inherit }: Pick<Runner, 'inherit'>): Inherits {
  return inherit === undefined ? { which, and } : { which: 'ordinary', and: [...and, ...inherit] };
}

function wordsOf(text: string | undefined): RegExp | null {
  return text === undefined ? null : new RegExp(text, 'i');
}

function customPlan(argv: readonly string[], request: AgentRequest, runner: Runner): AgentPlan {
  const [program = '', ...args] = argv;
  const extra = [...(runner.extra_args ?? []), ...request.extraArgs];
  // A `-` that closes the line stays last: it stands for the prompt, and options come before it.
  const closing = args.at(-1) === '-' ? args.splice(-1) : [];
  const placed = args.map((arg, index) => (isScript(argv, index + 1) ? arg : fillIn(arg, request)));
  const inline = args.some((arg) => arg.search(PLACEHOLDER) >= 0);
  const wantsStdin = closing.length > 0 || args.includes('-');
  return {
    argv: [program, ...placed, ...extra, ...closing],
    env: { ...runner.env, ...request.env },
    stdin: inline && !wantsStdin ? 'empty' : 'prompt',
  };
}

/** One pass, so that a prompt which mentions `{prompt_file}` arrives as it is. No argument can hold a NUL. */
function fillIn(arg: string, request: AgentRequest): string {
  return arg.replace(PLACEHOLDER, (_, file: string | undefined) =>
    file === undefined ? request.prompt.replaceAll('\0', '') : request.promptFile,
  );
}

const INTERPRETERS = [
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'fish',
  'node',
  'python',
  'python3',
  'perl',
  'ruby',
];

/** Whether this argument is program text, as in `sh -c TEXT`: data never becomes part of it (decisions.md). */
function isScript(argv: readonly string[], index: number): boolean {
  const flag = argv[index - 1] ?? '';
  if (!/^(-[a-z]*[ce]|--eval|--command|--print)$/i.test(flag)) return false;
  return argv.slice(0, index - 1).some((arg) => INTERPRETERS.includes(arg.split('/').at(-1) ?? ''));
}

/** What is wrong with a runner's command line; `null` when it can be used. */
export function runnerProblem(name: string, runner: Runner): string | null {
  const argv = runner.argv ?? [];
  if ((argv[0] ?? '').trim() === '') {
    return `[runners.${name}] has no command: give it argv = ["PROGRAM", "ARGUMENT", "-"]`;
  }
  const script = argv.find((arg, index) => isScript(argv, index) && arg.search(PLACEHOLDER) >= 0);
  if (script === undefined) return null;
  return (
    `[runners.${name}] puts the prompt into program text (${JSON.stringify(script)}), where it could run as code: ` +
    'pass it as an argument of its own, as in argv = ["sh", "-c", "agent \\"$1\\"", "sh", "{prompt}"], or use "-"'
  );
}
