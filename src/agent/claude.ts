import type { AgentEvent } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { Block, blockEvents, closingEvents, toolResult } from './claude-block.ts';
import { busy, inSession, ownFailure, streamParser, usageOf, used, withModel } from './events.ts';
import { failureEvents } from './failure.ts';
import { CONTROL, claudeChannel, requestEvents, responseEvents } from './hooks/claude-channel.ts';
import * as read from './lenient.ts';
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
  /** Set on the lines of a subagent, whose words are not the agent's own. */
  parent_tool_use_id: read.maybeText,
  message: read.fields({ id: read.text, model: read.text, content: read.list(Block), usage: Tokens }),
  /** Stamped on results by the program; none of it comes from a tool. */
  tool_result_meta: read.list(
    read.fields({
      id: read.text,
      non_execution_kind: read.text,
      permission_decision: read.fields({ decision: read.text }),
    }),
  ),
  /** Of what it started in the background. */
  task_id: read.text,
  task_type: read.text,
  patch: read.fields({ status: read.text }),
  is_api_error_message: read.flag,
  api_error_status: read.maybeNumber,
  api_error_type: read.text,
  error_status: read.maybeNumber,
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

/** Without it, claude refuses to work as root without asking. */
const SANDBOXED = 'IS_SANDBOX';

/** Claude Code, print mode (agents.md, Table). */
export const claude: BuiltInAgent = {
  name: 'claude',
  output: 'claude-stream',
  plan: (request) => ({
    argv: [
      'claude',
      ...['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
      ...(request.hook === null ? [] : ['--input-format', 'stream-json']),
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      ...request.extraArgs,
    ],
    env: request.env,
    defaults: { DISABLE_AUTOUPDATER: '1' },
    stdin: request.hook === null ? 'prompt' : 'channel',
  }),
  /** `--output-format stream-json`. Judged by fields: the keys come in any order. */
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
  action,
  hook: claudeChannel,
  inherits: { which: 'but-secrets', and: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_*', 'GOOGLE_*', 'VERTEX_*'] },
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
        // Beside it lie sign-ins of servers, which it adds to on its own.
        holds: { member: 'claudeAiOauth' },
        tokens: ['accessToken', 'refreshToken'],
        times: ['expiresAt'],
        account: [],
        accountIn: { file: '.claude/.claude.json', member: 'oauthAccount.accountUuid' },
      },
    ],
    // Accounts, keys and servers of tools; with the variable it looks for it in the folder.
    copies: [{ from: '.claude.json', to: '.claude/.claude.json' }],
    isolated: { [SANDBOXED]: '1' },
    nests: false,
  },
  notes: {
    files: ['CLAUDE.md', 'AGENTS.md'],
    which: 'first',
    off: ['--bare', '--safe-mode', '--setting-sources'],
  },
  resumes: true,
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
    program: 'claude',
    status: data.error_status,
    // No status at all means that there was no answer: refused, reset or cut off.
    message: `API request failed (${data.error_status ?? 'connection error'}, ${data.error}), retrying`,
    fatal: false,
  });
}

/** Tasks that are agents of their own, which it waits for; the others are commands. */
const HELPERS: ReadonlySet<string> = new Set([
  'local_agent',
  'local_workflow',
  'in_process_teammate',
  'remote_agent',
]);

/** Unless told otherwise its helpers work in the background: it gives a result, and another when they have ended. */
function taskEvents({ subtype, task_id: id, task_type, patch }: Line): readonly AgentEvent[] {
  if (subtype === 'task_started') return [busy(HELPERS.has(task_type) ? 'helper' : 'program', id, true)];
  const isOver =
    subtype === 'task_notification' || /^(?:completed|failed|stopped|killed)$/.test(patch.status);
  return isOver ? [busy('helper', id, false), busy('program', id, false)] : [];
}

function assistantEvents(data: Line): readonly AgentEvent[] {
  const { content } = data.message;
  if (data.is_api_error_message) {
    // The program speaks here, not the model; the same text comes again in the result.
    return failureEvents({
      program: 'claude',
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

/** Each block of a message comes in a line of its own, with what the message used so far. */
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

/**
 * Whether a call that failed never began. What is wrong with a call is in tags, and has no decision on its permission;
 * a command that failed has one, and begins with its exit code whatever it printed.
 */
function isRefusal({ tool_use_id, content }: Block, { tool_result_meta }: Line): boolean {
  const meta = tool_result_meta.find(({ id }) => id === tool_use_id);
  if (meta?.permission_decision.decision === 'accept') return false;
  const kind = meta?.non_execution_kind ?? '';
  if (kind !== '') return kind !== 'interrupted';
  return typeof content === 'string' && /^<tool_use_error>.*<\/tool_use_error>$/s.test(content);
}

/** `allowed` and `allowed_warning` aren't limits: the work continues. */
function limitEvents(data: Line): readonly AgentEvent[] {
  const { status, resetsAt, rateLimitType } = data.rate_limit_info;
  if (status !== 'rejected') return [];
  const message = rateLimitType === '' ? 'usage limit reached' : `usage limit reached (${rateLimitType})`;
  const at = resetsAt === null ? null : isoTime(resetsAt * 1000);
  return [{ kind: 'limit', message, resetsAt: at, inWords: false }];
}

/** API errors come as `subtype: "success"` with `is_error`, so that `is_error` alone counts (agents.md, Surprises 2). */
function resultEvents(data: Line): readonly AgentEvent[] {
  return closingEvents(data, usageEvent(data), () => {
    const message = data.result || data.errors.join('; ') || data.subtype;
    const apiError =
      /^(?:api_error|prompt_too_long)$/.test(data.terminal_reason) || data.api_error_status !== null;
    // Only an API error has a cause outside of the work; a turn limit or an interrupt may quote any words.
    if (!apiError) return [ownFailure(message)];
    return failureEvents({
      program: 'claude',
      status: data.api_error_status,
      name: data.api_error_type,
      message,
      fatal: true,
    });
  });
}

/**
 * A resumed session and a second result in one process report the cost of everything so far beside the tokens of
 * this turn (agents.md, Surprises 9). Newer releases also give what this result alone adds: that is summed.
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
