import type { AgentEvent, HookPlace, SettingsOverlay } from '../domain/agent.ts';
import { actionMapper, tools } from './action.ts';
import type { BuiltInAgent } from './built-in.ts';
import {
  called,
  failed,
  inSession,
  ownFailure,
  returned,
  said,
  streamParser,
  succeeded,
  used,
} from './events.ts';
import { failureEvents } from './failure.ts';
import { commandHook, contentKey, readHookCall } from './hooks/hook-forms.ts';
import * as read from './lenient.ts';
import { epochMs } from './reset-time.ts';

const Line = read.fields({
  type: read.text,
  timestamp: read.text,
  session_id: read.text,
  role: read.text,
  content: read.text,
  delta: read.flag,
  tool_name: read.text,
  tool_id: read.maybeText,
  parameters: read.record,
  status: read.text,
  output: read.text,
  message: read.text,
  error: read.fields({ type: read.text, message: read.text }),
  stats: read.fields({
    input_tokens: read.number,
    output_tokens: read.number,
    cached: read.number,
    tool_calls: read.number,
  }),
});
type Line = ReturnType<typeof Line>;

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

const HOME = 'GEMINI_CLI_HOME';

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
  /** `-o stream-json` */
  parse: streamParser(Line, {
    init: ({ session_id }) => inSession(session_id),
    // The prompt comes back as a message of the user: it isn't the agent's claim.
    message: ({ role, content, delta }) => (role === 'assistant' ? said(content, delta) : []),
    tool_use: ({ tool_id: id, tool_name: tool, parameters: input }) => [
      called(action({ id, tool, input, cwd: null })),
    ],
    tool_result: ({ tool_id, status, output, error }) => [
      returned(tool_id, status === 'success', output || error.message),
    ],
    error: ({ message, error }) =>
      failureEvents({ status: null, message: message || error.message, fatal: false }),
    result: resultEvents,
  }),
  cumulativeUsage: false,
  ownWords: /^(?:Please set an Auth method|Error authenticating|Failed to (?:login|sign in))/,
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
    folders: [{ path: '.gemini', variable: null, base: HOME }],
    settings: [
      '.gemini/settings.json',
      '.gemini/.env',
      '.gemini/GEMINI.md',
      '.gemini/agents',
      '.gemini/skills',
      '.gemini/commands',
      '.gemini/extensions',
      '.gemini/policies',
      '.gemini/trustedFolders.json',
    ],
    signIns: ['.gemini/oauth_creds.json'],
    copies: [{ from: '.gemini/google_accounts.json', to: '.gemini/google_accounts.json' }],
    nests: false,
  },
  usage: 'tokens',
  login: { variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], files: ['.gemini/oauth_creds.json'] },
  rootNeeds: null,
};

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

/** What gemini itself says nothing of: it calls this a success. */
const NEVER_ASKED = 'gemini ended without asking its model; the prompt may be longer than the model takes';

function resultEvents({ status, stats, error, timestamp }: Line): readonly AgentEvent[] {
  const { input_tokens: input, output_tokens: output, cached, tool_calls } = stats;
  const usage = used('total', [input, output, cached]);
  if (status !== 'success') {
    const message = error.message || error.type;
    // What it failed of came before as an error of its own.
    if (message === '') return [usage, ...failed([])];
    return [usage, ...failed(failureEvents({ status: null, message, fatal: true, at: epochMs(timestamp) }))];
  }
  if (input + output + tool_calls === 0) return failed([ownFailure(NEVER_ASKED)]);
  return [usage, succeeded()];
}
