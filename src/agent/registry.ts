import type { AgentEvent, OutputFormat } from '../domain/agent.ts';
import type { AgentName, AgentOutput } from '../lib/agents.ts';
import { openAcpReader } from './acp/updates.ts';
import type { BuiltInAgent } from './built-in.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { openJsonReader } from './json-words.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

/** The adapters of the built-in agents; `lib/agents.ts` has what other rooms know of them. */
export const ADAPTERS: Readonly<Record<AgentName, BuiltInAgent>> = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  qwen,
  pi,
  droid,
};

/** One line of an agent that prints plain text: all of it is the agent's own words. */
export function parseText(line: string): readonly AgentEvent[] {
  return [{ kind: 'text', text: `${line}\n`, delta: true }];
}

/** How each kind of output is read (`[runners.NAME] output`). */
export function formatOf(output: AgentOutput): OutputFormat {
  if (output.startsWith('json:')) {
    const open = () => openJsonReader(output.slice('json:'.length));
    return { output, parse: (line) => open()(line), open };
  }
  if (output === 'acp') return { output, parse: (line) => openAcpReader()(line), open: openAcpReader };
  const agent = Object.values(ADAPTERS).find((each) => each.output === output);
  return agent === undefined
    ? { output, parse: parseText, plainText: true }
    : { output, parse: agent.parse, toolSessions: true, usage: agent.usage };
}
