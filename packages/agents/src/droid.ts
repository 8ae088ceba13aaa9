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
} from './events.ts';
import { failureEvents } from './failure.ts';
import { type HookPlace, NO_ANSWER } from './hook.ts';
import { commandHook, contentKey, preToolUse, preToolUseDenial, readHookCall } from './hooks/hook-forms.ts';
import { jsonSettings } from './hooks/interactive.ts';
import * as read from './lenient.ts';
import { type Agent, OF_PROVIDERS } from './protocol.ts';
import { epochMs } from './reset-time.ts';
import type { AnswerRow } from './service.ts';

const Line = read.fields({
  type: read.text,
  subtype: read.text,
  session_id: read.text,
  role: read.text,
  text: read.text,
  id: read.maybeText,
  toolName: read.text,
  parameters: read.object,
  isError: read.flag,
  value: read.anything,
  error: read.fields({ message: read.text }),
  /** Part of the program that reports the error: `agent_loop` has the cause, `cli` only begins or ends with it. */
  source: read.text,
  message: read.text,
  timestamp: read.maybeNumber,
  finalText: read.maybeText,
  usage: read.fields({
    input_tokens: read.number,
    output_tokens: read.number,
    cache_read_input_tokens: read.number,
    cache_creation_input_tokens: read.number,
  }),
});
type Line = ReturnType<typeof Line>;

const action = actionMapper({
  ...tools('file_read', 'Read', 'LS', 'Grep', 'Glob', 'TaskOutput', 'ToolSearch', 'Skill'),
  ...tools('message', 'TodoWrite', 'AskUser', 'ExitSpecMode'),
  ...tools('patch', 'ApplyPatch'),
  Execute: { kind: 'system_command', command: 'command' },
  Create: { kind: 'file_write', paths: ['file_path'], content: ['content'] },
  Edit: { kind: 'file_modify', paths: ['file_path'], content: ['new_str'] },
  FetchUrl: { kind: 'network_request', network: 'url' },
  WebSearch: { kind: 'network_request', network: 'query' },
});

/** Airgap mode allows only models of your own. */
const ANSWERS: readonly AnswerRow[] = [
  { status: [null], words: /^ ?Airgap Mode is enabled\b/, kind: 'model' },
];

const SETTINGS = 'settings.json';

/** Longest timer delay in seconds, 24 days: a longer one ends at once, and a timed-out hook allows the call. */
const LONGEST_SECONDS = 2_147_483;

/** Settings of one process, which override yours and the project's, as those could disable all hooks. */
function hookSettings({ client, patienceSeconds }: HookPlace): string {
  const timeout = Math.min(Math.max(patienceSeconds, 1), LONGEST_SECONDS);
  const hooks = [{ type: 'command', command: client, timeout }];
  return JSON.stringify({
    hooks: {
      hooksDisabled: false,
      SessionStart: [{ hooks }],
      PreToolUse: [{ matcher: '*', hooks }],
      PostToolUse: [{ matcher: '*', hooks }],
    },
  });
}

/** Adapter of Factory's droid, which reads the prompt from standard input if no argument has it. */
export const droid = {
  name: 'droid',
  install: 'npm i -g droid',
  contextWindow: 128_000,
  output: 'droid-stream',
  plan: (request) => ({
    argv: [
      'droid',
      ...['exec', '-o', 'stream-json', '--skip-permissions-unsafe'],
      // Helpers run in their own processes, which these settings don't reach.
      ...(request.hook === null
        ? []
        : ['--settings', `${request.hook.folder}/${SETTINGS}`, '--remove-tools', 'Task']),
      ...(request.model === null ? [] : ['--model', request.model]),
      // `--session-id` first asks the service for the session, which needs a sign-in.
      ...(request.resume === null ? [] : ['--fork', request.resume]),
      ...request.extraArgs,
    ],
    env: request.env,
    defaults: { FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: SETTINGS, content: hookSettings(request.hook) }],
  }),
  /** Reads what `droid exec -o stream-json` prints. */
  parse: streamParser(Line, {
    // The reported model is the default even when your settings name another.
    system: ({ subtype, session_id }) => (subtype === 'init' ? inSession(session_id) : []),
    message: ({ role, text }) => (role === 'assistant' ? textEvents(text) : []),
    tool_call: ({ id, toolName: tool, parameters: input }) => [
      called(action({ id, tool, input, cwd: null })),
    ],
    tool_result: endOfCall,
    error: errorEvents,
    completion: ({ finalText, usage }) => [used('total', tokensIn(usage)), succeeded(finalText)],
  }),
  model: null,
  // droid 0.225.2 takes the end of its hook as consent, and continues to work.
  endsAtOnce: true,
  cumulativeUsage: false,
  // All sessions share one log.
  log: { file: () => '.factory/logs/droid-log-single.log', read: readLog },
  action,
  hook: commandHook({
    key: contentKey,
    read: (text) => readHookCall(text, action, 'PreToolUse'),
    // The first hook's decision counts; exit code 2 always denies.
    denialCode: 2,
    forms: {
      deny: preToolUseDenial,
      warn: null,
      warnAfter: (reason) => ({
        hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: reason },
      }),
      modify: (input) => preToolUse({ permissionDecision: 'allow', updatedInput: input }),
    },
  }),
  inherits: { which: 'but-secrets', additional: ['FACTORY_*', ...OF_PROVIDERS] },
  home: {
    folders: [{ path: '.factory', variable: null, base: 'FACTORY_HOME_OVERRIDE' }],
    settings: [
      '.factory/settings.json',
      '.factory/settings.local.json',
      '.factory/config.json',
      '.factory/hooks.json',
      '.factory/mcp.json',
      '.factory/AGENTS.md',
      '.factory/commands',
      '.factory/plugins',
      '.factory/rules',
      '.factory/skills',
    ],
    sessions: ['.factory/sessions'],
    // The sign-in is encrypted, and a refresh invalidates the old one: a copy in the box would sign you out.
    signIns: [],
    copies: [],
    nests: false,
  },
  notes: { files: ['AGENTS.md', 'CLAUDE.md'], which: 'all', disablingArguments: [] },
  aside: { cannotBegin: /^Invalid model: /, answers: ANSWERS },
  interactive: { file: '.factory/settings.json', settings: jsonSettings('PreToolUse', '*', 'seconds') },
  stopHook: null,
  runsOnOpen: /(?:^|\/)\.factory\/(?:settings(?:\.local)?|hooks|mcp)\.json$/,
  servers: { home: ['.factory/mcp.json'], repository: ['.factory/mcp.json'] },
  resumes: true,
  usage: { tokens: 'end', cost: null },
  hosts: ['api.factory.ai', 'app.factory.ai', 'api.workos.com'],
  login: {
    variables: ['FACTORY_API_KEY'],
    files: ['.factory/auth.v2.file', '.factory/auth.v2.keyring', '.factory/auth.v2.loginkeychain'],
  },
  rootNeeds: null,
} satisfies Agent;

