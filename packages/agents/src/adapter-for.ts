import type { Inherits } from 'ralph-kit/agent-home';
import { nearest } from 'ralph-kit/nearest';
import { own } from 'ralph-kit/own';
import { nameOf } from 'ralph-kit/paths';
import { acpAdapter } from './acp/adapter.ts';
import { type AgentOutput, BUILT_IN_AGENTS } from './known.ts';
import { notesWith } from './notes.ts';
import type { Agent, AgentAdapter, AgentPlan, AgentRequest } from './protocol.ts';
import { ADAPTERS, formatOf, programOf } from './registry.ts';

/** What you set about an agent (`[runners.NAME]`), as far as its adapter depends on it. */
export type AgentSettings = {
  /** Program and arguments. `-` alone: prompt on standard input; `{prompt}`: inline; `{prompt_file}`: its path. */
  readonly argv?: readonly string[] | undefined;
  readonly output?: AgentOutput | undefined;
  /** Protocol of the agent, in place of `output`. */
  readonly protocol?: 'acp' | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of your variables that the agent gets (`*`: anything), beside those that every program gets. */
  readonly inherit?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly extra_args?: readonly string[] | undefined;
  /** Sources of patterns (`AgentAdapter.trouble`). */
  readonly limit?: string | undefined;
  readonly outage?: string | undefined;
};

type AdapterChoice =
  | { readonly ok: true; readonly adapter: AgentAdapter }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the adapter of an agent. `[runners.NAME]` with an `argv` replaces a known agent, otherwise extends it. The
 * caller resolves `auto`.
 * @param more Adapters of the caller's own agents, by name.
 */
export function adapterFor(
  name: string,
  runners: Readonly<Record<string, AgentSettings>>,
  more: Readonly<Record<string, AgentAdapter>> = {},
): AdapterChoice {
  const runner = own<AgentSettings | undefined>(runners, name);
  const builtIn = own<Agent | undefined>(ADAPTERS, name);
  if (runner?.protocol === 'acp') return overAcp(name, runner, builtIn ?? null);
  if (runner?.argv !== undefined) return custom(name, runner);
  if (builtIn !== undefined)
    return { ok: true, adapter: runner === undefined ? builtIn : extended(builtIn, runner) };
  const another = own<AgentAdapter | undefined>(more, name);
  if (another !== undefined)
    return { ok: true, adapter: extended(another, { ...runner, output: undefined }) };
  const known = [...new Set([...BUILT_IN_AGENTS, ...Object.keys(more), ...Object.keys(runners)])];
  return runner === undefined ? unknown(name, known) : custom(name, runner);
}

function custom(name: string, runner: AgentSettings): AdapterChoice {
  const message = runnerProblem(name, runner);
  return message === null ? { ok: true, adapter: customAdapter(name, runner) } : { ok: false, message };
}

function overAcp(name: string, runner: AgentSettings, builtIn: Agent | null): AdapterChoice {
  const message = runner.argv === undefined ? null : runnerProblem(name, runner);
  if (message !== null) return { ok: false, message };
  const plan = runner.argv === undefined ? null : (request: AgentRequest) => customPlan(request, runner);
  const adapter = acpAdapter(name, programOf(name), plan, builtIn);
  if (adapter === null) {
    const needs = `[runners.${name}] protocol = "acp" needs argv = ["PROGRAM", "ARGUMENT"]`;
    const why = builtIn === null ? '' : `: ${name} doesn't speak that protocol`;
    return { ok: false, message: needs + why };
  }
  // The plan of your own command already has model, arguments and variables.
  if (plan === null) return { ok: true, adapter: extended(adapter, { ...runner, output: undefined }) };
  const { model = null } = runner;
  const { endsAtOnce } = programOf(nameOf(runner.argv?.[0] ?? ''));
  return {
    ok: true,
    adapter: { ...adapter, model, inherits: inheritsOf(adapter.inherits, runner), endsAtOnce },
  };
}

