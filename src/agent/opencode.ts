import type { AgentEvent, HookMessage, HookPlace } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { errorCause, failureEvents } from './failure.ts';
import { OPENCODE_PLUGIN, opencodePlugin } from './hooks/opencode-plugin.ts';
import { pluginHook } from './hooks/plugin-hook.ts';
import {
  anything,
  fields,
  maybeNumber,
  maybeText,
  number,
  outputText,
  readLine,
  record,
  text,
  withExitCode,
} from './lenient.ts';
import { isoTime } from './reset-time.ts';

const Line = fields({
  type: text,
  /** Epoch milliseconds. */
  timestamp: maybeNumber,
  sessionID: text,
  part: fields({
    text,
    tool: text,
    callID: maybeText,
    state: fields({
      status: text,
      input: record,
      output: anything,
      error: text,
      metadata: fields({ exit: maybeNumber }),
    }),
    tokens: fields({
      input: number,
      output: number,
      reasoning: number,
      cache: fields({ read: number, write: number }),
    }),
    cost: maybeNumber,
  }),
  error: fields({
    name: text,
    data: fields({ message: text, statusCode: maybeNumber, responseHeaders: record }),
  }),
});
type Line = NonNullable<ReturnType<typeof readOpencode>>;

const readOpencode = (line: string) => readLine(line, Line);

/** With some models it offers the tools of codex. */
const action = actionMapper({
  ...tools('file_read', 'read', 'glob', 'grep', 'list', 'codesearch'),
  ...tools('message', 'todoread', 'todowrite'),
  ...tools('patch', 'patch', 'apply_patch'),
  bash: { kind: 'system_command', command: 'command' },
  write: { kind: 'file_write', paths: ['filePath'], content: ['content'] },
  edit: { kind: 'file_modify', paths: ['filePath'], content: ['newString'] },
  multiedit: { kind: 'file_modify', paths: ['filePath'] },
  webfetch: { kind: 'network_request', network: 'url' },
});

const plugin = pluginHook(action, true);

/** opencode, `run` mode; the model is `provider/model`. */
export const opencode: BuiltInAgent = {
  name: 'opencode',
  output: 'opencode-json',
  plan: (request) => ({
    argv: [
      'opencode',
      ...['run', '--format', 'json', '--auto'],
      ...(request.model === null ? [] : ['-m', request.model]),
      ...(request.resume === null ? [] : ['--session', request.resume]),
      ...request.extraArgs,
    ],
    env: { ...request.env, ...(request.hook === null ? {} : pluginEnv(request.hook)) },
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: OPENCODE_PLUGIN, content: opencodePlugin(request.hook) }],
  }),
  parse: parseOpencode,
  cumulativeUsage: false,
  action,
  hook: { ...plugin, read: readOpencodePlugin },
  home: {
    folders: [
      { path: '.local/share/opencode', variable: null },
      { path: '.local/state/opencode', variable: null },
      { path: '.config/opencode', variable: null },
      { path: '.cache/opencode', variable: null },
    ],
    settings: [
      '.config/opencode/opencode.json',
      '.config/opencode/opencode.jsonc',
      '.config/opencode/config.json',
      '.config/opencode/AGENTS.md',
      '.config/opencode/agent',
      '.config/opencode/agents',
      '.config/opencode/command',
      '.config/opencode/commands',
      '.config/opencode/plugin',
      '.config/opencode/plugins',
      '.config/opencode/skills',
      '.config/opencode/themes',
      '.config/opencode/tools',
    ],
    signIns: ['.local/share/opencode/auth.json'],
  },
  usage: 'tokens and cost',
  login: {
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
    files: ['.local/share/opencode/auth.json'],
  },
  rootNeeds: null,
};

/** Settings in the environment come on top of yours and the project's. */
function pluginEnv({ folder }: HookPlace): Record<string, string> {
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ plugin: [`file://${folder}/${OPENCODE_PLUGIN}`] }) };
}

const Waits = fields({ kind: text, text, now: number, until: number });

/** A service that is merely down is tried again sooner; milliseconds. */
const LIMIT_FROM_MS = 60_000;

/** A call that opencode tries again later is reported without its status; times in epoch milliseconds. */
function readOpencodePlugin(message: string): HookMessage {
  const said = readLine(message, Waits);
  if (said?.kind !== 'waits') return plugin.read(message);
  const { now, until } = said;
  const words = errorCause(null, said.text);
  const guess = until - now >= LIMIT_FROM_MS ? 'rate_limited' : 'outage';
  const cause = words === 'other' ? guess : words;
  if (cause === 'rate_limited' && until > now) {
    return { kind: 'events', events: [{ kind: 'limit', message: said.text, resetsAt: isoTime(until) }] };
  }
  return { kind: 'events', events: [{ kind: 'error', cause, message: said.text, fatal: false }] };
}

/** One line of `--format json`. There is no closing report: the process just ends. */
export function parseOpencode(line: string): readonly AgentEvent[] {
  const data = readOpencode(line);
  if (data === null) return [];
  switch (data.type) {
    case 'step_start':
      return sessionEvents(data);
    case 'text':
      return data.part.text === '' ? [] : [{ kind: 'text', text: data.part.text, delta: false }];
    case 'tool_use':
      return toolEvents(data);
    case 'step_finish':
      return [usageEvent(data)];
    case 'error':
      return [...sessionEvents(data), ...errorEvents(data)];
    default:
      return [];
  }
}

function sessionEvents(data: Line): readonly AgentEvent[] {
  return data.sessionID === '' ? [] : [{ kind: 'session', id: data.sessionID }];
}

/** A tool is reported only when it has finished, so call and result come together. */
function toolEvents(data: Line): readonly AgentEvent[] {
  const { tool, callID, state } = data.part;
  return [
    { kind: 'tool_call', action: action({ id: callID, tool, input: state.input, cwd: null }) },
    {
      kind: 'tool_result',
      id: callID,
      ok: state.status === 'completed',
      output: outputText(state.output) || outputText(state.error),
      ...withExitCode(state.metadata.exit),
    },
  ];
}

/** The share of one step; `input` leaves out what came from the cache. */
function usageEvent(data: Line): AgentEvent {
  const { tokens, cost } = data.part;
  return {
    kind: 'usage',
    scope: 'add',
    usage: {
      inputTokens: tokens.input + tokens.cache.read + tokens.cache.write,
      outputTokens: tokens.output + tokens.reasoning,
      cachedTokens: tokens.cache.read,
      costUsd: cost,
    },
  };
}

function errorEvents(data: Line): readonly AgentEvent[] {
  const { name, data: details } = data.error;
  const seconds = Number(details.responseHeaders['retry-after']);
  const waits = data.timestamp !== null && seconds > 0;
  return failureEvents({
    status: details.statusCode,
    name: name === 'ProviderAuthError' ? 'authentication' : name,
    message: details.message || name,
    fatal: true,
    at: data.timestamp,
    resetsAt: waits ? isoTime((data.timestamp ?? 0) + seconds * 1000) : null,
  });
}
