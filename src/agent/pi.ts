import type { AgentEvent } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { failureEvents } from './failure.ts';
import { PI_EXTENSION, piExtension } from './hooks/pi-extension.ts';
import { pluginHook } from './hooks/plugin-hook.ts';
import {
  anything,
  fields,
  flag,
  list,
  maybeNumber,
  maybeText,
  number,
  outputText,
  readLine,
  record,
  text,
} from './lenient.ts';

const Message = fields({
  role: text,
  content: list(fields({ type: text, text })),
  stopReason: text,
  errorMessage: text,
  /** Epoch milliseconds. */
  timestamp: maybeNumber,
  usage: fields({
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    cost: fields({ total: maybeNumber }),
  }),
});
type Message = ReturnType<typeof Message>;

const Line = fields({
  type: text,
  id: text,
  message: Message,
  messages: list(Message),
  willRetry: flag,
  toolCallId: maybeText,
  toolName: text,
  args: record,
  result: fields({ content: anything }),
  isError: flag,
});
type Line = NonNullable<ReturnType<typeof readPi>>;

const readPi = (line: string) => readLine(line, Line);

const action = actionMapper({
  ...tools('file_read', 'read', 'ls', 'find', 'grep'),
  bash: { kind: 'system_command', command: 'command' },
  write: { kind: 'file_write', paths: ['path'], content: ['content'] },
  edit: { kind: 'file_modify', paths: ['path'] },
});

/** Pi, print mode; the model is `provider/model`. It has no approvals to switch off. */
export const pi: BuiltInAgent = {
  name: 'pi',
  output: 'pi-json',
  plan: (request) => ({
    argv: [
      'pi',
      ...['-p', '--mode', 'json'],
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--session', request.resume]),
      ...(request.hook === null ? [] : ['-e', `${request.hook.folder}/${PI_EXTENSION}`]),
      ...request.extraArgs,
    ],
    env: request.env,
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: PI_EXTENSION, content: piExtension(request.hook) }],
  }),
  parse: parsePi,
  cumulativeUsage: false,
  action,
  hook: pluginHook(action, false),
  home: {
    folders: [{ path: '.pi/agent', variable: 'PI_CODING_AGENT_DIR' }],
    settings: [
      '.pi/agent/settings.json',
      '.pi/agent/models.json',
      '.pi/agent/AGENTS.md',
      '.pi/agent/SYSTEM.md',
      '.pi/agent/extensions',
      '.pi/agent/skills',
      '.pi/agent/prompts',
      '.pi/agent/themes',
    ],
    signIns: ['.pi/agent/auth.json'],
  },
  usage: 'tokens and cost',
  login: {
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
    files: ['.pi/agent/auth.json', '.pi/agent/models.json'],
  },
  rootNeeds: null,
};

/** One line of `--mode json`. Each message comes several times; it is read when it has ended. */
export function parsePi(line: string): readonly AgentEvent[] {
  const data = readPi(line);
  if (data === null) return [];
  switch (data.type) {
    case 'session':
      return data.id === '' ? [] : [{ kind: 'session', id: data.id }];
    case 'message_end':
      return data.message.role === 'assistant' ? messageEvents(data.message) : [];
    case 'tool_execution_start':
      return [
        {
          kind: 'tool_call',
          action: action({ id: data.toolCallId, tool: data.toolName, input: data.args, cwd: null }),
        },
      ];
    case 'tool_execution_end':
      return [
        {
          kind: 'tool_result',
          id: data.toolCallId,
          ok: !data.isError,
          output: outputText(data.result.content),
        },
      ];
    case 'agent_end':
      return data.willRetry ? [] : endEvents(data);
    default:
      return [];
  }
}

function messageEvents(message: Message): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  // An answer that was cut off is shown as far as it went; it is asked for again.
  if (message.stopReason === 'error') events.push(...failure(message, false));
  else {
    for (const block of message.content) {
      if (block.type !== 'text' || block.text === '') continue;
      events.push({ kind: 'text', text: block.text, delta: events.length > 0 });
    }
  }
  const usage = usageEvent(message.usage);
  return usage === null ? events : [...events, usage];
}

/** The share of one message; `input` leaves out what came from the cache. */
function usageEvent({ input, output, cacheRead, cacheWrite, cost }: Message['usage']): AgentEvent | null {
  if (input + output + cacheRead + cacheWrite === 0) return null;
  return {
    kind: 'usage',
    scope: 'add',
    usage: {
      inputTokens: input + cacheRead + cacheWrite,
      outputTokens: output,
      cachedTokens: cacheRead,
      costUsd: cost.total,
    },
  };
}

/** The exit code is 0 whatever happened: the last message has the truth (agents.md, Surprises 1). */
function endEvents(data: Line): readonly AgentEvent[] {
  const last = data.messages.findLast((message) => message.role === 'assistant');
  if (last?.stopReason === 'error')
    return [...failure(last, true), { kind: 'result', ok: false, text: null }];
  if (last?.stopReason !== 'aborted') return [{ kind: 'result', ok: true, text: null }];
  const message = last.errorMessage || 'the agent was interrupted';
  return [
    { kind: 'error', cause: 'other', message, fatal: true },
    { kind: 'result', ok: false, text: null },
  ];
}

function failure({ errorMessage, timestamp }: Message, fatal: boolean): readonly AgentEvent[] {
  const status = /^(\d{3})\b/.exec(errorMessage)?.[1];
  return failureEvents({
    status: status === undefined ? null : Number(status),
    // What Node says of a stream that ended in the middle.
    name: errorMessage === 'terminated' ? 'connection closed' : '',
    message: errorMessage,
    fatal,
    at: timestamp,
  });
}