/** droid's input excludes tokens read from or written to the cache. */
function tokensIn(usage: Line['usage']) {
  const { input_tokens, output_tokens, cache_read_input_tokens: cached, cache_creation_input_tokens } = usage;
  const input = input_tokens + cached + cache_creation_input_tokens;
  return usageOf('', { input, output: output_tokens, cached, cacheWrite: cache_creation_input_tokens });
}

/** Calls refused before anything happened; a command's output comes after words about its end. */
const REFUSALS: readonly RegExp[] = [
  /^Error: \w+ is required\b/,
  /^Error: Error: The text to replace was not found /,
  /^Error: Error: Cannot (?:create|edit) file /,
  /^Error: Error: Path ".*" is a directory /,
  /^Error: Cannot authorize \S+ without /,
  /^Error: Not found: \S+ Only request exact tool names /,
  /^Error: Tool \S+ is registered but is not available /,
];
const EXIT_CODE = /^Error: Command failed \(exit code: (\d+)\)\n/;

function endOfCall({ id, isError, value, error: { message } }: Line): readonly AgentEvent[] {
  if (!isError) return [returned(id, true, value)];
  if (message.trim() === `Error: ${NO_ANSWER}` || REFUSALS.some((one) => one.test(message)))
    return [refused(id, message)];
  const code = EXIT_CODE.exec(message)?.[1];
  return [returned(id, false, message, code === undefined ? null : Number(code))];
}

/** Line that droid prints after the cause of a failure; it names none itself. */
const NO_CAUSE = 'Exec failed';

/** droid has given up after 90 s of silent retries. The message begins with the status if there was an answer. */
function errorEvents({ source, message, timestamp: at }: Line): readonly AgentEvent[] {
  if (source === 'cli' && message === NO_CAUSE) return failed([]);
  const status = /^(\d{3}) /.exec(message)?.[1];
  const name = /^Request timed out\b/.test(message) ? 'connection timed out' : '';
  const known = status === undefined ? null : Number(status);
  return failed(failureEvents({ status: known, name, message, own: ANSWERS, fatal: true, at }));
}

const LOGGED_ERROR = /^\[(\S+)\] WARN: \[LLM\] LLM error \| Context: (\{.*\})$/;
const Logged = read.fields({
  attempt: read.maybeNumber,
  statusCode: read.maybeNumber,
  tags: read.fields({ sessionId: read.text }),
});
/** Matches the cause, which follows in the log's next entry. */
const LOGGED_CAUSE = / \| Context: \{"cause":\{"name":"[^"]*","message":"([^"]*)"/;

/** Returns the last retried request in the log, which the stream doesn't report. */
function readLog(text: string, since: number, session: string): readonly AgentEvent[] {
  const lines = text.split('\n');
  const retried = lines.flatMap((line, index) => {
    const [, time = '', context = ''] = LOGGED_ERROR.exec(line) ?? [];
    const at = epochMs(time);
    const logged = at === null || at < since ? null : read.readLine(context, Logged);
    return logged?.tags.sessionId === session
      ? [{ at, index, status: logged.statusCode, attempt: logged.attempt }]
      : [];
  });
  const last = retried.at(-1);
  if (last === undefined) return [];
  const { at, index, status, attempt } = last;
  const causes = lines.slice(index + 1).flatMap((line) => LOGGED_CAUSE.exec(line)?.[1] ?? []);
  const message = causes[0] ?? 'API request failed, retrying';
  // A failed request without a status had no answer from the service.
  const name = status === null ? 'connection error' : '';
  return failureEvents({
    status,
    name,
    message,
    fatal: status === 429 || status === 402,
    at,
    retry: { attempt: attempt ?? retried.length },
  });
}
