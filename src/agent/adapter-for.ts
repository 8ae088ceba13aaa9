import { type AgentOutput, BUILT_IN_AGENTS } from 'ralph-kit/agents';
import { nearest } from 'ralph-kit/nearest';
import { nameOf } from 'ralph-kit/paths';
import type { AgentAdapter, AgentEvent, AgentPlan, AgentRequest } from '../domain/agent.ts';
import type { Inherits } from '../domain/box/box.ts';
import type { Runner } from '../domain/config.ts';
import { SCRIPTED_HOOK, SCRIPTED_SESSION } from '../domain/scenario.ts';
import { acpAdapter } from './acp/adapter.ts';
import type { BuiltInAgent } from './built-in.ts';
import { claude } from './claude.ts';
import { endsAtOnce } from './ends-at-once.ts';
import { usageOf, used } from './events.ts';
import { pluginHook } from './hooks/plugin-hook.ts';
import { fields, number, readLine, text } from './lenient.ts';
import { notesWith, OTHERS_NOTES } from './notes.ts';
import { ADAPTERS, formatOf, parseText } from './registry.ts';
import { SILENT_RETRIES_MS } from './service.ts';

type AdapterContext = {
  /** Path of the node that runs ralph. */
  readonly node: string;
  readonly scriptedProgram: string;
  /** Scenario when `[runners.scripted] scenario` names none. */
  readonly defaultScenario: string;
};

type AdapterChoice =
  | { readonly ok: true; readonly adapter: AgentAdapter }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the adapter of an agent. `[runners.NAME]` with an `argv` replaces a built-in agent, otherwise extends it. The
 * caller resolves `auto`.
 */
export function adapterFor(
  name: string,
  runners: Readonly<Record<string, Runner>>,
  context: AdapterContext,
): AdapterChoice {
  const runner = Object.hasOwn(runners, name) ? runners[name] : undefined;
  const known = BUILT_IN_AGENTS.find((each) => each === name);
  const base = known === undefined ? undefined : ADAPTERS[known];
  if (runner?.protocol === 'acp') return overAcp(name, runner, base ?? null);
  if (runner?.argv !== undefined) return custom(name, runner);
  if (base !== undefined) return { ok: true, adapter: runner === undefined ? base : extended(base, runner) };
  if (name === 'scripted' || runner?.scenario !== undefined) {
    const { node, scriptedProgram: program, defaultScenario } = context;
    const scenarioFile = runner?.scenario ?? defaultScenario;
    const scripted = scriptedAdapter({ node, program, scenarioFile, output: runner?.output });
    return { ok: true, adapter: extended({ ...scripted, name }, { ...runner, output: undefined }) };
  }
  return runner === undefined ? unknown(name, Object.keys(runners)) : custom(name, runner);
}

function custom(name: string, runner: Runner): AdapterChoice {
  const message = runnerProblem(name, runner);
  return message === null ? { ok: true, adapter: customAdapter(name, runner) } : { ok: false, message };
}

function overAcp(name: string, runner: Runner, builtIn: BuiltInAgent | null): AdapterChoice {
  const message = runner.argv === undefined ? null : runnerProblem(name, runner);
  if (message !== null) return { ok: false, message };
  const own = runner.argv === undefined ? null : (request: AgentRequest) => customPlan(request, runner);
  const adapter = acpAdapter(name, own, builtIn);
  if (adapter === null) {
    const needs = `[runners.${name}] protocol = "acp" needs argv = ["PROGRAM", "ARGUMENT"]`;
    const why = builtIn === null ? '' : `: ${name} doesn't speak that protocol`;
    return { ok: false, message: needs + why };
  }
  // The plan of your own command already has model, arguments and variables.
  if (own === null) return { ok: true, adapter: extended(adapter, { ...runner, output: undefined }) };
  const { model = null } = runner;
  return { ok: true, adapter: { ...adapter, model, inherits: inheritsOf(adapter.inherits, runner) } };
}

