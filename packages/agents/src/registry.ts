import type { AgentName, AgentOutput } from 'ralph-kit/agents';
import { openAcpReader } from './acp/updates.ts';
import type { BuiltInAgent } from './built-in.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { droid } from './droid.ts';
import type { AgentEvent } from './event.ts';
import { gemini } from './gemini.ts';
import { openJsonReader } from './json-words.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import type { OutputFormat } from './protocol.ts';
import { qwen } from './qwen.ts';

/** Adapters of built-in agents; `lib/agents.ts` has the facts for other modules. */
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
    : { output, parse: agent.parse, toolSessions: true, usage: agent.usage };
}
