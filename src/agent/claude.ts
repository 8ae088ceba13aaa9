import type { AgentEvent, Usage } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { Block, toolResult } from './claude-block.ts';
import { failureEvents } from './failure.ts';
import { ControlLine, claudeChannel, controlEvents } from './hooks/claude-channel.ts';
import { anything, fields, flag, list, maybeNumber, maybeText, number, readLine, text } from './lenient.ts';
import { epochMs, isoTime } from './reset-time.ts';
import { addUsage } from './usage.ts';

const Line = fields({
  type: text,
  subtype: text,
  session_id: text,
  timestamp: text,
  /** Set on the lines of a subagent, whose words are not the agent's own. */
  parent_tool_use_id: maybeText,
  message: fields({ content: list(Block) }),
  is_api_error_message: flag,
  api_error_status: maybeNumber,
  api_error_type: text,
  error_status: maybeNumber,
  error: text,
  is_error: flag,
  result: maybeText,
  errors: list(text),
  terminal_reason: text,
  total_cost_usd: maybeNumber,
  usage: fields({
    input_tokens: number,
    output_tokens: number,
    cache_creation_input_tokens: number,
    cache_read_input_tokens: number,
  }),
  model_usage_since_last_result: anything,
  rate_limit_info: fields({ status: text, resetsAt: maybeNumber, rateLimitType: text }),
});
type Line = NonNullable<ReturnType<typeof readClaude>>;

const ModelUsage = fields({
  inputTokens: number,
  outputTokens: number,
  cacheReadInputTokens: number,
  cacheCreationInputTokens: number,
  costUSD: number,
});

const readClaude = (line: string) => readLine(line, Line);

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
    stdin: request.hook === null ? 'prompt' : 'channel',
  }),
  parse: parseClaude,
  cumulativeUsage: false,
  action,
  hook: claudeChannel,
  home: {
    folders: [{ path: '.claude', variable: 'CLAUDE_CONFIG_DIR' }],
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
    ],
    signIns: ['.claude/.credentials.json'],
  },
  usage: 'tokens and cost',
  login: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: ['.claude/.credentials.json'],
  },
  rootNeeds: 'IS_SANDBOX',
};

/** One line of `--output-format stream-json`. Judged by fields: the keys come in any order. */
export function parseClaude(line: string): readonly AgentEvent[] {
  const data = readClaude(line);
  if (data === null) return [];
  switch (data.type) {
    case 'system':
      return systemEvents(data);
    case 'assistant':
      return assistantEvents(data);
    case 'user':
      return data.message.content.flatMap(toolResult);
    case 'rate_limit_event':
      return limitEvents(data);
    case 'result':
      return resultEvents(data);
    case 'control_request':
    case 'control_response':
      return controlEvents(data.type, readLine(line, ControlLine) ?? ControlLine(null), action);
    default:
      return [];
  }
}

function systemEvents(data: Line): readonly AgentEvent[] {
  if (data.subtype === 'init' && data.session_id !== '') return [{ kind: 'session', id: data.session_id }];
  if (data.subtype !== 'api_retry') return [];
  return failureEvents({
    status: data.error_status,
    // No status at all means that there was no answer: refused, reset or cut off.
    message: `API request failed (${data.error_status ?? 'connection error'}, ${data.error}), retrying`,
    fatal: false,
  });
}

function assistantEvents(data: Line): readonly AgentEvent[] {
  if (data.is_api_error_message) {
    // The program speaks here, not the model; the same text comes again in the result.
    return failureEvents({
      status: data.api_error_status,
      name: data.error,
      message: data.message.content.map((block) => block.text).join(' '),
      fatal: true,
      at: epochMs(data.timestamp),
    });
  }
  const events: AgentEvent[] = [];
  for (const block of data.message.content) {
    if (block.type === 'tool_use' && block.name !== '') {
      const { id, name: tool, input } = block;
      events.push({ kind: 'tool_call', action: action({ id, tool, input, cwd: null }) });
    } else if (block.type === 'text' && block.text !== '' && data.parent_tool_use_id === null) {
      events.push({ kind: 'text', text: block.text, delta: events.some((event) => event.kind === 'text') });
    }
  }
  return events;
}

/** `allowed` and `allowed_warning` aren't limits: the work continues. */
function limitEvents(data: Line): readonly AgentEvent[] {
  const { status, resetsAt, rateLimitType } = data.rate_limit_info;
  if (status !== 'rejected') return [];
  const message = rateLimitType === '' ? 'usage limit reached' : `usage limit reached (${rateLimitType})`;
  return [{ kind: 'limit', message, resetsAt: resetsAt === null ? null : isoTime(resetsAt * 1000) }];
}

/** API errors come as `subtype: "success"` with `is_error`, so that `is_error` alone counts (agents.md, Surprises 2). */
function resultEvents(data: Line): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  if (data.session_id !== '') events.push({ kind: 'session', id: data.session_id });
  events.push(usageEvent(data));
  if (!data.is_error) {
    return [...events, { kind: 'result', ok: true, text: data.result === '' ? null : data.result }];
  }
  const message = data.result || data.errors.join('; ') || data.subtype;
  const apiError = data.terminal_reason === 'api_error' || data.api_error_status !== null;
  const failure = { status: data.api_error_status, name: data.api_error_type, message, fatal: true };
  // Only an API error has a cause outside of the work; a turn limit or an interrupt may quote any words.
  if (apiError) events.push(...failureEvents(failure));
  else events.push({ kind: 'error', cause: 'other', message, fatal: true });
  return [...events, { kind: 'result', ok: false, text: null }];
}

/**
 * A resumed session and a second result in one process report the cost of everything so far beside the tokens of
 * this turn (agents.md, Surprises 9). Newer releases also give what this result alone adds: that is summed.
 */
function usageEvent(data: Line): AgentEvent {
  const since = data.model_usage_since_last_result;
  if (typeof since === 'object' && since !== null) {
    const models = Object.values(since).map((value) => readModelUsage(value));
    return { kind: 'usage', scope: 'add', usage: models.reduce(addUsage, NO_USAGE) };
  }
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = data.usage;
  return {
    kind: 'usage',
    scope: 'total',
    usage: {
      inputTokens: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
      outputTokens: output_tokens,
      cachedTokens: cache_read_input_tokens,
      costUsd: data.total_cost_usd,
    },
  };
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

function readModelUsage(value: unknown): Usage {
  const model = ModelUsage(value);
  return {
    inputTokens: model.inputTokens + model.cacheReadInputTokens + model.cacheCreationInputTokens,
    outputTokens: model.outputTokens,
    cachedTokens: model.cacheReadInputTokens,
    costUsd: model.costUSD,
  };
}
