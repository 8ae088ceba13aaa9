import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { adapterFor } from '../../agent/index.ts';
import type { AgentAdapter } from '../../domain/agent.ts';
import type { Config } from '../../domain/config.ts';
import { EXIT } from '../../domain/exit.ts';
import { packageTop } from '../../io/package-top.ts';
import { isInstalled } from '../../io/proc/index.ts';
import { BUILT_IN_AGENTS } from '../../lib/agents.ts';
import { own } from '../../lib/own.ts';
import { type Failure, failure } from '../result.ts';

/** Where the scripted agent looks for its scenario when nothing is configured. */
export const DEFAULT_SCENARIO = '.ralph/scenario.json';

/** The agent of a run: the configured one, or with `auto` the first built-in one that is installed. */
export function chooseAgent(
  root: string,
  config: Config,
  model: string | null = null,
): { ok: true; adapter: AgentAdapter } | Failure {
  const name = config.loop.agent === 'auto' ? firstInstalled(root) : config.loop.agent;
  if (name === null) {
    return failure(
      `No coding agent was found on PATH (looked for ${BUILT_IN_AGENTS.join(', ')}).`,
      'Install an agent, or name a command of your own: [runners.NAME] argv = ["./agent.sh", "-"] and [loop] agent = "NAME". `ralph demo` needs none.',
      EXIT.agentUnavailable,
    );
  }
  if (model === null) return adapterNamed(name, root, config);
  const runner = own(config.runners, name);
  if (model.trim() === '') return failure('--model needs the name of a model.');
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
  /** The agent of the run, then those that stand in for it. */
  readonly adapters: readonly [AgentAdapter, ...AgentAdapter[]];
  /** The model that the first of them is told to use; `null`: its own choice. */
  readonly model: string | null;
  /** What is not as it was asked for. */
  readonly warnings: readonly string[];
};

/**
 * The agents of a run, `[loop] fallback` included. One that is not installed is left out with a warning as long as
 * there is another; an unknown name is refused whatever else there is.
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
    if (isHere(name, root, config)) fallbacks.push(made.adapter);
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
  if (next === undefined || isHere(adapter.name, root, config)) {
    const used = model ?? own(config.runners, adapter.name)?.model ?? null;
    return { ok: true, adapters: [adapter, ...fallbacks], model: used, warnings };
  }
  const message = `${adapter.name} is not installed; ${next.name}, the next in [loop] fallback, works instead.`;
  return standIn(next, rest, [message, ...warnings], config);
}

/** The model asked for is the missing agent's: this one is given what is configured for it. */
function standIn(
  next: AgentAdapter,
  others: readonly AgentAdapter[],
  warnings: readonly string[],
  config: Config,
): Agents {
  const model = own(config.runners, next.name)?.model ?? null;
  return { ok: true, adapters: [next, ...others], model, warnings };
}

/** Whether an agent can be started here. */
export function isHere(name: string, root: string, config: Config): boolean {
  const runner = Object.hasOwn(config.runners, name) ? config.runners[name] : undefined;
  const program = runner?.argv?.[0];
  if (program !== undefined) return isInstalled(program, root);
  return name === 'scripted' || runner?.scenario !== undefined || isInstalled(name, root);
}

/** The adapter of an agent, installed or not. */
export function adapterNamed(
  name: string,
  root: string,
  config: Config,
): { ok: true; adapter: AgentAdapter } | Failure {
  const scenario = resolve(root, config.runners.scripted?.scenario ?? DEFAULT_SCENARIO);
  if (name === 'scripted' && config.runners.scripted?.argv === undefined && !existsSync(scenario)) {
    return failure(
      `The scripted agent has no scenario to play: ${scenario} does not exist.`,
      'Copy .ralph.example/scenario.json of ralph, or name another agent with --agent.',
    );
  }
  const choice = adapterFor(name, config.runners, {
    node: process.execPath,
    scriptedProgram: join(packageTop(), 'dist', 'evaluate', 'scripted', 'main.js'),
    defaultScenario: join(root, DEFAULT_SCENARIO),
  });
  return choice.ok ? choice : failure(choice.message);
}

/** What helps where an agent that is named isn't there. */
export function installHint(name: string): string {
  return `Install ${name}, or use another one: [loop] agent or --agent.`;
}

function firstInstalled(root: string): string | null {
  return BUILT_IN_AGENTS.find((name) => isInstalled(name, root)) ?? null;
}

export function installedAgents(root: string): string[] {
  return BUILT_IN_AGENTS.filter((name) => isInstalled(name, root));
}
