import type { AgentAdapter, AgentEvent, AgentPlan, GateMessage, GatePlace } from '../domain/agent.ts';
import { failureEvents } from './failure.ts';
import { contentKey, hookAnswer } from './hook-gate.ts';
import {
  anything,
  fields,
  flag,
  maybeNumber,
  maybeRecord,
  maybeText,
  outputText,
  readLine,
  record,
  text,
  withExitCode,
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
    shellExecution: fields({ exitCode: maybeNumber }),
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
      ...(request.gate === null ? [] : ['--plugin-dir', request.gate.folder]),
      ...request.extraArgs,
    ],
    env: request.env,
    stdin: 'prompt',
    files: request.gate === null ? [] : pluginFiles(request.gate),
  }),
  parse: parseCopilot,
  gate: {
    transport: 'hook',
    unseenInput: false,
    callKey: contentKey,
    actionKey: contentKey,
    read: readCopilotHook,
    answer: (message, ruling) =>
      hookAnswer(message, ruling, (permissionDecisionReason) => ({
        permissionDecision: 'deny',
        permissionDecisionReason,
      })),
  },
};

/** A plug-in of hooks alone; timeouts in seconds. */
function pluginFiles({ client, patienceSeconds }: GatePlace): NonNullable<AgentPlan['files']> {
  const hook = [{ type: 'command', bash: client, timeoutSec: patienceSeconds }];
  const plugin = { name: 'ralph', version: '1.0.0', description: "ralph's review", hooks: 'hooks.json' };
  const hooks = { version: 1, hooks: { preToolUse: hook, sessionStart: hook } };
  return [
    { name: 'plugin.json', content: JSON.stringify(plugin) },
    { name: 'hooks.json', content: JSON.stringify(hooks) },
  ];
}

const HookCall = fields({
  sessionId: text,
  source: text,
  toolName: text,
  toolArgs: anything,
  cwd: maybeText,
});

/** A hook is not told its own name: the start of a session has a source, a call its tool. */
function readCopilotHook(input: string): GateMessage {
  const call = readLine(input, HookCall);
  if (call !== null && call.toolName !== '') {
    // Older releases give the arguments as JSON text.
    const given = call.toolArgs;
    const args = typeof given === 'string' ? readLine(given, record) : maybeRecord(given);
    if (args === null) return { kind: 'unknown', request: '' };
    return {
      kind: 'action',
      request: '',
      action: { id: null, tool: call.toolName, input: args, cwd: call.cwd },
    };
  }
  return call !== null && call.source !== '' ? { kind: 'ready' } : { kind: 'unknown', request: '' };
}

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
          ...withExitCode(data.shellExecution.exitCode),
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
