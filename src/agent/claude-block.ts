import type { AgentEvent } from '../domain/agent.ts';
import { anything, fields, flag, maybeText, outputText, record, text } from './lenient.ts';

/** A block of a message, in the form that claude and qwen share. */
export const Block = fields({
  type: text,
  text,
  id: maybeText,
  name: text,
  input: record,
  tool_use_id: maybeText,
  content: anything,
  is_error: flag,
});
export type Block = ReturnType<typeof Block>;

/** The end of a call, as a block of a message of the user. */
export function toolResult(block: Block): readonly AgentEvent[] {
  if (block.type !== 'tool_result') return [];
  return [
    { kind: 'tool_result', id: block.tool_use_id, ok: !block.is_error, output: outputText(block.content) },
  ];
}
