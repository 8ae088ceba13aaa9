import type { Action } from '../domain/action.ts';
import type { AgentEvent, AgentRequest, HookPlace } from '../domain/agent.ts';
import { withoutShell } from '../lib/shell-quote.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { failureEvents } from './failure.ts';
import { commandHook, contentKey, preToolUse, preToolUseDenial, readHookCall } from './hooks/hook-forms.ts';
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
} from './lenient.ts';

const Line = fields({
  type: text,
  thread_id: text,
  message: text,
  error: fields({ message: text }),
  usage: fields({ input_tokens: number, cached_input_tokens: number, output_tokens: number }),
  item: fields({
    id: maybeText,
    type: text,
    text,
    message: text,
    command: text,
    aggregated_output: text,
    exit_code: maybeNumber,
    status: text,
    changes: anything,
    server: text,
    tool: text,
    arguments: record,
    result: fields({ content: anything }),
    error: fields({ message: text }),
    query: text,
  }),
});
type Line = NonNullable<ReturnType<typeof readCodex>>;
type Item = Line['item'];

const readCodex = (line: string) => readLine(line, Line);

const SHELL = { kind: 'system_command', command: 'command' } as const;

/** The stream and the hook have different names for the shell; older releases and other models further ones. */
const action = actionMapper({
  ...tools('file_read', 'view_image', 'list_dir', 'grep_files', 'read_file'),
  ...tools('message', 'update_plan'),
  ...{ Bash: SHELL, shell: SHELL, shell_command: SHELL, local_shell: SHELL, 'container.exec': SHELL },
  command_execution: SHELL,
  exec_command: { kind: 'system_command', command: 'cmd' },
  write_stdin: { kind: 'typing', content: ['chars'] },
  ...tools('patch', 'apply_patch', 'file_change'),
  web_search: { kind: 'network_request', network: 'query' },
});

/** Codex, `exec` mode, in its own workspace sandbox unless you chose another (decisions.md, Git defaults). */
export const codex: BuiltInAgent = {
  name: 'codex',
  output: 'codex-jsonl',
  plan: (request) => ({
    argv: [
      'codex',
      ...['exec', '--json', '--skip-git-repo-check'],
      ...(choosesSandbox(request.extraArgs) ? [] : ['--sandbox', 'workspace-write']),
      ...(request.model === null ? [] : ['-m', request.model]),
      ...(request.hook === null ? [] : hookArguments(request.hook, request)),
      // `resume` takes few options of its own: `--sandbox` behind it is an error, so all of them stand before it.
      ...request.extraArgs,
      ...(request.resume === null ? [] : ['resume', request.resume]),
      '-',
    ],
    env: request.env,
    stdin: 'prompt',
  }),
  parse: parseCodex,
  cumulativeUsage: true,
  action,
  hook: commandHook({
    unseenInput: true,
    key: callKey,
    read: (text) => readHookCall(text, action, 'PreToolUse'),
    // Changed input counts only with `allow`; any field besides makes the answer invalid, and the call runs.
    forms: {
      deny: preToolUseDenial,
      warn: null,
      modify: (input) => preToolUse({ permissionDecision: 'allow', updatedInput: input }),
    },
  }),
  home: {
    folders: [{ path: '.codex', variable: 'CODEX_HOME' }],
    settings: [
      '.codex/config.toml',
      '.codex/AGENTS.md',
      '.codex/prompts',
      '.codex/skills',
      '.codex/rules',
      '.codex/hooks.json',
    ],
    signIns: ['.codex/auth.json'],
  },
  usage: 'tokens',
  login: { variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], files: ['.codex/auth.json'] },
  rootNeeds: null,
};

/**
 * Hooks for this run alone. Without the trust flag they are skipped in silence; it also trusts hooks of others, so the
 * project's own settings, which an agent could write, do not count (agent-hooks.md, Codex).
 */
