import type { AgentAdapter, AgentOutput, LineReading } from '../domain/agent.ts';
import { parseText } from './parsers.ts';

/**
 * Beginnings of lines that nobody needs: such a line gives no event. And of lines that hold the results of tools, which
 * change nothing in any report: they are most of what an agent prints (the whole output of each command), and reading
 * JSON is most of what following an agent costs, so only the short ones are read, where the errors are.
 *
 * A beginning holds the whole first key with its value. A line whose keys come in another order has another
 * beginning and is read; no writer of JSON gives the same key again later in the line.
 *
 * Not Gemini's tool results: behind one its text begins a new message. Codex tells the kind of an item behind its id.
 */
const LEFT_OUT: Readonly<Record<AgentOutput, Pick<LineReading, 'unread' | 'unreadWhenLong'>>> = {
  text: { unread: [], unreadWhenLong: [] },
  'claude-stream': { unread: ['{"type":"stream_event",'], unreadWhenLong: ['{"type":"user",'] },
  'codex-jsonl': { unread: ['{"type":"item.updated",'], unreadWhenLong: [] },
  'gemini-stream': { unread: [], unreadWhenLong: [] },
  'copilot-jsonl': {
    unread: [
      '{"type":"tool.execution_partial_result",',
      '{"type":"tool.shell_output",',
      '{"type":"assistant.message_delta",',
      '{"type":"user.message",',
    ],
    unreadWhenLong: [],
  },
  'opencode-json': { unread: [], unreadWhenLong: [] },
  'qwen-stream': { unread: ['{"type":"stream_event",'], unreadWhenLong: ['{"type":"user",'] },
  'pi-json': {
    unread: [
      '{"type":"message_update",',
      '{"type":"message_start",',
      '{"type":"tool_execution_update",',
      '{"type":"turn_end",',
    ],
    unreadWhenLong: [
      '{"type":"message_end","message":{"role":"toolResult",',
      '{"type":"tool_execution_end",',
    ],
  },
};

/** How somebody reads the output of an agent who wants its report, its calls, and the errors that its tools gave. */
export function lineReading(adapter: AgentAdapter): LineReading {
  return { ...LEFT_OUT[adapter.output], together: adapter.parse === parseText };
}
