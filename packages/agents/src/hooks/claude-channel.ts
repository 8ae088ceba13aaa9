import type { Action } from 'ralph-kit/actions/action';
import type { ToolCall } from '../action.ts';
import type { AgentEvent } from '../event.ts';
import type { ChannelHook } from '../hook.ts';
import { fields, maybeObject, maybeText, type Read, text } from '../lenient.ts';
import {
  abilitiesOf,
  type Forms,
  formOf,
  NOT_UNDERSTOOD,
  numberKey,
  preToolUse,
  preToolUseDenial,
} from './hook-forms.ts';

/** Id of ralph's request for the hook, repeated in the answer. */
const OPENING = 'ralph-opening';
/** Names of the callbacks before and after a tool. */
const [BEFORE, AFTER] = ['review', 'ended'];
/** Seconds that claude waits for a ruling; it then denies. */
const PATIENCE_SECONDS = 600;
/** Margin for the delivery of an answer, in seconds. */
const SPARE_SECONDS = 30;

/** Fields of claude's control protocol, besides those of its stream. */
export const CONTROL = {
  request_id: text,
  request: fields({
    subtype: text,
    callback_id: text,
    input: fields({ tool_name: text, tool_input: maybeObject, tool_use_id: maybeText, cwd: maybeText }),
  }),
  response: fields({ subtype: text, request_id: text }),
};
type ControlLine = Read<typeof CONTROL>;

export function responseEvents({ response }: ControlLine): readonly AgentEvent[] {
  const isReady = response.request_id === OPENING && response.subtype === 'success';
  return isReady ? [{ kind: 'hook', message: { kind: 'ready' } }] : [];
}

export function requestEvents(
  { request_id: request, request: { subtype, callback_id, input } }: ControlLine,
  actionOf: (call: ToolCall) => Action,
): readonly AgentEvent[] {
  if (subtype !== 'hook_callback' || input.tool_name === '' || input.tool_input === null) {
    return [{ kind: 'hook', message: { kind: 'unknown', request } }];
  }
  const { tool_name: tool, tool_input, tool_use_id: id, cwd } = input;
  const action = actionOf({ id, tool, input: tool_input, cwd });
  const kind = callback_id === AFTER ? 'done' : 'action';
  return [{ kind: 'hook', message: { kind, request, action } }];
}

/** claude applies `updatedInput` even without a decision. */
export const CLAUDE_FORMS: Forms = {
  deny: preToolUseDenial,
  warn: (reason) => preToolUse({ additionalContext: reason }),
  modify: (input, reason) => preToolUse({ updatedInput: input, additionalContext: reason }),
};

/** claude asks on its own standard output, so nothing is started and no project setting applies. */
export const claudeChannel: ChannelHook = {
  transport: 'control channel',
  can: abilitiesOf(CLAUDE_FORMS),
  waitsSeconds: PATIENCE_SECONDS - SPARE_SECONDS,
  unseenInput: false,
  key: numberKey,
  opening: JSON.stringify({
    type: 'control_request',
    request_id: OPENING,
    request: {
      subtype: 'initialize',
      hooks: {
        PreToolUse: [{ matcher: '.*', hookCallbackIds: [BEFORE], timeout: PATIENCE_SECONDS }],
        // Another hook may have changed the command in the meantime.
        PostToolUse: [{ matcher: 'Bash', hookCallbackIds: [AFTER], timeout: PATIENCE_SECONDS }],
        PostToolUseFailure: [{ matcher: 'Bash', hookCallbackIds: [AFTER], timeout: PATIENCE_SECONDS }],
      },
    },
  }),
  message: (words) =>
    JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: words }] } }),
  // claude continues with the call after an error, so errors are denials.
  answer: (message, ruling) => {
    const form =
      message.kind === 'done'
        ? null
        : message.kind === 'action'
          ? formOf(ruling, CLAUDE_FORMS)
          : preToolUseDenial(NOT_UNDERSTOOD);
    const request_id = 'request' in message ? message.request : '';
    return JSON.stringify({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: form ?? {} },
    });
  },
};
