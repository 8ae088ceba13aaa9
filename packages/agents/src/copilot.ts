import { actionMapper, tools } from './action.ts';
import type { AgentEvent, HookMessage } from './event.ts';
import {
  busy,
  called,
  inSession,
  refused,
  returned,
  streamParser,
  textEvents,
  usageOf,
  used,
  withModel,
} from './events.ts';
import { failureEvents } from './failure.ts';
import type { HookPlace } from './hook.ts';
import { commandHook, contentKey } from './hooks/hook-forms.ts';
import type { HookEntries } from './hooks/hook-settings.ts';
import { BOTH, START_SECONDS, type StopMessage, stopAnswer, stopSettings } from './hooks/stop-hook.ts';
import * as read from './lenient.ts';
import type { Agent, AgentPlan } from './protocol.ts';
import { epochMs } from './reset-time.ts';

const Line = read.fields({
  type: read.text,
  timestamp: read.text,
  sessionId: read.text,
  exitCode: read.maybeNumber,
  /** Id of the helper agent that acts; absent where the agent itself does. */
  agentId: read.maybeText,
  data: read.fields({
    model: read.text,
    content: read.text,
    /** Id of the call that started a subagent; the agent's own words have none. */
    parentToolCallId: read.maybeText,
    toolCallId: read.maybeText,
    toolName: read.text,
    arguments: read.object,
    success: read.flag,
    shellExecution: read.fields({ exitCode: read.maybeNumber }),
    result: read.fields({ content: read.anything }),
    error: read.fields({ message: read.text, code: read.text }),
    errorType: read.text,
    errorMessage: read.text,
    failureKind: read.text,
    message: read.text,
    statusCode: read.maybeNumber,
  }),
});
type Line = ReturnType<typeof Line>;

const EDITOR = {
  kind: ({ command }: Readonly<Record<string, unknown>>) =>
    command === 'view' ? 'file_read' : 'file_modify',
  paths: ['path'],
} as const;

const action = actionMapper({
  ...tools('file_read', 'view', 'glob', 'grep', 'rg', 'read_bash', 'list_bash'),
  ...tools('message', 'report_intent'),
  ...tools('patch', 'apply_patch', 'git_apply_patch'),
  bash: { kind: 'system_command', command: 'command' },
  powershell: { kind: 'system_command', command: 'command' },
  write_bash: { kind: 'typing', content: ['input'] },
  create: { kind: 'file_create', paths: ['path'], content: ['file_text'] },
  edit: { kind: 'file_modify', paths: ['path'], content: ['new_str'] },
  insert: { kind: 'file_modify', paths: ['path'], content: ['new_str'] },
  str_replace: { kind: 'file_modify', paths: ['path'], content: ['new_str'] },
  str_replace_editor: EDITOR,
  str_replace_based_edit_tool: EDITOR,
  web_fetch: { kind: 'network_request', network: 'url' },
});

