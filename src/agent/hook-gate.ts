import type { GateAnswer, GateMessage } from '../domain/agent.ts';
import type { AgentAction, Ruling } from '../domain/review.ts';
import { fields, maybeRecord, maybeText, readLine, text } from './lenient.ts';

const Call = fields({
  hook_event_name: text,
  tool_name: text,
  tool_input: maybeRecord,
  tool_use_id: maybeText,
  /** Qwen's number of the call in its stream; its `tool_use_id` is another. */
  tool_call_id: maybeText,
  cwd: maybeText,
});

/** What a hook got on its standard input, in the form that claude, codex, gemini and qwen share (agents.md, Hooks). */
export function readHookCall(
  input: string,
  before: 'PreToolUse' | 'BeforeTool',
  number: 'tool_use_id' | 'tool_call_id' = 'tool_use_id',
): GateMessage {
  const call = readLine(input, Call);
  if (call?.hook_event_name === 'SessionStart') return { kind: 'ready' };
  if (call?.hook_event_name !== before || call.tool_name === '' || call.tool_input === null) {
    return { kind: 'unknown', request: '' };
  }
  const { tool_name: tool, tool_input: toolInput, cwd } = call;
  return { kind: 'action', request: '', action: { id: call[number], tool, input: toolInput, cwd } };
}

/** Hooks and plug-ins go on when nothing is printed; exit code 2 denies without a word that is sure to be heard. */
export function hookAnswer(
  message: GateMessage,
  ruling: Ruling,
  denial: (reason: string) => Record<string, unknown>,
): GateAnswer {
  if (message.kind === 'unknown') return { text: '', exitCode: 2 };
  if (ruling.decision === 'allow') return { text: '', exitCode: 0 };
  return { text: JSON.stringify(denial(ruling.reason)), exitCode: 0 };
}

/** The denial of claude, codex and qwen. */
export function preToolUseDenial(reason: string): Record<string, unknown> {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  };
}

/** Fields by which two accounts of one call are found to be the same, where neither has its number. */
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path'];

/** The key of a call by its tool and what it works at. */
export function contentKey({ tool, input }: Pick<AgentAction, 'tool' | 'input'>): string {
  const telling = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  return `${tool} ${telling ?? ''}`;
}

/** The key of a call by its number, which is the same on both sides. */
export function numberKey({ id, tool, input }: Pick<AgentAction, 'id' | 'tool' | 'input'>): string {
  return id ?? contentKey({ tool, input });
}
