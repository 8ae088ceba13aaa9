import { actionMapper, tools } from './action.ts';
import { Block, blockEvents, closingEvents, toolResult } from './claude-block.ts';
import type { AgentEvent } from './event.ts';
import { busy, inSession, ownFailure, streamParser, usageOf, used, withModel } from './events.ts';
import { failureEvents } from './failure.ts';
import {
  CLAUDE_FORMS,
  CONTROL,
  claudeChannel,
  requestEvents,
  responseEvents,
} from './hooks/claude-channel.ts';
import { commandHook, numberKey, readHookCall } from './hooks/hook-forms.ts';
import { jsonSettings } from './hooks/interactive.ts';
import { BOTH, stopAnswer, stopEntries, stopMessages, stopSettings } from './hooks/stop-hook.ts';
import * as read from './lenient.ts';
import type { Agent } from './protocol.ts';
import { epochMs, isoTime } from './reset-time.ts';

const Tokens = read.fields({
  input_tokens: read.number,
  output_tokens: read.number,
  cache_creation_input_tokens: read.number,
  cache_read_input_tokens: read.number,
});
type Tokens = ReturnType<typeof Tokens>;

const Line = read.fields({
  type: read.text,
  subtype: read.text,
  session_id: read.text,
  model: read.text,
  timestamp: read.text,
  /** Id of the call that started a subagent; the agent's own lines have none, and only they are its own words. */
  parent_tool_use_id: read.maybeText,
  message: read.fields({ id: read.text, model: read.text, content: read.list(Block), usage: Tokens }),
  /** claude adds this field to results; tools can't. */
  tool_result_meta: read.list(
    read.fields({
      id: read.text,
      non_execution_kind: read.text,
      permission_decision: read.fields({ decision: read.text }),
    }),
  ),
  /** Fields of lines about background tasks. */
  task_id: read.text,
  task_type: read.text,
  patch: read.fields({ status: read.text }),
  is_api_error_message: read.flag,
  api_error_status: read.maybeNumber,
  api_error_type: read.text,
  error_status: read.maybeNumber,
  attempt: read.maybeNumber,
  max_retries: read.maybeNumber,
  retry_delay_ms: read.maybeNumber,
  error: read.text,
  is_error: read.flag,
  result: read.maybeText,
  errors: read.list(read.text),
  terminal_reason: read.text,
  total_cost_usd: read.maybeNumber,
  usage: Tokens,
  model_usage_since_last_result: read.anything,
  rate_limit_info: read.fields({ status: read.text, resetsAt: read.maybeNumber, rateLimitType: read.text }),
  ...CONTROL,
});
type Line = ReturnType<typeof Line>;

const ModelUsage = read.fields({
  inputTokens: read.number,
  outputTokens: read.number,
  cacheReadInputTokens: read.number,
  cacheCreationInputTokens: read.number,
  costUSD: read.maybeNumber,
});

