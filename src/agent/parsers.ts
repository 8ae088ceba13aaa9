import type { AgentEvent, AgentOutput } from '../domain/agent.ts';
import { parseClaude } from './claude.ts';
import { parseCodex } from './codex.ts';
import { parseCopilot } from './copilot.ts';
import { parseGemini } from './gemini.ts';
import { parseOpencode } from './opencode.ts';
import { parsePi } from './pi.ts';
import { parseQwen } from './qwen.ts';

type Parse = (line: string) => readonly AgentEvent[];

/** One line of an agent that prints plain text: all of it is the agent's own words. */
export function parseText(line: string): readonly AgentEvent[] {
  return [{ kind: 'text', text: `${line}\n`, delta: true }];
}

/** How each kind of output is read (`[runners.NAME] output`). */
export const PARSERS: Readonly<Record<AgentOutput, Parse>> = {
  text: parseText,
  'claude-stream': parseClaude,
  'codex-jsonl': parseCodex,
  'gemini-stream': parseGemini,
  'copilot-jsonl': parseCopilot,
  'opencode-json': parseOpencode,
  'qwen-stream': parseQwen,
  'pi-json': parsePi,
};
