import { actionMapper, tools } from './action.ts';
import { Block, blockEvents, closingEvents, toolResult } from './claude-block.ts';
import type { AgentEvent, ModelUsage } from './event.ts';
import { inSession, ownFailure, streamParser, usageOf, used, withModel } from './events.ts';
import { failureEvents } from './failure.ts';
import { type HookPlace, NO_ANSWER } from './hook.ts';
import { commandHook, numberKey, preToolUse, preToolUseDenial, readHookCall } from './hooks/hook-forms.ts';
import { jsonSettings } from './hooks/interactive.ts';
import * as read from './lenient.ts';
import type { Agent } from './protocol.ts';
import { epochMs, isoTime } from './reset-time.ts';

const Tokens = read.fields({
  input_tokens: read.number,
  output_tokens: read.number,
  cache_read_input_tokens: read.number,
});
type Tokens = ReturnType<typeof Tokens>;

const Line = read.fields({
  type: read.text,
  subtype: read.text,
  session_id: read.text,
  model: read.text,
  /** Id of the call that started a subagent; the agent's own lines have none, and only they are its own words. */
  parent_tool_use_id: read.maybeText,
  message: read.fields({ id: read.text, content: read.list(Block), usage: Tokens }),
  data: read.fields({ attempt: read.maybeNumber, maxRetries: read.maybeNumber, delayMs: read.maybeNumber }),
  is_error: read.flag,
  result: read.maybeText,
  error: read.fields({ message: read.text }),
  usage: Tokens,
});
type Line = ReturnType<typeof Line>;

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

/** Longest timer delay, 24 days: a longer one ends at once, and a timed-out hook allows the call. */
const LONGEST_MS = 2_147_483_647;

/**
 * Passed as the machine's settings, which override yours and the project's, whose hooks run as well. Timeouts from
 * 1000 on are milliseconds. Regardless, qwen waits one minute for all hooks of a call and then continues: a slower
 * hook undoes ralph's denial.
 */
function hookSettings({ client, patienceSeconds }: HookPlace): string {
  const timeout = Math.min(Math.max(patienceSeconds, 1) * 1000, LONGEST_MS);
  const hooks = [{ type: 'command', name: 'ralph', command: client, timeout }];
  return JSON.stringify({
    general: { enableAutoUpdate: false },
    disableAllHooks: false,
    hooks: {
      SessionStart: [{ hooks }],
      PreToolUse: [{ matcher: '*', hooks }],
      PostToolUse: [{ matcher: '*', hooks }],
    },
  });
}

/** Adapter of Qwen Code, which reads the prompt from standard input if no argument has it. */
export const qwen = {
  name: 'qwen',
  install: 'npm i -g @qwen-code/qwen-code',
  contextWindow: 128_000,
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
      // Retries are only in the log, not in the stream.
      QWEN_DEBUG_LOG_FILE: '1',
      ...request.env,
      ...(request.hook === null
        ? {}
        : { QWEN_CODE_SYSTEM_SETTINGS_PATH: `${request.hook.folder}/${SETTINGS}` }),
    },
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: SETTINGS, content: hookSettings(request.hook) }],
  }),
  /** `-o stream-json`: Claude Code's form with other errors and sums. */
  parse: streamParser(Line, {
    system: systemEvents,
    assistant: assistantEvents,
    user: ({ message }) => message.content.flatMap((block) => toolResult(block, isRefusal)),
    result: resultEvents,
  }),
  model: null,
  cumulativeUsage: true,
  log: { file: (session) => `.qwen/debug/${session}.txt`, read: readLog },
  action,
  hook: commandHook({
    key: numberKey,
    read: (text) => readHookCall(text, action, 'PreToolUse', 'tool_call_id'),
    // The last hook's decision counts; `continue: false` always holds.
    forms: {
      deny: (reason) => ({ ...preToolUseDenial(reason), continue: false, stopReason: reason }),
      warn: null,
      warnAfter: (reason) => ({
        hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: reason },
      }),
      modify: (input) => preToolUse({ permissionDecision: 'allow', updatedInput: input }),
    },
  }),
  inherits: {
    which: 'but-secrets',
    additional: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*', 'BAILIAN_*', 'ANTHROPIC_*', 'GEMINI_*'],
  },
  home: {
    folders: [{ path: '.qwen', variable: 'QWEN_HOME', base: null }],
    settings: [
      '.qwen/settings.json',
      '.qwen/.env',
      '.qwen/QWEN.md',
      '.qwen/commands',
      '.qwen/extensions',
      '.qwen/agents',
      '.qwen/skills',
    ],
    sessions: ['.qwen/projects', '.qwen/tmp'],
    signIns: [
      {
        path: '.qwen/oauth_creds.json',
        holds: 'one',
        tokens: ['access_token', 'refresh_token', 'id_token'],
        times: ['expiry_date'],
        account: [],
      },
    ],
    copies: [],
    nests: false,
  },
  notes: { files: ['QWEN.md', 'AGENTS.md'], which: 'all', disablingArguments: ['--safe-mode'] },
  acp: {
    args: ['--acp', '--approval-mode', 'default'],
    env: {},
    modelFlag: '--model',
    edits: 'each',
    commands: 'some',
    network: 'each',
  },
  interactive: { file: '.qwen/settings.json', settings: jsonSettings('PreToolUse', '*', 'milliseconds') },
  stopHook: null,
  runsOnOpen: /(?:^|\/)\.qwen\/settings(?:\.local)?\.json$/,
  servers: { home: ['.qwen/settings.json'], repository: ['.qwen/settings.json'] },
  resumes: true,
  usage: { tokens: 'live', cost: null },
  hosts: ['chat.qwen.ai', 'portal.qwen.ai', 'dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com'],
  login: { variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'], files: ['.qwen/oauth_creds.json'] },
  rootNeeds: null,
} satisfies Agent;

