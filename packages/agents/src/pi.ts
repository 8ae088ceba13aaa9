import { actionMapper, tools } from './action.ts';
import type { AgentEvent, Retry } from './event.ts';
import {
  called,
  failed,
  inSession,
  ownFailure,
  refused,
  returned,
  streamParser,
  succeeded,
  textEvents,
  usageOf,
  used,
  withModel,
} from './events.ts';
import { failureEvents } from './failure.ts';
import { type HookPlace, NO_ANSWER } from './hook.ts';
import { NOT_UNDERSTOOD } from './hooks/hook-forms.ts';
import { askFunction, FREEZE, pluginHook } from './hooks/plugin-hook.ts';
import * as read from './lenient.ts';
import { type Agent, OF_PROVIDERS } from './protocol.ts';

const Message = read.fields({
  role: read.text,
  model: read.text,
  content: read.list(read.fields({ type: read.text, text: read.text })),
  stopReason: read.text,
  errorMessage: read.text,
  /** When the message was made, in milliseconds since 1970. */
  timestamp: read.maybeNumber,
  usage: read.fields({
    input: read.number,
    output: read.number,
    cacheRead: read.number,
    cacheWrite: read.number,
    cost: read.fields({ total: read.maybeNumber }),
  }),
});
type Message = ReturnType<typeof Message>;

const Line = read.fields({
  type: read.text,
  id: read.text,
  message: Message,
  messages: read.list(Message),
  willRetry: read.flag,
  errorMessage: read.text,
  attempt: read.maybeNumber,
  maxAttempts: read.maybeNumber,
  delayMs: read.maybeNumber,
  toolCallId: read.maybeText,
  toolName: read.text,
  args: read.object,
  result: read.fields({ content: read.anything }),
  isError: read.flag,
});
type Line = ReturnType<typeof Line>;

const action = actionMapper({
  ...tools('file_read', 'read', 'ls', 'find', 'grep'),
  bash: { kind: 'system_command', command: 'command' },
  write: { kind: 'file_write', paths: ['path'], content: ['content'] },
  edit: { kind: 'file_modify', paths: ['path'] },
});

const EXTENSION_FILE = 'hook.ts';

