import type { Action } from 'ralph-kit/actions/action';
import { withoutShell } from 'ralph-kit/shell-quote';
import { actionMapper, tools } from './action.ts';
import type { AgentEvent } from './event.ts';
import {
  called,
  eventsOf,
  failed,
  inSession,
  refused,
  returned,
  streamParser,
  succeeded,
  textEvents,
  usageOf,
  used,
} from './events.ts';
import { failureEvents } from './failure.ts';
import type { HookPlace } from './hook.ts';
import { commandHook, contentKey, preToolUse, preToolUseDenial, readHookCall } from './hooks/hook-forms.ts';
import { failClosed, PATIENCE_SECONDS } from './hooks/interactive.ts';
import { stopAnswer, stopEntries, stopMessages, stopSettings } from './hooks/stop-hook.ts';
import * as read from './lenient.ts';
import type { Agent, AgentRequest } from './protocol.ts';

const Line = read.fields({
  type: read.text,
  thread_id: read.text,
  message: read.text,
  error: read.fields({ message: read.text }),
  usage: read.fields({
    input_tokens: read.number,
    cached_input_tokens: read.number,
    cache_write_input_tokens: read.number,
    output_tokens: read.number,
  }),
  item: read.fields({
    id: read.maybeText,
    type: read.text,
    text: read.text,
    message: read.text,
    command: read.text,
    aggregated_output: read.text,
    exit_code: read.maybeNumber,
    status: read.text,
    changes: read.anything,
    server: read.text,
    tool: read.text,
    arguments: read.object,
    result: read.fields({ content: read.anything }),
    error: read.fields({ message: read.text }),
    query: read.text,
  }),
});
type Item = ReturnType<typeof Line>['item'];

const SHELL = { kind: 'system_command', command: 'command' } as const;

/** Stream, hook, older releases and other models use different names for the shell. */
const action = actionMapper({
  ...tools('file_read', 'view_image', 'list_dir', 'grep_files', 'read_file'),
  ...tools('message', 'update_plan'),
  Bash: SHELL,
  shell: SHELL,
  shell_command: SHELL,
  local_shell: SHELL,
  'container.exec': SHELL,
  command_execution: SHELL,
  exec_command: { kind: 'system_command', command: 'cmd' },
  write_stdin: { kind: 'typing', content: ['chars'] },
  ...tools('patch', 'apply_patch', 'file_change'),
  web_search: { kind: 'network_request', network: 'query' },
});

function sandboxFor({ boxed }: Pick<AgentRequest, 'boxed'>): string {
  return boxed ? 'danger-full-access' : 'workspace-write';
}

/** ralph's box replaces codex's workspace sandbox, which would block network and git, unless you chose one. */
export const codex = {
  name: 'codex',
  install: 'npm i -g @openai/codex',
  contextWindow: 200_000,
  output: 'codex-jsonl',
  plan: (request) => ({
    argv: [
      'codex',
      ...['exec', '--json', '--skip-git-repo-check', '-c', 'check_for_update_on_startup=false'],
      ...(choosesSandbox(request.extraArgs) ? [] : ['--sandbox', sandboxFor(request)]),
      ...(request.model === null ? [] : ['-m', request.model]),
      ...(request.hook === null ? [] : hookArguments(request.hook, request)),
      // codex's `resume` rejects options such as `--sandbox` after it, so they go before.
      ...request.extraArgs,
      ...(request.resume === null ? [] : ['resume', request.resume]),
      '-',
    ],
    env: request.env,
    stdin: 'prompt',
  }),
  /** Reads what `codex exec --json` prints. */
  parse: streamParser(Line, {
    'thread.started': ({ thread_id }) => inSession(thread_id),
    // Slow calls are reported at their start.
    'item.started': ({ item }) => eventsOf(item, STARTED),
    'item.completed': ({ item }) => eventsOf(item, COMPLETED),
    // codex's counts are cumulative over the whole thread, including resumed turns.
    'turn.completed': ({ usage }) => [used('total', usageOf('', tokensOf(usage))), succeeded()],
    // Retries, and a repetition of the turn's end; only `turn.failed` is final.
    error: ({ message }) => failureEvents({ status: null, message, fatal: false, ...retryIn(message) }),
    'turn.failed': ({ error: { message } }) => failed(failureEvents({ status: null, message, fatal: true })),
  }),
  model: null,
  cumulativeUsage: true,
  action,
  hook: commandHook({
    unseenInput: true,
    key: callKey,
    read: (text) => readHookCall(text, action, 'PreToolUse'),
    // Changed input needs `allow`; any other field makes the answer invalid, and the call runs.
    forms: {
      deny: preToolUseDenial,
      warn: (reason) => preToolUse({ additionalContext: reason }),
      modify: (input) => preToolUse({ permissionDecision: 'allow', updatedInput: input }),
    },
  }),
  inherits: { which: 'but-secrets', additional: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*'] },
  home: {
    folders: [{ path: '.codex', variable: 'CODEX_HOME', base: null }],
    settings: [
      '.codex/config.toml',
      '.codex/.env',
      '.codex/AGENTS.md',
      '.codex/AGENTS.override.md',
      '.codex/prompts',
      '.codex/skills',
      '.codex/rules',
      '.codex/hooks.json',
    ],
    sessions: ['.codex/sessions', '.codex/state_*.sqlite*', '.codex/thread_history_*.sqlite*'],
    signIns: [
      {
        path: '.codex/auth.json',
        holds: 'one',
        tokens: ['tokens.id_token', 'tokens.access_token', 'tokens.refresh_token'],
        times: ['last_refresh'],
        account: ['tokens.account_id'],
      },
    ],
    copies: [],
    nests: true,
  },
  notes: {
    files: ['AGENTS.md'],
    which: 'all',
    disablingArguments: ['project_doc_max_bytes'],
    // codex reads no notes in an untrusted project.
    onlyUnreviewed: true,
  },
  aside: { cannotBegin: /^(?:Error|ERROR): / },
  interactive: {
    file: '~/.codex/config.toml',
    settings: (command) =>
      `[[hooks.PreToolUse]]\nmatcher = ".*"\nhooks = [{ type = "command", command = ${JSON.stringify(failClosed(command))}, timeout = ${PATIENCE_SECONDS} }]\n`,
  },
  stopHook: {
    file: '.codex/hooks.json',
    needs: 'codex runs it once you trust the project, and the hook itself: /hooks in codex.',
    twice: null,
    read: stopMessages('Stop'),
    answer: stopAnswer('block', 'systemMessage'),
    ...stopSettings('codex', stopEntries('Stop')),
  },
  runsOnOpen: /(?:^|\/)\.codex\/(?:config\.toml|hooks\.json)$/,
  servers: { home: ['.codex/config.toml'], repository: ['.codex/config.toml'] },
  resumes: true,
  sessionless: ['--ephemeral'],
  usage: { tokens: 'end', cost: null },
  hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  login: { variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], files: ['.codex/auth.json'] },
  rootNeeds: null,
} satisfies Agent;