/** Values of one run override the configuration. */
function extended(base: AgentAdapter, runner: AgentSettings): AgentAdapter {
  return {
    ...base,
    model: runner.model ?? null,
    inherits: inheritsOf(base.inherits, runner),
    notes: notesWith(base.notes, runner.extra_args ?? []),
    keepsNoSession: (runner.extra_args ?? []).some((arg) => base.sessionless?.includes(arg)),
    ...(runner.output === undefined ? {} : formatOf(runner.output)),
    plan: (request) =>
      base.plan({
        ...request,
        model: request.model ?? runner.model ?? null,
        extraArgs: [...(runner.extra_args ?? []), ...request.extraArgs],
        env: { ...runner.env, ...request.env },
      }),
  };
}

function unknown(name: string, known: readonly string[]): AdapterChoice {
  const near = nearest(name, known);
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  return {
    ok: false,
    message: `unknown agent "${name}".${hint} Known: ${known.join(', ')}; another command is added as [runners.${name}] argv = [...]`,
  };
}

function runnerProblem(name: string, runner: AgentSettings): string | null {
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

const PLACEHOLDER = /\{prompt(_file)?\}/g;

/**
 * Returns the adapter of your own command, which gets the prompt for `-` (standard input, the default), `{prompt}` or
 * `{prompt_file}` (its path), without a shell.
 */
export function customAdapter(name: string, runner: AgentSettings): AgentAdapter {
  const words = (text: string | undefined) => (text === undefined ? null : new RegExp(text, 'i'));
  const program = programOf(nameOf(runner.argv?.[0] ?? ''));
  const format = formatOf(runner.output ?? 'text');
  return {
    name,
    model: runner.model ?? null,
    ...format,
    aside: format.aside ?? programOf(name).aside,
    plan: (request) => customPlan(request, runner),
    cumulativeUsage: false,
    hook: null,
    home: null,
    inherits: inheritsOf({ which: 'all', additional: [] }, runner),
    notes: program.notes,
    silentRetriesMs: program.silentRetriesMs,
    endsAtOnce: program.endsAtOnce,
    trouble: { limit: words(runner.limit), outage: words(runner.outage) },
  };
}

/** `[runners.NAME] inherit` adds variables to the ordinary and the agent's own ones. */
function inheritsOf({ which, additional }: Inherits, { inherit }: Pick<AgentSettings, 'inherit'>): Inherits {
  return inherit === undefined
    ? { which, additional }
    : { which: 'ordinary', additional: [...additional, ...inherit] };
}

function customPlan(request: AgentRequest, runner: AgentSettings): AgentPlan {
  const argv = runner.argv ?? [];
  const [program = '', ...args] = argv;
  const extra = [...(runner.extra_args ?? []), ...request.extraArgs];
  // A final `-` stands for the prompt, so options go before it.
  const closing = args.at(-1) === '-' ? args.splice(-1) : [];
  // A single pass leaves a prompt that mentions `{prompt_file}` unchanged. Arguments can't contain NUL.
  const filled = (arg: string) =>
    arg.replace(PLACEHOLDER, (_, file: string | undefined) =>
      file === undefined ? request.prompt.replaceAll('\0', '') : request.promptFile,
    );
  const placed = args.map((arg, index) => (isScript(argv, index + 1) ? arg : filled(arg)));
  const inline = args.some((arg) => arg.search(PLACEHOLDER) >= 0);
  const wantsStdin = closing.length > 0 || args.includes('-');
  return {
    argv: [program, ...placed, ...extra, ...closing],
    env: { ...runner.env, ...request.env },
    stdin: inline && !wantsStdin ? 'empty' : 'prompt',
  };
}

const INTERPRETERS = /^(?:sh|bash|dash|zsh|ksh|fish|node|python3?|perl|ruby)$/;

/**
 * Whether an argument is program text, as in `sh -c TEXT`. Data is never put into it: the shell would run what a prompt
 * says.
 */
function isScript(argv: readonly string[], index: number): boolean {
  const flag = argv[index - 1] ?? '';
  if (!/^(-[a-z]*[ce]|--eval|--command|--print)$/i.test(flag)) return false;
  return argv.slice(0, index - 1).some((arg) => INTERPRETERS.test(arg.split('/').at(-1) ?? ''));
}
