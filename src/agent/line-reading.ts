import type { AgentAdapter, AgentOutput, LineReading } from '../domain/agent.ts';
import { parseText } from './parsers.ts';

/**
 * Beginnings of lines that a reader need not take in who needs no tool results: such a line gives no event, or tool
 * results alone, which change nothing in any report. They are most of what an agent prints (the whole output of each
 * command), and reading JSON is most of what following an agent costs.
 *
 * A beginning holds the whole first key with its value. A line whose keys come in another order has another
 * beginning and is read; no writer of JSON gives the same key again later in the line.
 *
 * Not Gemini's tool results: behind one its text begins a new message. Codex tells the kind of an item behind its id.
 */
const UNREAD: Readonly<Record<AgentOutput, readonly string[]>> = {
  text: [],
  'claude-stream': ['{"type":"user",', '{"type":"stream_event",'],
  'codex-jsonl': ['{"type":"item.updated",'],
  'gemini-stream': [],
  'copilot-jsonl': [
    '{"type":"tool.execution_partial_result",',
    '{"type":"tool.shell_output",',
    '{"type":"assistant.message_delta",',
    '{"type":"user.message",',
  ],
  'opencode-json': [],
  'qwen-stream': ['{"type":"user",', '{"type":"stream_event",'],
  'pi-json': [
    '{"type":"message_update",',
    '{"type":"message_start",',
    '{"type":"message_end","message":{"role":"toolResult",',
    '{"type":"tool_execution_update",',
    '{"type":"tool_execution_end",',
    '{"type":"turn_end",',
  ],
};

/** How somebody reads the output of an agent who wants its report and its calls, but not what its tools answered. */
export function lineReading(adapter: AgentAdapter): LineReading {
  return { unread: UNREAD[adapter.output], together: adapter.parse === parseText };
}
