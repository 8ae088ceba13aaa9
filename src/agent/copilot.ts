import type { AgentAdapter, AgentEvent } from '../domain/agent.ts';
import { failureEvents } from './failure.ts';
import {
  anything,
  fields,
  flag,
  maybeNumber,
  maybeText,
  outputText,
  readLine,
  record,
  text,
} from './lenient.ts';
import { epochMs } from './reset-time.ts';

const Line = fields({
  type: text,
  timestamp: text,
  sessionId: text,
  exitCode: maybeNumber,
  data: fields({
    content: text,
    /** Set on the words of a subagent. */
    parentToolCallId: maybeText,
    toolCallId: maybeText,
    toolName: text,
    arguments: record,
    success: flag,
    result: fields({ content: anything }),
    error: fields({ message: text }),
    errorType: text,
    errorMessage: text,
    failureKind: text,
    message: text,
    statusCode: maybeNumber,
  }),
});
type Line = NonNullable<ReturnType<typeof readCopilot>>;

const readCopilot = (line: string) => readLine(line, Line);

/** Copilot CLI; without `-p` it reads the prompt from standard input. */
export const copilot: AgentAdapter = {
  name: 'copilot',
  output: 'copilot-jsonl',
  plan: (request) => ({
    argv: [
      'copilot',
      ...['--output-format', 'json', '--allow-all-tools', '--no-ask-user', '--no-auto-update', '--no-color'],
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : [`--resume=${request.resume}`]),
      ...request.extraArgs,
    ],
    env: request.env,
    stdin: 'prompt',
  }),
  parse: parseCopilot,
};

/** One line of `--output-format json`. The whole messages are read, not the deltas before them. */
export function parseCopilot(line: string): readonly AgentEvent[] {
  const event = readCopilot(line);
  if (event === null) return [];
  const { data } = event;
  switch (event.type) {
    case 'assistant.message':
      if (data.content === '' || data.parentToolCallId !== null) return [];
      return [{ kind: 'text', text: data.content, delta: false }];
    case 'tool.execution_start':
      return [{ kind: 'tool_call', id: data.toolCallId, tool: data.toolName, input: data.arguments }];
    case 'tool.execution_complete':
      return [
        {
          kind: 'tool_result',
          id: data.toolCallId,
          ok: data.success,
          output: outputText(data.result.content) || outputText(data.error.message),
        },
      ];
    case 'model.call_failure':
    case 'session.error':
      return errorEvents(event);
    case 'result':
      return resultEvents(event);
    default:
      return [];
  }
}

/** A failed call is tried again; `session.error` follows when copilot gives up. */
function errorEvents(event: Line): readonly AgentEvent[] {
  const { data } = event;
  return failureEvents({
    status: data.statusCode,
    name: data.failureKind === 'transport' ? 'connection error' : data.errorType,
    message: data.message || data.errorMessage,
    fatal: event.type === 'session.error',
    at: epochMs(event.timestamp),
  });
}

/** The session id comes only here, in the last line. */
function resultEvents(event: Line): readonly AgentEvent[] {
  const result: AgentEvent = { kind: 'result', ok: event.exitCode === 0, text: null };
  return event.sessionId === '' ? [result] : [{ kind: 'session', id: event.sessionId }, result];
}
