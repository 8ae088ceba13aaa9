import type { AgentEvent, HookPlace, SettingsOverlay } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import { failureEvents } from './failure.ts';
import { commandHook, contentKey, readHookCall } from './hooks/hook-forms.ts';
import { fields, flag, maybeText, number, outputText, readLine, record, text } from './lenient.ts';
import { epochMs } from './reset-time.ts';

const Line = fields({
  type: text,
  timestamp: text,
  session_id: text,
  role: text,
  content: text,
  delta: flag,
  tool_name: text,
  tool_id: maybeText,
  parameters: record,
  status: text,
  output: text,
  message: text,
  error: fields({ type: text, message: text }),
  stats: fields({ input_tokens: number, output_tokens: number, cached: number, tool_calls: number }),
});
type Line = NonNullable<ReturnType<typeof readGemini>>;

const readGemini = (line: string) => readLine(line, Line);

const action = actionMapper({
  ...tools('file_read', 'read_file', 'read_many_files', 'list_directory', 'glob', 'get_internal_docs'),
  ...tools('file_read', 'search_file_content', 'grep_search'),
  ...tools('message', 'write_todos'),
  run_shell_command: { kind: 'system_command', command: 'command' },
  write_file: { kind: 'file_write', paths: ['file_path'], content: ['content'] },
  replace: { kind: 'file_modify', paths: ['file_path'], content: ['new_string'] },
  save_memory: { kind: 'file_write', writes: ['~/.gemini/GEMINI.md'], content: ['fact'] },
  web_fetch: { kind: 'network_request', network: 'prompt' },
  google_web_search: { kind: 'network_request', network: 'query' },
});

/** Gemini CLI; without `-p` it reads the prompt from standard input. */
export const gemini: BuiltInAgent = {
  name: 'gemini',
  output: 'gemini-stream',
  plan: (request) => ({
    argv: [
      'gemini',
      ...['-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
      ...(request.model === null ? [] : ['-m', request.model]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      ...request.extraArgs,
    ],
    env: { ...request.env, ...(request.hook === null ? {} : { [HOME]: request.hook.folder }) },
    stdin: 'prompt',
    ...(request.hook === null ? {} : { overlay: hookSettings(request.hook) }),
  }),
  parse: parseGemini,
  cumulativeUsage: false,
  action,
  hook: commandHook({
    key: contentKey,
    read: (text) => readHookCall(text, action, 'BeforeTool'),
    // What a hook adds before a call is dropped (agent-hooks.md, Gemini).
    forms: {
      deny: (reason) => ({ decision: 'deny', reason }),
      warn: null,
      modify: (input) => ({
        decision: 'allow',
        hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input },
      }),
    },
  }),
  home: {
    folders: [{ path: '.gemini', variable: null }],
    settings: [
      '.gemini/settings.json',
      '.gemini/GEMINI.md',
      '.gemini/commands',
      '.gemini/extensions',
      '.gemini/policies',
      '.gemini/trustedFolders.json',
    ],
    signIns: ['.gemini/oauth_creds.json', '.gemini/google_accounts.json'],
  },
  usage: 'tokens',
  login: { variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], files: ['.gemini/oauth_creds.json'] },
  rootNeeds: null,
};

const HOME = 'GEMINI_CLI_HOME';

/**
 * Nothing could switch off settings of the machine, but gemini takes them from root alone. So the hooks come with your
 * own settings. Timeouts in milliseconds.
 */
function hookSettings({ client, patienceSeconds }: HookPlace): SettingsOverlay {
  const hooks = [{ type: 'command', name: 'ralph', command: client, timeout: patienceSeconds * 1000 }];
  return {
    variable: HOME,
    folder: '.gemini',
    file: 'settings.json',
    add: { hooks: { BeforeTool: [{ matcher: '.*', hooks }], SessionStart: [{ hooks }] } },
    kept: ['tmp', 'history'],
    beside: ['.env'],
  };
}

/** One line of `-o stream-json`. */
export function parseGemini(line: string): readonly AgentEvent[] {
  const data = readGemini(line);
  if (data === null) return [];
  switch (data.type) {
    case 'init':
      return data.session_id === '' ? [] : [{ kind: 'session', id: data.session_id }];
    case 'message':
      // The prompt comes back as a message of the user: it isn't the agent's claim.
      if (data.role !== 'assistant' || data.content === '') return [];
      return [{ kind: 'text', text: data.content, delta: data.delta }];
    case 'tool_use':
      return [
        {
          kind: 'tool_call',
          action: action({ id: data.tool_id, tool: data.tool_name, input: data.parameters, cwd: null }),
        },
      ];
    case 'tool_result':
      return [
        {
          kind: 'tool_result',
          id: data.tool_id,
          ok: data.status === 'success',
          output: outputText(data.output || data.error.message),
        },
      ];
    case 'error':
      return failureEvents({ status: null, message: data.message || data.error.message, fatal: false });
    case 'result':
      return resultEvents(data);
    default:
      return [];
  }
}

/** What gemini itself says nothing of: it calls this a success. */
const NEVER_ASKED = 'gemini ended without asking its model; the prompt may be longer than the model takes';

function resultEvents(data: Line): readonly AgentEvent[] {
  const usage: AgentEvent = {
    kind: 'usage',
    scope: 'total',
    usage: {
      inputTokens: data.stats.input_tokens,
      outputTokens: data.stats.output_tokens,
      cachedTokens: data.stats.cached,
      costUsd: null,
    },
  };
  const { type, message } = data.error;
  const { input_tokens, output_tokens, tool_calls } = data.stats;
  if (data.status === 'success' && input_tokens + output_tokens + tool_calls === 0) {
    return [
      { kind: 'error', cause: 'other', message: NEVER_ASKED, fatal: true },
      { kind: 'result', ok: false, text: null },
    ];
  }
  if (data.status === 'success') return [usage, { kind: 'result', ok: true, text: null }];
  return [
    usage,
    ...failureEvents({ status: null, message: message || type, fatal: true, at: epochMs(data.timestamp) }),
    { kind: 'result', ok: false, text: null },
  ];
}
