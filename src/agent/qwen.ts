import type { AgentEvent, HookPlace, Usage } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { Block, toolResult } from './claude-block.ts';
import { failureEvents } from './failure.ts';
import { commandHook, numberKey, preToolUse, preToolUseDenial, readHookCall } from './hooks/hook-forms.ts';
import { fields, flag, list, maybeNumber, maybeText, number, readLine, record, text } from './lenient.ts';

const Tokens = fields({ input_tokens: number, output_tokens: number, cache_read_input_tokens: number });
type Tokens = ReturnType<typeof Tokens>;

const Line = fields({
  type: text,
  subtype: text,
  session_id: text,
  /** Set on the lines of a subagent, whose words are not the agent's own. */
  parent_tool_use_id: maybeText,
  message: fields({ content: list(Block), usage: Tokens }),
  data: fields({ attempt: maybeNumber, maxRetries: maybeNumber, delayMs: maybeNumber }),
  is_error: flag,
  result: maybeText,
  error: fields({ message: text }),
  usage: Tokens,
});
type Line = NonNullable<ReturnType<typeof readQwen>>;

const readQwen = (line: string) => readLine(line, Line);

const action = actionMapper({
  ...tools('file_read', 'read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search'),
  ...tools('message', 'todo_write'),
  run_shell_command: { kind: 'system_command', command: 'command' },
  write_file: { kind: 'file_write', paths: ['file_path'], content: ['content'] },
  edit: { kind: 'file_modify', paths: ['file_path'], content: ['new_string'] },
  notebook_edit: { kind: 'file_modify', paths: ['notebook_path'], content: ['new_source'] },
  save_memory: { kind: 'file_write', writes: ['~/.qwen/QWEN.md'], content: ['fact'] },
  web_fetch: { kind: 'network_request', network: 'url' },
});

const SETTINGS = 'settings.json';

/** The longest delay of a timer, 24 days: a longer one ends at once, and a hook that timed out lets the call happen. */
const LONGEST_MS = 2_147_483_647;

/**
 * Taken for the machine's own settings: they win over yours and the project's, whose hooks run beside ours. A timeout
 * from 1000 on is in milliseconds. In spite of it, qwen waits one minute for all hooks of a call together and then
 * continues: another hook that takes longer undoes our denial.
 */
function hookSettings({ client, patienceSeconds }: HookPlace): string {
  const timeout = Math.min(Math.max(patienceSeconds, 1) * 1000, LONGEST_MS);
  const hooks = [{ type: 'command', name: 'ralph', command: client, timeout }];
  return JSON.stringify({
    disableAllHooks: false,
    hooks: { SessionStart: [{ hooks }], PreToolUse: [{ matcher: '*', hooks }] },
  });
}

/** Qwen Code; without a prompt argument it reads the prompt from standard input (agents.md, Table). */
export const qwen: BuiltInAgent = {
  name: 'qwen',
  output: 'qwen-stream',
  plan: (request) => ({
    argv: [
      'qwen',
      ...['-o', 'stream-json', '--approval-mode', 'yolo'],
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      ...request.extraArgs,
    ],
    env: {
      ...request.env,
      ...(request.hook === null
        ? {}
        : { QWEN_CODE_SYSTEM_SETTINGS_PATH: `${request.hook.folder}/${SETTINGS}` }),
    },
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: SETTINGS, content: hookSettings(request.hook) }],
  }),
  parse: parseQwen,
  cumulativeUsage: true,
  action,
  hook: commandHook({
    key: numberKey,
    read: (text) => readHookCall(text, action, 'PreToolUse', 'tool_call_id'),
    // Of several hooks the last one's decision counts; `continue: false` holds whatever the others say.
    forms: {
      deny: (reason) => ({ ...preToolUseDenial(reason), continue: false, stopReason: reason }),
      warn: null,
      modify: (input) => preToolUse({ permissionDecision: 'allow', updatedInput: input }),
    },
  }),
  home: {
    folders: [{ path: '.qwen', variable: null }],
    settings: [
      '.qwen/settings.json',
      '.qwen/QWEN.md',
      '.qwen/commands',
      '.qwen/extensions',
      '.qwen/agents',
      '.qwen/skills',
    ],
    signIns: ['.qwen/oauth_creds.json'],
  },
  usage: 'tokens',
  login: { variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'], files: ['.qwen/oauth_creds.json'] },
  rootNeeds: null,
};