function hookArguments({ client, patienceSeconds }: HookPlace, { cwd }: AgentRequest): string[] {
  const hook = `hooks=[{type="command",command=${tomlText(client)},timeout=${patienceSeconds}}]`;
  return [
    ...['-c', `hooks.PreToolUse=[{matcher=".*",${hook}}]`],
    ...['-c', `hooks.SessionStart=[{${hook}}]`],
    ...['-c', `projects={${tomlText(cwd)}={trust_level="untrusted"}}`],
    '--dangerously-bypass-hook-trust',
  ];
}

/** JSON's strings are TOML's basic strings, but for a control character that TOML wants escaped. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** Numbers of calls differ between hook and stream, and so do the names of its two tools. */
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

/** One line of `exec --json`. */
export function parseCodex(line: string): readonly AgentEvent[] {
  const data = readCodex(line);
  if (data === null) return [];
  switch (data.type) {
    case 'thread.started':
      return data.thread_id === '' ? [] : [{ kind: 'session', id: data.thread_id }];
    case 'item.started':
      return startedEvents(data.item);
    case 'item.completed':
      return completedEvents(data.item);
    case 'turn.completed':
      return [usageEvent(data), { kind: 'result', ok: true, text: null }];
    // Retries, and the same words as the end of the turn: only `turn.failed` is terminal.
    case 'error':
      return failureEvents({ status: null, message: data.message, fatal: false });
    case 'turn.failed':
      return [
        ...failureEvents({ status: null, message: data.error.message, fatal: true }),
        { kind: 'result', ok: false, text: null },
      ];
    default:
      return [];
  }
}

/** Calls that take time are reported when they begin. */
function startedEvents(item: Item): readonly AgentEvent[] {
  switch (item.type) {
    case 'command_execution':
      return [called(item, 'shell', { command: item.command })];
    case 'mcp_tool_call':
    case 'collab_tool_call':
      return [called(item, toolName(item), item.arguments)];
    default:
      return [];
  }
}

function completedEvents(item: Item): readonly AgentEvent[] {
  const ok = item.status !== 'failed' && item.status !== 'declined';
  switch (item.type) {
    case 'agent_message':
      return item.text === '' ? [] : [{ kind: 'text', text: item.text, delta: false }];
    case 'command_execution':
      return [
        {
          kind: 'tool_result',
          id: item.id,
          ok: ok && (item.exit_code ?? 0) === 0,
          output: outputText(item.aggregated_output),
        },
      ];
    case 'mcp_tool_call':
    case 'collab_tool_call':
      return [
        {
          kind: 'tool_result',
          id: item.id,
          ok,
          output: outputText(item.result.content) || item.error.message,
        },
      ];
    // Older releases report these only when they are finished, so call and result are both taken from here.
    case 'file_change':
      return [
        called(item, 'apply_patch', { changes: item.changes }),
        { kind: 'tool_result', id: item.id, ok, output: '' },
      ];
    case 'web_search':
      return [called(item, 'web_search', { query: item.query })];
    case 'error':
      // Said of the flag that ralph itself gives.
      if (item.message.includes('--dangerously-bypass-hook-trust')) return [];
      return failureEvents({ status: null, message: item.message, fatal: false });
    default:
      return [];
  }
}

function called({ id }: Item, tool: string, input: Action['input']): AgentEvent {
  return { kind: 'tool_call', action: action({ id, tool, input, cwd: null }) };
}

function toolName(item: Item): string {
  const tool = item.tool || item.type;
  return item.server === '' ? tool : `${item.server}.${tool}`;
}

/** Cumulative over the whole thread, resumed turns included. */
function usageEvent(data: Line): AgentEvent {
  return {
    kind: 'usage',
    scope: 'total',
    usage: {
      inputTokens: data.usage.input_tokens,
      outputTokens: data.usage.output_tokens,
      cachedTokens: data.usage.cached_input_tokens,
      costUsd: null,
    },
  };
}