/** Reads a message such as "Reconnecting... 2/5 (unexpected status 503 …)". */
function retryIn(message: string) {
  const [, attempt, of] = /^Reconnecting\.\.\. (\d+)\/(\d+)/.exec(message) ?? [];
  return attempt === undefined ? {} : { retry: { attempt: Number(attempt), of: Number(of) } };
}

/**
 * Returns the arguments for codex's hook. Hooks are silently skipped without the trust flag. The flag trusts other
 * hooks, too, so the project's settings, which an agent could write, are disabled.
 */
function hookArguments({ client, patienceSeconds }: HookPlace, { cwd }: AgentRequest): string[] {
  const hook = `hooks=[{type="command",command=${tomlText(client)},timeout=${patienceSeconds}}]`;
  return [
    ...['-c', `hooks.PreToolUse=[{matcher=".*",${hook}}]`],
    ...['-c', `hooks.SessionStart=[{${hook}}]`],
    ...['-c', `projects={${tomlText(cwd)}={trust_level="untrusted"}}`],
    // Typing into a terminal reaches no hook, so programs get no terminal.
    ...['-c', 'features.unified_exec_tty=false'],
    '--dangerously-bypass-hook-trust',
  ];
}

/** Returns a basic string of TOML. JSON's strings are such strings, except for one control character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** Hook and stream differ in call numbers and in the names of two tools. */
function callKey({ tool, input }: Action): string {
  if (tool === 'apply_patch') return tool;
  if (tool === 'Bash' || tool === 'shell') {
    return `shell ${withoutShell(typeof input.command === 'string' ? input.command : '')}`;
  }
  return contentKey({ tool: tool.replace(/^mcp__(.+?)__/, '$1.'), input });
}

const SANDBOX_FLAGS = [
  '--sandbox',
  '-s',
  '--full-auto',
  '--yolo',
  '--dangerously-bypass-approvals-and-sandbox',
];

function choosesSandbox(args: readonly string[]): boolean {
  return args.some(
    (arg) => SANDBOX_FLAGS.includes(arg) || arg.startsWith('--sandbox=') || arg.includes('sandbox_mode='),
  );
}

type CodexUsage = ReturnType<typeof Line>['usage'];

function tokensOf(usage: CodexUsage) {
  const { input_tokens: input, output_tokens: output } = usage;
  return {
    input,
    output,
    cached: usage.cached_input_tokens,
    cacheWrite: usage.cache_write_input_tokens,
  };
}

type ItemEvents = Readonly<Record<string, (item: Item) => readonly AgentEvent[]>>;

const callOfTool = (item: Item) => [call(item, toolName(item), item.arguments)];

const STARTED: ItemEvents = {
  command_execution: (item) => [call(item, 'shell', { command: item.command })],
  mcp_tool_call: callOfTool,
  collab_tool_call: callOfTool,
};

const resultOfTool = (item: Item) => [
  endOf(item, isOk(item), read.outputText(item.result.content) || item.error.message),
];

const COMPLETED: ItemEvents = {
  agent_message: ({ text }) => textEvents(text),
  command_execution: (item) => [
    endOf(item, isOk(item) && (item.exit_code ?? 0) === 0, item.aggregated_output),
  ],
  mcp_tool_call: resultOfTool,
  collab_tool_call: resultOfTool,
  // Older releases report these only when finished, so call and result are both read here.
  file_change: (item) => [call(item, 'apply_patch', { changes: item.changes }), endOf(item, isOk(item), '')],
  web_search: (item) => [call(item, 'web_search', { query: item.query })],
  error: ({ message }) =>
    // codex warns of a flag that ralph itself sets, so that isn't a failure.
    message.includes('--dangerously-bypass-hook-trust')
      ? []
      : failureEvents({ status: null, message, fatal: false }),
};

/** Codex reports no invalid calls nor those a hook denied; declined ones never began. */
function endOf({ id, status }: Item, ok: boolean, output: string): AgentEvent {
  return status === 'declined' ? refused(id, output) : returned(id, ok, output);
}

function isOk({ status }: Item): boolean {
  return status !== 'failed' && status !== 'declined';
}

function call({ id }: Item, tool: string, input: Action['input']): AgentEvent {
  return called(action({ id, tool, input, cwd: null }));
}

function toolName(item: Item): string {
  const tool = item.tool || item.type;
  return item.server === '' ? tool : `${item.server}.${tool}`;
}