/** Pi, print mode; the model is `provider/model`. Pi has no approvals to disable. */
export const pi: Agent = {
  name: 'pi',
  install: 'npm i -g @earendil-works/pi-coding-agent',
  contextWindow: 128_000,
  output: 'pi-json',
  plan: (request) => ({
    argv: [
      'pi',
      ...['-p', '--mode', 'json'],
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--session', request.resume]),
      ...(request.hook === null ? [] : ['-e', `${request.hook.folder}/${EXTENSION_FILE}`]),
      ...request.extraArgs,
    ],
    env: request.env,
    defaults: { PI_SKIP_VERSION_CHECK: '1' },
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: EXTENSION_FILE, content: piExtension(request.hook) }],
  }),
  /** `--mode json`; messages are repeated, so only ended ones are read. */
  parse: streamParser(Line, {
    session: ({ id }) => inSession(id),
    message_end: ({ message }) => (message.role === 'assistant' ? messageEvents(message) : []),
    tool_execution_start: ({ toolCallId: id, toolName: tool, args: input }) => [
      called(action({ id, tool, input, cwd: null })),
    ],
    tool_execution_end: endOfCall,
    auto_retry_start: ({ errorMessage, attempt, maxAttempts: of, delayMs: inMs }) =>
      failure({ errorMessage, timestamp: null }, false, { attempt, of, inMs }),
    agent_end: (line) => (line.willRetry ? [] : endEvents(line)),
  }),
  model: null,
  cumulativeUsage: false,
  action,
  hook: pluginHook(action, false),
  inherits: { which: 'but-secrets', additional: ['PI_*', ...OF_PROVIDERS] },
  home: {
    folders: [{ path: '.pi/agent', variable: 'PI_CODING_AGENT_DIR', base: null }],
    settings: [
      '.pi/agent/settings.json',
      '.pi/agent/models.json',
      '.pi/agent/AGENTS.md',
      '.pi/agent/SYSTEM.md',
      '.pi/agent/APPEND_SYSTEM.md',
      '.pi/agent/tools',
      '.pi/agent/extensions',
      '.pi/agent/skills',
      '.pi/agent/prompts',
      '.pi/agent/themes',
    ],
    sessions: ['.pi/agent/sessions'],
    signIns: [
      {
        path: '.pi/agent/auth.json',
        holds: 'many',
        tokens: ['access', 'refresh'],
        times: ['expires'],
        account: ['accountId', 'email'],
      },
    ],
    copies: [],
    nests: false,
  },
  notes: { files: ['AGENTS.md', 'CLAUDE.md'], which: 'first', disablingArguments: ['--no-context-files'] },
  aside: { cannotBegin: /^(?:Error: |No API key found|No models? (?:available|match)|Model ")/ },
  interactive: null,
  stopHook: null,
  runsOnOpen: /(?:^|\/)\.pi\/extensions\//,
  servers: { home: [], repository: [] },
  resumes: true,
  sessionless: ['--no-session'],
  usage: { tokens: 'live', cost: 'live' },
  hosts: ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com'],
  login: {
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
    files: ['.pi/agent/auth.json', '.pi/agent/models.json'],
  },
  rootNeeds: null,
};

/**
 * Source of an extension. Failing to load ends Pi; an exception in `tool_call` blocks the call. Pi reads `@/x`, `~/x`
 * and `file:///x` as other paths, so paths are normalised before the review. Allowed calls are frozen, so a later
 * extension of yours that changes one blocks it. Warnings are appended to a call's result.
 */
function piExtension(place: HookPlace): string {
  return `${askFunction(place)}
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const WITH_PATH = ["read", "write", "edit", "ls", "find", "grep"];

function plainPath(cwd, path) {
  const named = path.replace(/[\\u00A0\\u2000-\\u200A\\u202F\\u205F\\u3000]/g, " ").replace(/^@/, "");
  const whole = named.replace(/^~(?=\\/|$)/, () => homedir());
  return resolve(cwd, whole.startsWith("file://") ? fileURLToPath(whole) : whole);
}

${FREEZE}
const warnings = new Map();

export default function (pi) {
  pi.on("session_start", async () => {
    await ask({ kind: "ready" }).catch(() => undefined);
  });
  pi.on("tool_call", async ({ toolName, toolCallId, input }, { cwd }) => {
    try {
      if (WITH_PATH.includes(toolName) && typeof input.path === "string") input.path = plainPath(cwd, input.path);
      freeze(input);
      const { warning } = await ask({ kind: "action", tool: toolName, id: toolCallId, input });
      if (warning !== undefined) warnings.set(toolCallId, warning);
    } catch (error) {
      return { block: true, reason: error.message };
    }
  });
  pi.on("tool_result", async ({ toolCallId, content }) => {
    const warning = warnings.get(toolCallId);
    warnings.delete(toolCallId);
    return warning === undefined ? undefined : { content: [...content, { type: "text", text: warning }] };
  });
}
`;
}

function endOfCall({ toolCallId: id, toolName, isError, result: { content } }: Line): readonly AgentEvent[] {
  return [isError && isRefusal(toolName, content) ? refused(id, content) : returned(id, !isError, content)];
}

/** Only refused calls end with the arguments or have no other text; messages about a command end with how it ended. */
function isRefusal(tool: string, content: unknown): boolean {
  const words = read.fullText(content);
  if (words === `Tool ${tool} not found` || words === NO_ANSWER || words === NOT_UNDERSTOOD) return true;
  return (
    words.startsWith(`Validation failed for tool "${tool}":\n`) &&
    /\n\nReceived arguments:\n(?:\{\}|\{\n.*\n\})$/s.test(words)
  );
}

function messageEvents(message: Message): readonly AgentEvent[] {
  const { model } = message;
  const { input, output, cacheRead, cacheWrite, cost } = message.usage;
  const words = message.content.filter(({ type, text }) => type === 'text' && text !== '');
  // A cut-off answer is shown and requested again.
  const events =
    message.stopReason === 'error'
      ? failure(message, false)
      : words.flatMap(({ text }, index) => textEvents(text, index > 0));
  if (input + output + cacheRead + cacheWrite === 0) return events;
  // Share of one message; `input` excludes cached tokens.
  const tokens = { input: input + cacheRead + cacheWrite, output, cached: cacheRead, cacheWrite };
  return [...events, ...withModel(model), used('add', usageOf(model, tokens, cost.total))];
}

/** Pi always exits with 0, even after API errors, so the last message decides. */
function endEvents(data: Line): readonly AgentEvent[] {
  const last = data.messages.findLast((message) => message.role === 'assistant');
  if (last?.stopReason === 'error') return failed(failure(last, true));
  if (last?.stopReason !== 'aborted') return [succeeded()];
  return failed([ownFailure(last.errorMessage || 'the agent was interrupted')]);
}

function failure(
  { errorMessage, timestamp }: Pick<Message, 'errorMessage' | 'timestamp'>,
  fatal: boolean,
  retry?: Omit<Retry, 'status'>,
): readonly AgentEvent[] {
  const status = /^(\d{3})\b/.exec(errorMessage)?.[1];
  return failureEvents({
    status: status === undefined ? null : Number(status),
    // Node's word for a stream that was cut off.
    name: errorMessage === 'terminated' ? 'connection closed' : '',
    message: errorMessage,
    fatal,
    at: timestamp,
    ...(retry === undefined ? {} : { retry }),
  });
}