/**
 * Rate limits and overloads have a number and a delay; only the log distinguishes them. Other retries have no details.
 */
function systemEvents(data: Line): readonly AgentEvent[] {
  if (data.subtype === 'init') return [...inSession(data.session_id), ...withModel(data.model)];
  const { attempt, maxRetries, delayMs } = data.data;
  if (data.subtype !== 'retry' || attempt === null || delayMs === null) return [];
  const message = `API request was refused for a rate limit, trying again in ${Math.round(delayMs / 1000)} s (${attempt} of ${maxRetries ?? '?'})`;
  const retry = { status: null, attempt, of: maxRetries, inMs: delayMs };
  return [{ kind: 'error', cause: 'rate_limited', message, fatal: false, retry }];
}

/** Rejected calls: invalid parameters, unknown tool, no hook answer. Calls that began say "Command: …" first. */
const REFUSALS: readonly RegExp[] = [
  /^params(?:\/\S+)? must /,
  /^Tool "[^"\n]+" not found in registry\./,
  /^(?:File|Notebook) path must be absolute: /,
  /^Path is a directory, not a file: /,
  /^File must be a Jupyter notebook/,
  /^Error accessing path properties for validation: /,
  /^File path '.*' is ignored by /,
  /^Missing or empty "/,
  /^The '\w+' parameter must be non-empty\./,
  /^(?:edit_mode|cell_type) must be |^(?:cell_id|new_source) is required /,
  /^Content contains potential secrets/,
  /^Command cannot be empty\.|^Could not identify command root /,
  /^Timeout (?:must be|cannot exceed) /,
  /^Directory must be an absolute path\.|^Directory '.*' is not within /,
  /^Explicitly running shell commands from within /,
  /^Background shell commands must not end /,
  /^Blocked: /,
  /^Your previous response was truncated due to max_tokens /,
];

function isRefusal({ content }: Block): boolean {
  const words = read.fullText(content);
  return words.trim() === NO_ANSWER || REFUSALS.some((one) => one.test(words));
}

/** Messages at the start, before any work. */
const NOT_SIGNED_IN = /^(?:No auth type is selected|Missing API key for)\b/;
const API_ERROR = /^\[API Error: (?:(\d{3})\b)?.*\]$/s;

function assistantEvents({ message, parent_tool_use_id }: Line): readonly AgentEvent[] {
  // The program reports an API error like the model's text; the result repeats it.
  const isOwn = (text: string) => parent_tool_use_id === null && !API_ERROR.test(text);
  const events = blockEvents(message.content, actionOf, isOwn);
  const { input_tokens, output_tokens } = message.usage;
  // These counts are known when the agent is stopped before its result, which replaces them.
  if (input_tokens + output_tokens === 0) return events;
  return [...events, { kind: 'usage', scope: 'message', id: message.id, usage: [usageIn(message.usage)] }];
}

/** `tool_call` wraps another tool's call, which is what happens and what the hook asks about. */
function actionOf({ id, name, input }: Block) {
  const inner = name === 'tool_call' && typeof input.name === 'string' ? input.name : null;
  const call = inner === null ? { tool: name, input } : { tool: inner, input: read.object(input.arguments) };
  return action({ ...call, id, cwd: null });
}

/** Returns the tokens of the whole session, which qwen reports cumulatively and with the program's own requests. */
function resultEvents(data: Line): readonly AgentEvent[] {
  return closingEvents(data, used('total', usageIn(data.usage)), () => {
    const message = data.error.message || data.result || data.subtype;
    const api = API_ERROR.exec(message);
    // Only API errors have a cause outside the work; others may quote anything.
    if (api === null && !NOT_SIGNED_IN.test(message)) return [ownFailure(message)];
    return failureEvents({ status: api?.[1] ? Number(api[1]) : null, message, fatal: true });
  });
}

function usageIn(tokens: Tokens): ModelUsage {
  const { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached } = tokens;
  return usageOf('', { input, output, cached, cacheWrite: 0 });
}

const RETRY =
  /^(\S+) \[(?:WARN|ERROR)\] \[RETRY\].*? Attempt (\d+) failed(?: with status (\d{3}))?\. Retrying (?:after explicit delay of (\d+)ms|.*)/;
const LOGGED_ERROR = /^\S+ \[ERROR\] \[OPENAI_ERROR\] OpenAI API Error: (.+?) ?\{?$/;

/** Returns the last retried call in the log, which the stream doesn't report. */
function readLog(text: string, since: number): readonly AgentEvent[] {
  let message = '';
  let events: readonly AgentEvent[] = [];
  for (const line of text.split('\n')) {
    message = LOGGED_ERROR.exec(line)?.[1] ?? message;
    const [, time = '', attempt, status, delay] = RETRY.exec(line) ?? [];
    const at = epochMs(time);
    if (at === null || at < since) continue;
    const failure = {
      status: status === undefined ? null : Number(status),
      message: `${message || 'API request failed'}, retrying`,
    };
    const retry = { attempt: Number(attempt), inMs: delay === undefined ? null : Number(delay) };
    const isLimit = failure.status === 429 || failure.status === 402;
    const resetsAt = delay === undefined ? null : isoTime(at + Number(delay));
    const name = failure.status === null ? 'connection error' : '';
    const error = failureEvents({ ...failure, name, fatal: false, retry });
    const limit: AgentEvent = { kind: 'limit', message: failure.message, resetsAt, inWords: false };
    events = isLimit ? [limit, ...error] : error;
  }
  return events;
}
