import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ADAPTERS, adapterFor } from 'ralph-agents';
import { BUILT_IN_AGENTS } from 'ralph-agents/known';
import type { AgentAdapter } from 'ralph-agents/protocol';
import { own } from 'ralph-kit/own';
import { isInstalled } from 'ralph-kit/programs/start/resolve-executable';
import { capitalized } from 'ralph-kit/text';
import type { Config } from '../../domain/config.ts';
import { EXIT } from '../../domain/exit.ts';
import { packageTop } from '../../io/package-top.ts';
import { scriptedAgents } from '../demo/adapter.ts';
import { loadScenario } from '../demo/scenario.ts';
import { type Failure, failure } from '../result.ts';

/** Default path of the scripted agent's scenario. */
export const DEFAULT_SCENARIO = '.ralph/scenario.json';

/** Returns the configured agent; for `auto`, the first built-in agent that is installed. */
export function chooseAgent(
  root: string,
  config: Config,
  model: string | null = null,
): { ok: true; adapter: AgentAdapter } | Failure {
  const name = config.loop.agent === 'auto' ? firstInstalled(root) : config.loop.agent;
  if (name === null) {
    return failure(
      `No coding agent is installed: looked for ${BUILT_IN_AGENTS.join(', ')} on PATH.`,
      `Install one of them, such as: ${ADAPTERS[BUILT_IN_AGENTS[0]].install}`,
      EXIT.agentUnavailable,
    );
  }
  if (model === null) return adapterNamed(name, root, config);
  const runner = own(config.runners, name);
  if (model.trim() === '') return failure('--model needs the name of a model.', 'ralph run --help');
  if (runner?.argv !== undefined) {
    const message = `${name} is a command of your own, so --model can't be passed to it.`;
    return failure(message, `Name the model in [runners.${name}] argv.`);
  }
  return adapterNamed(name, root, {
    ...config,
    runners: { ...config.runners, [name]: { ...runner, model } },
  });
}

type Agents = {
  readonly ok: true;
  readonly adapters: readonly [AgentAdapter, ...AgentAdapter[]];
  /** Model of the first agent; `null`: the agent's own choice. */
  readonly model: string | null;
  readonly warnings: readonly string[];
};

/**
 * Returns the run's agent and those of `[loop] fallback`. A missing agent is left out with a warning if another one is
 * installed. Fails for unknown names.
 */
export function chooseAgents(root: string, config: Config, model: string | null = null): Agents | Failure {
  const primary = chooseAgent(root, config, model);
  const fallbacks: AgentAdapter[] = [];
  const missing: string[] = [];
  const replacement = config.workflow.kind === 'solo' ? undefined : config.workflow.roles.maker?.replacement;
  const others = replacement === undefined ? config.loop.fallback : [...config.loop.fallback, replacement];
  for (const name of new Set(others)) {
    const made = adapterNamed(name, root, config);
    if (!made.ok) return made;
    if (primary.ok && made.adapter.name === primary.adapter.name) continue;
    if (isAgentInstalled(name, root, config)) fallbacks.push(made.adapter);
    else missing.push(name);
  }
  const warnings = missing.map(
    (name) => `The fallback agent ${name} is not installed; the run continues without it.`,
  );
  const [next, ...rest] = fallbacks;
  if (!primary.ok) {
    if (next === undefined || primary.exitCode !== EXIT.agentUnavailable) return primary;
    const message = `${primary.message} ${next.name}, the next in [loop] fallback, works instead.`;
    return standIn(next, rest, [message, ...warnings], config);
  }
  const { adapter } = primary;
  if (next === undefined || isAgentInstalled(adapter.name, root, config)) {
    const used = model ?? own(config.runners, adapter.name)?.model ?? null;
    return { ok: true, adapters: [adapter, ...fallbacks], model: used, warnings };
  }
  const message = `${adapter.name} is not installed; ${next.name}, the next in [loop] fallback, works instead.`;
  return standIn(next, rest, [message, ...warnings], config);
}

/** The requested model was meant for the missing agent, so the agent that replaces it uses its own model. */
function standIn(
  next: AgentAdapter,
  others: readonly AgentAdapter[],
  warnings: readonly string[],
  config: Config,
): Agents {
  const model = own(config.runners, next.name)?.model ?? null;
  return { ok: true, adapters: [next, ...others], model, warnings };
}

export function isAgentInstalled(name: string, root: string, config: Config): boolean {
  const runner = Object.hasOwn(config.runners, name) ? config.runners[name] : undefined;
  const program = runner?.argv?.[0];
  if (program !== undefined) return isInstalled(program, root);
  return name === 'scripted' || runner?.scenario !== undefined || isInstalled(name, root);
}

export function adapterNamed(
  name: string,
  root: string,
  config: Config,
): { ok: true; adapter: AgentAdapter } | Failure {
  const broken = scenarioProblem(name, root, config);
  if (broken !== null) return broken;
  const scripted = scriptedAgents(config.runners, {
    node: process.execPath,
    program: join(packageTop(), 'dist', 'app', 'demo', 'main.js'),
    defaultScenario: join(root, DEFAULT_SCENARIO),
  });
  const choice = adapterFor(name, config.runners, scripted);
  return choice.ok ? choice : failure(choice.message, 'ralph doctor --agents');
}

/** Returns why an agent's scenario can't be played, which each attempt would fail on; `null`: it can, or there is none. */
function scenarioProblem(name: string, root: string, { runners }: Config): Failure | null {
  const { argv, protocol, scenario } = own(runners, name) ?? {};
  const written = scenario ?? (name === 'scripted' ? DEFAULT_SCENARIO : undefined);
  const isPlayed = argv === undefined && protocol === undefined && !Object.hasOwn(ADAPTERS, name);
  if (written === undefined || !isPlayed) return null;
  const file = resolve(root, written);
  const path = relative(root, file);
  if (!existsSync(file))
    return failure(`The scripted agent plays ${path}, which doesn't exist.`, 'ralph run --agent auto');
  const loaded = loadScenario(file);
  return loaded.ok ? null : failure(capitalized(loaded.message), `Fix ${path}, then: ralph run`);
}

export function installHint(name: string): string {
  return own<{ readonly install: string } | undefined>(ADAPTERS, name)?.install ?? `Install ${name}.`;
}

function firstInstalled(root: string): string | null {
  return BUILT_IN_AGENTS.find((name) => isInstalled(name, root)) ?? null;
}

export function installedAgents(root: string): string[] {
  return BUILT_IN_AGENTS.filter((name) => isInstalled(name, root));
}
