import type { Action } from 'ralph-kit/actions/action';
import type { AgentEvent } from './event.ts';
import { called, failed, inSession, refused, returned, succeeded, textEvents } from './events.ts';
import { anything, fields, flag, maybeText, object, text } from './lenient.ts';

/** Message block in the form shared by claude and qwen. */
export const Block = fields({
  type: text,
  text,
  id: maybeText,
  name: text,
  input: object,
  tool_use_id: maybeText,
  content: anything,
  is_error: flag,
});
export type Block = ReturnType<typeof Block>;

/** Returns the end of a call from a user message's block. @param isRefusal Judges failed calls. */
export function toolResult(block: Block, isRefusal: (block: Block) => boolean): readonly AgentEvent[] {
  const { type, tool_use_id: id, is_error, content } = block;
  if (type !== 'tool_result') return [];
  return [is_error && isRefusal(block) ? refused(id, content) : returned(id, !is_error, content)];
}

/** Returns a message's calls, and the texts that are the agent's own words. */
export function blockEvents(
  blocks: readonly Block[],
  actionOf: (block: Block) => Action,
  isOwn: (text: string) => boolean,
): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const block of blocks) {
    const continued = events.some(({ kind }) => kind === 'text');
    if (block.type === 'tool_use' && block.name !== '') events.push(called(actionOf(block)));
    else if (block.type === 'text' && isOwn(block.text)) events.push(...textEvents(block.text, continued));
  }
  return events;
}

/** Events of the closing line; `causes` gives the reasons of a failure. */
export function closingEvents(
  line: { readonly session_id: string; readonly is_error: boolean; readonly result: string | null },
  usage: AgentEvent,
  causes: () => readonly AgentEvent[],
): readonly AgentEvent[] {
  const ending = line.is_error ? failed(causes()) : [succeeded(line.result)];
  return [...inSession(line.session_id), usage, ...ending];
}