/** Values of one run override the configuration. */
function extended(base: AgentAdapter, runner: Runner): AgentAdapter {
  return {
    ...base,
    model: runner.model ?? null,
    inherits: inheritsOf(base.inherits, runner),
    notes: notesWith(base.notes, runner.extra_args ?? []),
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

function unknown(name: string, runners: readonly string[]): AdapterChoice {
  const known = [...new Set([...BUILT_IN_AGENTS, 'scripted', ...runners])];
  const near = nearest(name, known);
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  return {
    ok: false,
    message: `unknown agent "${name}".${hint} Known: ${known.join(', ')}; another command is added as [runners.${name}] argv = [...]`,
  };
}

function runnerProblem(name: string, runner: Runner): string | null {
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
export function customAdapter(name: string, runner: Runner): AgentAdapter {
  const words = (text: string | undefined) => (text === undefined ? null : new RegExp(text, 'i'));
  const program = nameOf(runner.argv?.[0] ?? '');
  return {
    name,
    model: runner.model ?? null,
    ...formatOf(runner.output ?? 'text'),
    plan: (request) => customPlan(request, runner),
    cumulativeUsage: false,
    hook: null,
    home: null,
    inherits: inheritsOf({ which: 'all', additional: [] }, runner),
    notes: OTHERS_NOTES[program],
    silentRetriesMs: SILENT_RETRIES_MS[program],
    trouble: { limit: words(runner.limit), outage: words(runner.outage) },
  };
}

/** `[runners.NAME] inherit` adds variables to the ordinary and the agent's own ones. */
function inheritsOf({ which, additional }: Inherits, { inherit }: Pick<Runner, 'inherit'>): Inherits {
  return inherit === undefined
    ? { which, additional }
    : { which: 'ordinary', additional: [...additional, ...inherit] };
}

function customPlan(request: AgentRequest, runner: Runner): AgentPlan {
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
    ...(endsAtOnce(program) ? { endsAtOnce: true } : {}),
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

const Signed = fields({ session_id: text, type: text, input_tokens: number, output_tokens: number });

/**
 * Adapter of the scripted agent. Each line of its output may be plain text or of claude's JSON stream, as the scenario
 * has it; only those of the stream give a session id.
 */
export function scriptedAdapter(options: {
  readonly node: string;
  /** Absolute path of the bundled `app/demo/main.js`. */
  readonly program: string;
  /** Path as the agent finds it from its working directory. */
  readonly scenarioFile: string;
  /** Fixes the output format; by default each line decides. */
  readonly output?: AgentOutput | undefined;
}): AgentAdapter {
  return {
    name: 'scripted',
    model: null,
    ...(options.output === undefined ? { output: 'text', parse: parseScripted } : formatOf(options.output)),
    plan: (request) => ({
      argv: [options.node, options.program, options.scenarioFile, ...request.extraArgs],
      env: {
        ...request.env,
        ...(request.hook === null
          ? {}
          : { [SCRIPTED_HOOK.socket]: request.hook.socket, [SCRIPTED_HOOK.token]: request.hook.token }),
      },
      stdin: 'prompt',
    }),
    cumulativeUsage: false,
    usage: { tokens: 'live', cost: 'end' },
    hook: pluginHook(claude.action, false),
    home: null,
    inherits: { which: 'all', additional: [] },
  };
}

function parseScripted(line: string): readonly AgentEvent[] {
  if (!line.includes(SCRIPTED_SESSION)) return parseText(line);
  const data = readLine(line, Signed);
  if (data?.session_id !== SCRIPTED_SESSION) return parseText(line);
  if (data.type !== 'usage') return claude.parse(line);
  const { input_tokens: input, output_tokens: output } = data;
  return [used('add', usageOf('', { input, output, cached: 0, cacheWrite: 0 }))];
}
