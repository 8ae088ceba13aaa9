import type { AgentAdapter } from '../domain/agent.ts';
import type { Runner } from '../domain/config.ts';
import { BUILT_IN_AGENTS } from '../lib/agents.ts';
import { nearest } from '../lib/nearest.ts';
import { customAdapter, inheritsOf, runnerProblem } from './custom.ts';
import { builtInAdapter, formatOf } from './registry.ts';
import { scriptedAdapter } from './scripted.ts';

export type AdapterContext = {
  /** Path of the node that runs ralph. */
  readonly node: string;
  /** Path of the bundled scripted agent. */
  readonly scriptedProgram: string;
  /** Scenario of the scripted agent where `[runners.scripted] scenario` names none. */
  readonly defaultScenario: string;
};

export type AdapterChoice =
  | { readonly ok: true; readonly adapter: AgentAdapter }
  | { readonly ok: false; readonly message: string };

/**
 * The adapter of an agent by its name: `[runners.NAME]` replaces a built-in agent when it has an `argv`, and adds
 * model, arguments and environment to it when it has none. `auto` is not a name: the caller looks for a program first.
 */
export function adapterFor(
  name: string,
  runners: Readonly<Record<string, Runner>>,
  context: AdapterContext,
): AdapterChoice {
  const runner = Object.hasOwn(runners, name) ? runners[name] : undefined;
  const base = builtInAdapter(name);
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

/** What the loop gives for one run wins over what the configuration says. */
function extended(base: AgentAdapter, runner: Runner): AgentAdapter {
  return {
    ...base,
    model: runner.model ?? null,
    inherits: inheritsOf(base.inherits, runner),
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