/** One line of `-o stream-json`: the form of Claude Code, other errors and other sums. */
export function parseQwen(line: string): readonly AgentEvent[] {
  const data = readQwen(line);
  if (data === null) return [];
  switch (data.type) {
    case 'system':
      return systemEvents(data);
    case 'assistant':
      return assistantEvents(data);
    case 'user':
      return data.message.content.flatMap(toolResult);
    case 'result':
      return resultEvents(data);
    default:
      return [];
  }
}

/** Only a rate limit is waited for with a number and a delay; other retries say no more than that they are. */
function systemEvents(data: Line): readonly AgentEvent[] {
  if (data.subtype === 'init' && data.session_id !== '') return [{ kind: 'session', id: data.session_id }];
  const { attempt, maxRetries, delayMs } = data.data;
  if (data.subtype !== 'retry' || attempt === null || delayMs === null) return [];
  const message = `API request was refused for a rate limit, trying again in ${Math.round(delayMs / 1000)} s (${attempt} of ${maxRetries ?? '?'})`;
  return [{ kind: 'error', cause: 'rate_limited', message, fatal: false }];
}

const API_ERROR = /^\[API Error: (?:(\d{3})\b)?.*\]$/s;

function assistantEvents(data: Line): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const block of data.message.content) {
    if (block.type === 'tool_use' && block.name !== '') {
      events.push(toolCall(block));
    } else if (isWords(block, data)) {
      events.push({ kind: 'text', text: block.text, delta: events.some((event) => event.kind === 'text') });
    }
  }
  const { usage } = data.message;
  if (usage.input_tokens + usage.output_tokens === 0) return events;
  // What is known when the agent is ended before its result; the result replaces it.
  return [...events, { kind: 'usage', scope: 'add', usage: usageOf(usage) }];
}

/** `tool_call` carries the call of another tool; that is what happens, and what the hook asks about. */
function toolCall({ id, name, input }: Block): AgentEvent {
  const inner = name === 'tool_call' && typeof input.name === 'string' ? input.name : null;
  const call = inner === null ? { tool: name, input } : { tool: inner, input: record(input.arguments) };
  return { kind: 'tool_call', action: action({ ...call, id, cwd: null }) };
}

/** The program says an API error as if the model had; the same comes again in the result. */
function isWords(block: Block, data: Line): boolean {
  if (block.type !== 'text' || block.text === '' || data.parent_tool_use_id !== null) return false;
  return !API_ERROR.test(block.text);
}

/**
 * The tokens are those of the whole session, with requests of the program itself that its messages do not tell
 * (agents.md, Surprises 9).
 */
function resultEvents(data: Line): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  if (data.session_id !== '') events.push({ kind: 'session', id: data.session_id });
  events.push({ kind: 'usage', scope: 'total', usage: usageOf(data.usage) });
  if (!data.is_error) {
    return [...events, { kind: 'result', ok: true, text: data.result === '' ? null : data.result }];
  }
  const message = data.error.message || data.result || data.subtype;
  const api = API_ERROR.exec(message);
  // Only an API error has a cause outside of the work; other failures may quote any words.
  if (api === null) events.push({ kind: 'error', cause: 'other', message, fatal: true });
  else events.push(...failureEvents({ status: api[1] ? Number(api[1]) : null, message, fatal: true }));
  return [...events, { kind: 'result', ok: false, text: null }];
}

function usageOf(tokens: Tokens): Usage {
  return {
    inputTokens: tokens.input_tokens,
    outputTokens: tokens.output_tokens,
    cachedTokens: tokens.cache_read_input_tokens,
    costUsd: null,
  };
}
