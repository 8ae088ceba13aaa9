import { actionMapper, tools } from './action.ts';
import type { AgentEvent } from './event.ts';
import {
  called,
  failed,
  inSession,
  refused,
  returned,
  streamParser,
  succeeded,
  textEvents,
  usageOf,
  used,
  withModel,
} from './events.ts';
import { failureEvents } from './failure.ts';
import type { HookPlace } from './hook.ts';
import { commandHook, contentKey, readHookCall } from './hooks/hook-forms.ts';
import { jsonSettings } from './hooks/interactive.ts';
import { stopAnswer, stopEntries, stopMessages, stopSettings } from './hooks/stop-hook.ts';
import * as read from './lenient.ts';
import type { Agent, SettingsOverlay } from './protocol.ts';
import { epochMs } from './reset-time.ts';

const Line = read.fields({
  type: read.text,
  timestamp: read.text,
  session_id: read.text,
  model: read.text,
  role: read.text,
  content: read.text,
  delta: read.flag,
  tool_name: read.text,
  tool_id: read.maybeText,
  parameters: read.object,
  status: read.text,
  output: read.text,
  message: read.text,
  error: read.fields({ type: read.text, message: read.text }),
  stats: read.fields({
    models: read.object,
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

/** Types of errors that occur before a tool begins; tools cause other types. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_tool_params',
  'tool_not_registered',
  'policy_violation',
]);

const HOME = 'GEMINI_CLI_HOME';

/** Adapter of Gemini CLI, which reads the prompt from standard input without `-p`. */
export const gemini = {
  name: 'gemini',
  install: 'npm i -g @google/gemini-cli',
  contextWindow: 1_000_000,
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
  /** Reads what `gemini -o stream-json` prints. */
  parse: streamParser(Line, {
    init: ({ session_id, model }) => [...inSession(session_id), ...withModel(model)],
    // gemini repeats the prompt as a user message, which isn't the agent's claim.
    message: ({ role, content, delta }) => (role === 'assistant' ? textEvents(content, delta) : []),
    tool_use: ({ tool_id: id, tool_name: tool, parameters: input }) => [
      called(action({ id, tool, input, cwd: null })),
    ],
    tool_result: ({ tool_id: id, status, output, error }) => [
      REFUSALS.has(error.type)
        ? refused(id, output || error.message)
        : returned(id, status === 'success', output || error.message),
    ],
    error: ({ message, error }) =>
      failureEvents({ status: null, message: message || error.message, fatal: false }),
    result: resultEvents,
  }),
  model: null,
  cumulativeUsage: false,
  action,
  hook: commandHook({
    key: contentKey,
    read: (text) => readHookCall(text, action, 'BeforeTool'),
    // gemini drops hook messages before a call; messages after it reach the model with the result.
    forms: {
      deny: (reason) => ({ decision: 'deny', reason }),
      warn: null,
      warnAfter: (reason) => ({
        hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: reason },
      }),
      modify: (input) => ({
        decision: 'allow',
        hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input },
      }),
    },
  }),
  inherits: { which: 'but-secrets', additional: ['GEMINI_*', 'GOOGLE_*'] },
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
    sessions: ['.gemini/tmp', '.gemini/projects.json'],
    signIns: [
      {
        path: '.gemini/oauth_creds.json',
        holds: 'one',
        tokens: ['access_token', 'id_token'],
        times: ['expiry_date'],
        // Google's refresh token stays the same.
        account: ['refresh_token'],
      },
    ],
    copies: [{ from: '.gemini/google_accounts.json', to: '.gemini/google_accounts.json' }],
    nests: false,
  },
  notes: { files: ['GEMINI.md'], which: 'all', disablingArguments: [] },
  aside: {
    cannotBegin:
      /^(?:Please set an Auth method|Error authenticating|Failed to (?:login|sign in)|When using (?:Gemini API|Vertex AI), you must specify|Error when talking to Gemini API|\[API Error: )/,
    retries: /^Attempt (\d+) failed with status (\d{3})\. Retrying/,
    exitAnswer: answerOfExit,
  },
  acp: {
    args: ['--acp', '--approval-mode', 'default', '--skip-trust'],
    env: {},
    modelFlag: '-m',
    edits: 'each',
    commands: 'some',
    network: 'each',
  },
  interactive: { file: '.gemini/settings.json', settings: jsonSettings('BeforeTool', '.*', 'milliseconds') },
  stopHook: {
    file: '.gemini/settings.json',
    needs: 'gemini runs it in a folder that you trust: it asks at its first start there.',
    twice: null,
    read: stopMessages('AfterAgent'),
    answer: stopAnswer('deny', 'systemMessage'),
    ...stopSettings('gemini', stopEntries('AfterAgent', 0.001)),
  },
  runsOnOpen: /(?:^|\/)\.gemini\/settings(?:\.local)?\.json$/,
  servers: { home: ['.gemini/settings.json'], repository: ['.gemini/settings.json'] },
  resumes: true,
  usage: { tokens: 'end', cost: null },
  hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
  login: { variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], files: ['.gemini/oauth_creds.json'] },
  rootNeeds: null,
} satisfies Agent;

/** Only root may write machine settings, so hooks are merged into your settings. Timeouts in milliseconds. */
function hookSettings({ client, patienceSeconds }: HookPlace): SettingsOverlay {
  const hooks = [{ type: 'command', name: 'ralph', command: client, timeout: patienceSeconds * 1000 }];
  return {
    variable: HOME,
    folder: '.gemini',
    file: 'settings.json',
    add: {
      // gemini's default of ten tries takes longer than many attempts may.
      general: { enableAutoUpdate: false, maxAttempts: 4 },
      hooks: {
        BeforeTool: [{ matcher: '.*', hooks }],
        AfterTool: [{ matcher: '.*', hooks }],
        SessionStart: [{ hooks }],
      },
    },
    kept: ['tmp', 'history'],
    siblings: ['.env'],
  };
}

function answerOfExit(code: number) {
  if (code === 41) return { status: 401, words: 'gemini ended with 41: no way to sign in is set' };
  // gemini exits with the last eight bits of an HTTP status from 400 to 511.
  if (code < 144) return null;
  return { status: code + 256, words: `gemini ended with ${code}: HTTP status ${code + 256}` };
}

/** gemini reports this case as success. */
const NEVER_ASKED = 'gemini ended without asking its model; the prompt may be longer than the model takes';

function resultEvents({ status, stats, error, timestamp }: Line): readonly AgentEvent[] {
  const { input_tokens: input, output_tokens: output, tool_calls } = stats;
  const usage = used('total', ...usageByModel(stats));
  if (status !== 'success') {
    const message = error.message || error.type;
    // An earlier error event has the cause.
    if (message === '') return [usage, ...failed([])];
    return [usage, ...failed(failureEvents({ status: null, message, fatal: true, at: epochMs(timestamp) }))];
  }
  if (input + output + tool_calls === 0)
    return failed([{ kind: 'error', cause: 'context', message: NEVER_ASKED, fatal: true }]);
  return [usage, succeeded()];
}

const ModelStats = read.fields({
  input_tokens: read.number,
  output_tokens: read.number,
  cached: read.number,
});

/** Returns usage by model; the totals when the models aren't listed. */
function usageByModel(stats: Line['stats']) {
  const models = Object.entries(stats.models).map(([name, value]) => [name, ModelStats(value)] as const);
  const all = models.length === 0 ? [['', stats] as const] : models;
  return all.map(([name, { input_tokens: input, output_tokens: output, cached }]) =>
    usageOf(name, { input, output, cached, cacheWrite: 0 }),
  );
}
