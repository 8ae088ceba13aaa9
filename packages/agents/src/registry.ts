import { own } from 'ralph-kit/own';
import type { AcpProgram } from './acp/programs.ts';
import { openAcpReader } from './acp/updates.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { droid } from './droid.ts';
import type { AgentEvent } from './event.ts';
import { gemini } from './gemini.ts';
import type { Interactive } from './hooks/interactive.ts';
import type { StopHook } from './hooks/stop-hook.ts';
import { openJsonReader } from './json-words.ts';
import { type AgentName, type AgentOutput, BUILT_IN_AGENTS } from './known.ts';
import { opencode } from './opencode.ts';
import { OTHERS } from './others.ts';
import { pi } from './pi.ts';
import type { Agent, OutputFormat, Program } from './protocol.ts';
import { qwen } from './qwen.ts';

/** The adapter of each agent of `known.ts`. */
export const ADAPTERS: Readonly<Record<AgentName, Agent>> = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  qwen,
  pi,
  droid,
};

/** Returns what is known of a program, by its name; nothing of another one. */
export function programOf(name: string): Program {
  return own<Program | undefined>(ADAPTERS, name) ?? own(OTHERS, name) ?? {};
}

/** Programs that speak the Agent Client Protocol, by name. */
export const ACP_PROGRAMS: ReadonlyMap<string, AcpProgram> = new Map(
  Object.entries<Program>({ ...ADAPTERS, ...OTHERS }).flatMap(([name, { acp }]) =>
    acp === undefined ? [] : [[name, acp]],
  ),
);

/** Returns how an agent asks that you use yourself; `null`: the agent is unknown or asks no command. */
export function interactiveHook(agent: string): Required<Interactive> | null {
  const { interactive, hook } = own<Agent | undefined>(ADAPTERS, agent) ?? {};
  const asks = interactive?.hook ?? hook;
  if (interactive == null || asks === undefined || asks.transport === 'control channel') return null;
  return { ...interactive, hook: asks };
}

export const INTERACTIVE_AGENTS = BUILT_IN_AGENTS.filter((name) => interactiveHook(name) !== null);

/** Returns the stop hook of an agent, or a sentence about why it can't have one. */
export function stopHookOf(agent: string): StopHook | string {
  const known = own<Agent | undefined>(ADAPTERS, agent);
  if (known === undefined) return `${agent} isn't a program that ralph knows`;
  return known.stopHook ?? `ralph knows no hook of ${agent} that can make it continue`;
}

export const STOP_HOOK_AGENTS = BUILT_IN_AGENTS.filter((name) => typeof stopHookOf(name) !== 'string');

const USUAL_WINDOW = 128_000;

/** Returns an agent's context window in tokens when `[runners.NAME] context_window` isn't set. */
export function usualWindow(agent: string): number {
  return own<Agent | undefined>(ADAPTERS, agent)?.contextWindow ?? USUAL_WINDOW;
}

/** Every line of a plain-text agent is its own words. */
export function parseText(line: string): readonly AgentEvent[] {
  return [{ kind: 'text', text: `${line}\n`, delta: true }];
}

/** Returns the reader of an output kind (`[runners.NAME] output`). */
export function formatOf(output: AgentOutput): OutputFormat {
  if (output.startsWith('json:')) {
    const open = () => openJsonReader(output.slice('json:'.length));
    return { output, parse: (line) => open()(line), open };
  }
  if (output === 'acp') return { output, parse: (line) => openAcpReader()(line), open: openAcpReader };
  const agent = Object.values(ADAPTERS).find((each) => each.output === output);
  return agent === undefined
    ? { output, parse: parseText, plainText: true }
    : { output, parse: agent.parse, toolSessions: true, usage: agent.usage, aside: agent.aside };
}