const action = actionMapper({
  ...tools('file_read', 'Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'BashOutput', 'ToolSearch'),
  ...tools('message', 'TodoRead', 'TodoWrite', 'ExitPlanMode'),
  Bash: { kind: 'system_command', command: 'command' },
  Monitor: { kind: 'system_command', command: 'command' },
  Write: { kind: 'file_write', paths: ['file_path'], content: ['content'] },
  Edit: { kind: 'file_modify', paths: ['file_path'], content: ['new_string'] },
  MultiEdit: { kind: 'file_modify', paths: ['file_path'] },
  NotebookEdit: { kind: 'file_modify', paths: ['notebook_path'], content: ['new_source'] },
  WebFetch: { kind: 'network_request', network: 'url' },
  WebSearch: { kind: 'network_request', network: 'query' },
});

const COST_SWITCH = '--max-budget-usd';

/** Tools that move work to a copy that ralph doesn't check, or leave a schedule behind. */
const LEAVING = ['EnterWorktree', 'CronCreate', 'ScheduleWakeup'];

/** claude refuses to run as root without asking unless this is set. */
const SANDBOXED = 'IS_SANDBOX';

/** Adapter of Claude Code in print mode. */
export const claude: Agent = {
  name: 'claude',
  install: 'npm i -g @anthropic-ai/claude-code',
  contextWindow: 200_000,
  output: 'claude-stream',
  plan: (request) => ({
    argv: [
      'claude',
      ...['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
      // One word, because other arguments follow. Your own in extra_args are added.
      `--disallowedTools=${LEAVING.join(',')}`,
      ...(request.hook === null ? [] : ['--input-format', 'stream-json']),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      ...(request.costLimitUsd === undefined ? [] : [COST_SWITCH, String(request.costLimitUsd)]),
      ...request.extraArgs,
    ],
    env: request.env,
    defaults: { DISABLE_AUTOUPDATER: '1' },
    stdin: request.hook === null ? 'prompt' : 'channel',
  }),
  /** `--output-format stream-json`; keys come in any order. */
  parse: streamParser(Line, {
    system: systemEvents,
    assistant: assistantEvents,
    user: (line) => line.message.content.flatMap((block) => toolResult(block, (one) => isRefusal(one, line))),
    rate_limit_event: limitEvents,
    result: resultEvents,
    control_request: (line) => requestEvents(line, action),
    control_response: responseEvents,
  }),
  model: null,
  cumulativeUsage: false,
  costSwitch: COST_SWITCH,
  action,
  hook: claudeChannel,
  inherits: {
    which: 'but-secrets',
    additional: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_*', 'GOOGLE_*', 'VERTEX_*'],
  },
  home: {
    folders: [{ path: '.claude', variable: 'CLAUDE_CONFIG_DIR', base: null }],
    settings: [
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.claude/CLAUDE.md',
      '.claude/agents',
      '.claude/commands',
      '.claude/hooks',
      '.claude/plugins',
      '.claude/skills',
      '.claude/output-styles',
      '.claude/rules',
    ],
    sessions: ['.claude/projects'],
    signIns: [
      {
        path: '.claude/.credentials.json',
        // Sign-ins of servers in the same file change independently.
        holds: { member: 'claudeAiOauth' },
        tokens: ['accessToken', 'refreshToken'],
        times: ['expiresAt'],
        account: [],
        accountIn: { file: '.claude/.claude.json', member: 'oauthAccount.accountUuid' },
      },
    ],
    // Accounts, keys and tool servers; with CLAUDE_CONFIG_DIR, claude reads this file inside that folder.
    copies: [{ from: '.claude.json', to: '.claude/.claude.json' }],
    isolated: { [SANDBOXED]: '1' },
    nests: false,
  },
  notes: {
    files: ['CLAUDE.md', 'AGENTS.md'],
    which: 'first',
    disablingArguments: ['--bare', '--safe-mode', '--setting-sources'],
  },
  interactive: {
    // Outside of a run, claude asks by a command like the others.
    hook: commandHook({
      key: numberKey,
      read: (text) => readHookCall(text, action, 'PreToolUse'),
      forms: CLAUDE_FORMS,
    }),
    file: '.claude/settings.json',
    settings: jsonSettings('PreToolUse', '*', 'seconds'),
  },
  stopHook: {
    file: '.claude/settings.json',
    needs: 'claude runs it once you trust the folder, which it asks at its first start there.',
    twice: { agent: 'copilot', why: BOTH },
    read: stopMessages('Stop'),
    answer: stopAnswer('block', 'systemMessage'),
    ...stopSettings('claude', stopEntries('Stop')),
  },
  runsOnOpen: /(?:^|\/)\.claude\/(?:settings(?:\.local)?\.json$|hooks\/)/,
  servers: { home: ['.claude.json'], repository: [] },
  resumes: true,
  sessionless: ['--no-session-persistence'],
  usage: { tokens: 'live', cost: 'end' },
  hosts: ['api.anthropic.com', 'claude.ai', 'platform.claude.com'],
  login: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: ['.claude/.credentials.json'],
  },
  rootNeeds: SANDBOXED,
};

function systemEvents(data: Line): readonly AgentEvent[] {
  if (data.subtype === 'init') return [...inSession(data.session_id), ...withModel(data.model)];
  if (data.subtype.startsWith('task_')) return taskEvents(data);
  if (data.subtype !== 'api_retry') return [];
  return failureEvents({
    status: data.error_status,
    // An error without a status had no answer from the service: it was refused, reset or cut off.
    message: `API request failed (${data.error_status ?? 'connection error'}, ${data.error}), retrying`,
    fatal: false,
    retry: { attempt: data.attempt, of: data.max_retries, inMs: data.retry_delay_ms },
  });
}

/** Kinds of tasks that are agents, which claude waits for; others are commands. */
const HELPERS: ReadonlySet<string> = new Set([
  'local_agent',
  'local_workflow',
  'in_process_teammate',
  'remote_agent',
]);

/** Helpers run in the background by default: claude gives a result, and another when they have ended. */
function taskEvents({ subtype, task_id: id, task_type, patch }: Line): readonly AgentEvent[] {
  if (subtype === 'task_started') return [busy(HELPERS.has(task_type) ? 'helper' : 'program', id, true)];
  const isOver =
    subtype === 'task_notification' || /^(?:completed|failed|stopped|killed)$/.test(patch.status);
  return isOver ? [busy('helper', id, false), busy('program', id, false)] : [];
}

function assistantEvents(data: Line): readonly AgentEvent[] {
  const { content } = data.message;
  if (data.is_api_error_message) {
    // The program speaks here, not the model; the result repeats the text.
    return failureEvents({
      status: data.api_error_status,
      name: data.error,
      message: content.map((block) => block.text).join(' '),
      fatal: true,
      at: epochMs(data.timestamp),
    });
  }
  const actionOf = ({ id, name: tool, input }: Block) => action({ id, tool, input, cwd: null });
  return [
    ...blockEvents(content, actionOf, () => data.parent_tool_use_id === null),
    ...messageUsage(data.message),
  ];
}

/** Each block has its own line, with the message's usage so far. */
function messageUsage({ id, model, usage }: Line['message']): readonly AgentEvent[] {
  const used = usageOf(model, tokensOf(usage));
  if (id === '' || used.inputTokens + used.outputTokens === 0) return [];
  return [{ kind: 'usage', scope: 'message', id, usage: [used] }];
}

function tokensOf(usage: Tokens) {
  const { input_tokens, output_tokens: output, cache_creation_input_tokens: cacheWrite } = usage;
  const cached = usage.cache_read_input_tokens;
  return { input: input_tokens + cacheWrite + cached, output, cached, cacheWrite };
}

/** Whether a failed call never began: invalid calls have tags and no permission decision, commands an exit code. */
function isRefusal({ tool_use_id, content }: Block, { tool_result_meta }: Line): boolean {
  const meta = tool_result_meta.find(({ id }) => id === tool_use_id);
  if (meta?.permission_decision.decision === 'accept') return false;
  const kind = meta?.non_execution_kind ?? '';
  if (kind !== '') return kind !== 'interrupted';
  return typeof content === 'string' && /^<tool_use_error>.*<\/tool_use_error>$/s.test(content);
}

/** `allowed` and `allowed_warning` don't stop the work. */
function limitEvents(data: Line): readonly AgentEvent[] {
  const { status, resetsAt, rateLimitType } = data.rate_limit_info;
  if (status !== 'rejected') return [];
  const message = rateLimitType === '' ? 'usage limit reached' : `usage limit reached (${rateLimitType})`;
  const at = resetsAt === null ? null : isoTime(resetsAt * 1000);
  return [{ kind: 'limit', message, resetsAt: at, inWords: false }];
}

/** Returns the events of a result. API errors have `subtype: "success"` with `is_error`, so only `is_error` counts. */
function resultEvents(data: Line): readonly AgentEvent[] {
  return closingEvents(data, usageEvent(data), () => {
    const message = data.result || data.errors.join('; ') || data.subtype;
    if (data.subtype === 'error_max_budget_usd') return [{ ...ownFailure(message), costLimit: true }];
    const apiError =
      /^(?:api_error|prompt_too_long)$/.test(data.terminal_reason) || data.api_error_status !== null;
    // Only API errors have a cause outside the work; a turn limit or interrupt may quote anything.
    if (!apiError) return [ownFailure(message)];
    return failureEvents({
      status: data.api_error_status,
      name: data.api_error_type,
      message,
      fatal: true,
    });
  });
}

/**
 * Returns the usage in a result. A resumed session or second result has the total cost, but only this turn's tokens.
 * Newer releases also report this result's share, which is summed.
 */
function usageEvent(data: Line): AgentEvent {
  const since = read.maybeObject(data.model_usage_since_last_result);
  if (since === null) return used('total', usageOf('', tokensOf(data.usage), data.total_cost_usd));
  const models = Object.entries(since).map(([name, value]) => {
    const usage = ModelUsage(value);
    const {
      outputTokens: output,
      cacheReadInputTokens: cached,
      cacheCreationInputTokens: cacheWrite,
    } = usage;
    const input = usage.inputTokens + cached + cacheWrite;
    return usageOf(name, { input, output, cached, cacheWrite }, usage.costUSD);
  });
  return used('add', ...models);
}