/** Adapter of Copilot CLI, which reads the prompt from standard input without `-p`. */
export const copilot: Agent = {
  name: 'copilot',
  install: 'npm i -g @github/copilot',
  contextWindow: 128_000,
  output: 'copilot-jsonl',
  plan: (request) => ({
    argv: [
      'copilot',
      ...['--output-format', 'json', '--allow-all-tools', '--no-ask-user', '--no-color'],
      ...['--usage-output-file', request.reportFile],
      ...(request.model === null ? [] : ['--model', request.model]),
      // copilot prints its own session id last, which a stopped attempt never does.
      ...(request.resume === null ? ['--session-id', request.session] : [`--resume=${request.resume}`]),
      // ralph judges paths outside the folder; without the hook, copilot's own limit stays.
      ...(request.hook === null ? [] : ['--allow-all-paths', '--plugin-dir', request.hook.folder]),
      ...request.extraArgs,
    ],
    env: request.env,
    defaults: { COPILOT_AUTO_UPDATE: 'false' },
    session: request.resume ?? request.session,
    report: { path: request.reportFile, parse: usageFileEvents },
    stdin: 'prompt',
    files: request.hook === null ? [] : pluginFiles(request.hook),
  }),
  /** `--output-format json`; whole messages are read, not the deltas before them. */
  parse: streamParser(Line, {
    'session.tools_updated': ({ data }) => withModel(data.model),
    'assistant.message': ({ data }) => (data.parentToolCallId === null ? textEvents(data.content) : []),
    'tool.execution_start': ({ data: { toolCallId: id, toolName: tool, arguments: input } }) => [
      called(action({ id, tool, input, cwd: null })),
    ],
    'tool.execution_complete': endOfCall,
    // copilot waits for open shells before its result. A helper's end starts the next turn.
    'assistant.turn_start': ({ agentId }) => (agentId === null ? [busy('agent', '', true)] : []),
    'assistant.idle': ({ agentId }) => (agentId === null ? [busy('agent', '', false)] : []),
    'subagent.started': ({ data }) => [busy('helper', data.toolCallId ?? '', true)],
    'subagent.completed': ({ data }) => [busy('helper', data.toolCallId ?? '', false)],
    'subagent.failed': ({ data }) => [busy('helper', data.toolCallId ?? '', false)],
    'model.call_failure': errorEvents,
    'session.error': errorEvents,
    result: ({ sessionId, exitCode }) => [
      ...inSession(sessionId),
      { kind: 'result', ok: exitCode === 0, text: null },
    ],
  }),
  model: null,
  // A resumed session counts from its beginning.
  cumulativeUsage: true,
  action,
  hook: commandHook({
    key: contentKey,
    read: readCopilotHook,
    forms: {
      deny: (reason) => ({ permissionDecision: 'deny', permissionDecisionReason: reason }),
      warn: (reason) => ({ additionalContext: reason }),
      modify: (input, reason) => ({
        permissionDecision: 'allow',
        modifiedArgs: input,
        additionalContext: reason,
      }),
    },
  }),
  inherits: { which: 'but-secrets', additional: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'] },
  home: {
    folders: [
      { path: '.copilot', variable: 'COPILOT_HOME', base: null },
      { path: '.cache/copilot', variable: null, base: 'XDG_CACHE_HOME' },
    ],
    settings: [
      '.copilot/settings.json',
      '.copilot/mcp-config.json',
      '.copilot/lsp-config.json',
      '.copilot/copilot-instructions.md',
      '.copilot/agents',
      '.copilot/hooks',
      '.copilot/skills',
      '.copilot/plugins',
    ],
    sessions: ['.copilot/session-state', '.copilot/session-store.db*'],
    signIns: [],
    // Settings and a key that doesn't expire.
    copies: [{ from: '.copilot/config.json', to: '.copilot/config.json' }],
    nests: false,
  },
  notes: {
    files: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'],
    which: 'all',
    disablingArguments: ['--no-custom-instructions'],
  },
  aside: { cannotBegin: /^Error: / },
  acp: {
    args: ['--acp'],
    env: {},
    modelFlag: '--model',
    edits: 'each',
    commands: 'each',
    network: 'unseen',
  },
  interactive: null,
  stopHook: {
    file: '.github/hooks/ralph-verify.json',
    needs:
      'copilot runs it in a folder that you trust: it asks at its first start there; with -p: --trust-folder.',
    twice: { agent: 'claude', why: BOTH },
    read: readStop,
    answer: stopAnswer('block', null),
    ...stopSettings('copilot', copilotEntries, '{\n  "version": 1\n}\n'),
  },
  runsOnOpen: /(?:^|\/)\.github\/hooks\/.*\.json$/s,
  servers: { home: ['.copilot/mcp-config.json'], repository: [] },
  resumes: true,
  usage: { tokens: 'end', cost: null },
  hosts: ['*.githubcopilot.com', 'api.github.com', 'github.com'],
  login: {
    variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
    files: ['.copilot/config.json'],
  },
  rootNeeds: null,
};

const UsageFile = read.fields({ modelMetrics: read.object });
const ModelMetrics = read.fields({
  usage: read.fields({
    inputTokens: read.number,
    outputTokens: read.number,
    cacheReadTokens: read.number,
    cacheWriteTokens: read.number,
  }),
});

/** Reads the session's tokens by model, written at the end even when copilot is asked to end. */
function usageFileEvents(text: string): readonly AgentEvent[] {
  const models = Object.entries(read.readLine(text, UsageFile)?.modelMetrics ?? {});
  const usage = models.map(([name, value]) => {
    const {
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens,
      cacheWriteTokens,
    } = ModelMetrics(value).usage;
    return usageOf(name, { input, output, cached: cacheReadTokens, cacheWrite: cacheWriteTokens });
  });
  return usage.length === 0 ? [] : [used('total', ...usage)];
}

/** Plug-in with hooks only; timeouts in seconds. */
function pluginFiles({ client, patienceSeconds }: HookPlace): NonNullable<AgentPlan['files']> {
  const hook = [{ type: 'command', bash: client, timeoutSec: patienceSeconds }];
  const plugin = { name: 'ralph', version: '1.0.0', description: "ralph's review", hooks: 'hooks.json' };
  const hooks = { version: 1, hooks: { preToolUse: hook, sessionStart: hook } };
  return [
    { name: 'plugin.json', content: JSON.stringify(plugin) },
    { name: 'hooks.json', content: JSON.stringify(hooks) },
  ];
}

const HookCall = read.fields({
  sessionId: read.text,
  source: read.text,
  toolName: read.text,
  toolArgs: read.anything,
  cwd: read.maybeText,
});

/** Hooks don't get their name: a session's start has a source, a call has a tool. */
function readCopilotHook(input: string): HookMessage {
  const call = read.readLine(input, HookCall);
  if (call !== null && call.toolName !== '') {
    // Older releases pass the arguments as JSON text.
    const given = call.toolArgs;
    const args = typeof given === 'string' ? read.readLine(given, read.object) : read.maybeObject(given);
    if (args === null) return { kind: 'unknown', request: '' };
    const asked = action({ id: null, tool: call.toolName, input: args, cwd: call.cwd });
    return { kind: 'action', request: '', action: asked };
  }
  return call !== null && call.source !== '' ? { kind: 'ready' } : { kind: 'unknown', request: '' };
}

/** Matches copilot's messages about an invalid call: the parameter in quotes, or an unknown tool. */
const REFUSALS = /^"[\w.[\]]+": |^Tool '.*' does not exist\.$/;

/** A failed command is a success with an exit code, so errors never contain its output. */
function endOfCall({ data }: Line): readonly AgentEvent[] {
  const { toolCallId: id, success, result, error, shellExecution } = data;
  const isRefusal = !success && (error.code === 'denied' || REFUSALS.test(error.message));
  if (isRefusal) return [refused(id, error.message)];
  return [returned(id, success, read.outputText(result.content) || error.message, shellExecution.exitCode)];
}

/** Failed calls are retried; `session.error` follows when copilot gives up. */
function errorEvents(event: Line): readonly AgentEvent[] {
  const { data } = event;
  return failureEvents({
    status: data.statusCode,
    name: data.failureKind === 'transport' ? 'connection error' : data.errorType,
    message: data.message || data.errorMessage,
    fatal: event.type === 'session.error',
    at: epochMs(event.timestamp),
    ...(event.type === 'session.error' ? {} : { retry: {} }),
  });
}

const Stop = read.fields({
  sessionId: read.text,
  source: read.text,
  stopReason: read.text,
  stop_hook_active: read.flag,
});

/** copilot names no event; a turn that didn't end with the model's last word isn't asked about. */
function readStop(input: string): StopMessage {
  const message = read.readLine(input, Stop);
  if (message === null || message.sessionId === '') return { kind: 'other' };
  const { sessionId: session, stopReason, stop_hook_active: isAskedBack } = message;
  if (stopReason === 'end_turn') return { kind: 'stops', session, isAskedBack };
  return stopReason === '' && message.source !== '' ? { kind: 'started', session } : { kind: 'other' };
}

function copilotEntries(bash: string, seconds: number): HookEntries {
  const entry = (timeoutSec: number) => ({ type: 'command', bash, timeoutSec });
  return { sessionStart: entry(START_SECONDS), agentStop: entry(seconds) };
}
