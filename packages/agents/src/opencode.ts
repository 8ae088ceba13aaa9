import { actionMapper, tools } from './action.ts';
import type { HookMessage } from './event.ts';
import { type AgentEvent, isLimit } from './event.ts';
import {
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
import { type HookPlace, NO_ANSWER } from './hook.ts';
import { NOT_UNDERSTOOD } from './hooks/hook-forms.ts';
import { askFunction, FREEZE, pluginHook } from './hooks/plugin-hook.ts';
import * as read from './lenient.ts';
import { type Agent, OF_PROVIDERS } from './protocol.ts';
import { isoTime } from './reset-time.ts';
import { type AnswerRow, limitKind, serviceKind, statusOf } from './service.ts';

const Line = read.fields({
  type: read.text,
  /** Time of the line in milliseconds since 1970. */
  timestamp: read.maybeNumber,
  sessionID: read.text,
  part: read.fields({
    text: read.text,
    reason: read.text,
    synthetic: read.flag,
    metadata: read.fields({ compaction_continue: read.flag }),
    tool: read.text,
    callID: read.maybeText,
    state: read.fields({
      status: read.text,
      input: read.object,
      output: read.anything,
      error: read.text,
      metadata: read.fields({ exit: read.maybeNumber }),
    }),
    tokens: read.fields({
      input: read.number,
      output: read.number,
      reasoning: read.number,
      cache: read.fields({ read: read.number, write: read.number }),
    }),
    cost: read.maybeNumber,
  }),
  error: read.fields({
    name: read.text,
    data: read.fields({ message: read.text, statusCode: read.maybeNumber, responseHeaders: read.object }),
  }),
});
type Line = ReturnType<typeof Line>;

/** opencode offers codex's tools with some models. */
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

/** opencode prints only this for a model missing from its list. */
const ANSWERS: readonly AnswerRow[] = [
  { status: [null], words: /\bUnexpected server error\b/, kind: 'model' },
];

const plugin = pluginHook(action, true);
const PLUGIN_FILE = 'hook.mjs';

/** Adapter of opencode in `run` mode; the model is named `provider/model`. */
export const opencode: Agent = {
  name: 'opencode',
  install: 'npm i -g opencode-ai',
  contextWindow: 128_000,
  output: 'opencode-json',
  plan: (request) => ({
    argv: [
      'opencode',
      ...['run', '--format', 'json', '--auto'],
      ...(request.model === null ? [] : ['-m', request.model]),
      // Without a title, opencode asks its model for one.
      ...(request.resume === null ? ['--title', request.title] : ['--session', request.resume]),
      ...request.extraArgs,
    ],
    env: {
      ...request.env,
      // Settings in the environment are merged with yours and the project's.
      ...(request.hook !== null && {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ plugin: [`file://${request.hook.folder}/${PLUGIN_FILE}`] }),
      }),
    },
    defaults: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    stdin: 'prompt',
    files: request.hook === null ? [] : [{ name: PLUGIN_FILE, content: opencodePlugin(request.hook) }],
  }),
  /** `--format json`; there is no closing report, the process just ends. */
  parse: streamParser(Line, {
    step_start: ({ sessionID }) => inSession(sessionID),
    // Synthetic text in your name isn't the agent's words.
    text: ({ part }) => {
      if (part.metadata.compaction_continue) return [COMPACTED];
      return part.synthetic ? [] : textEvents(part.text);
    },
    tool_use: toolEvents,
    step_finish: usageEvents,
    error: (line) => [...inSession(line.sessionID), ...errorEvents(line)],
  }),
  model: null,
  cumulativeUsage: false,
  action,
  hook: { ...plugin, read: readOpencodePlugin },
  inherits: { which: 'but-secrets', additional: ['OPENCODE_*', ...OF_PROVIDERS] },
  home: {
    folders: [
      { path: '.local/share/opencode', variable: null, base: 'XDG_DATA_HOME' },
      { path: '.local/state/opencode', variable: null, base: 'XDG_STATE_HOME' },
      { path: '.config/opencode', variable: null, base: 'XDG_CONFIG_HOME' },
      { path: '.cache/opencode', variable: null, base: 'XDG_CACHE_HOME' },
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
    sessions: ['.local/share/opencode/opencode.db*', '.local/share/opencode/storage'],
    signIns: [
      {
        path: '.local/share/opencode/auth.json',
        holds: 'many',
        tokens: ['access', 'refresh'],
        times: ['expires'],
        account: ['accountId'],
      },
    ],
    copies: [],
    nests: false,
  },
  notes: { files: ['AGENTS.md', 'CLAUDE.md'], which: 'first', disablingArguments: [] },
  aside: { cannotBegin: /^Error: /, answers: ANSWERS },
  acp: {
    args: ['acp'],
    // Without this variable, opencode never asks.
    env: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
    modelFlag: null,
    edits: 'each',
    commands: 'each',
    network: 'each',
  },
  interactive: null,
  stopHook:
    'opencode calls its plug-ins when a session has stopped: "opencode run" ends without reading what they send. A hook there would check nothing',
  runsOnOpen: /(?:^|\/)(?:opencode\.jsonc?$|\.opencode\/plugins?\/)/,
  servers: {
    home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
    repository: ['opencode.json', 'opencode.jsonc'],
  },
  resumes: true,
  usage: { tokens: 'live', cost: 'live' },
  hosts: ['opencode.ai', 'models.dev', 'api.anthropic.com', 'api.openai.com'],
  login: {
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
    files: ['.local/share/opencode/auth.json'],
  },
  rootNeeds: null,
};

/**
 * Source of a plug-in. One that throws at its start is silently skipped, so it never does; without a reviewer each
 * call is denied. It also reports the model and waits for the service, which the stream lacks. Allowed calls are
 * frozen, so another plug-in that changes one blocks it. Warnings are appended to a call's result.
 */
function opencodePlugin(place: HookPlace): string {
  return `${askFunction(place)}
${FREEZE}
export const RalphHook = async () => {
  await ask({ kind: "ready" }).catch(() => undefined);
  let model;
  const warnings = new Map();
  return {
    event: async ({ event }) => {
      const { status, info } = event.properties ?? {};
      if (event.type === "message.updated" && info?.role === "assistant" && info.modelID !== model) {
        model = info.modelID;
        await ask({ kind: "model", text: info.providerID + "/" + info.modelID }).catch(() => undefined);
      }
      if (event.type !== "session.status" || status?.type !== "retry") return;
      const wait = { kind: "waits", text: String(status.message), now: Date.now(), until: status.next, attempt: status.attempt };
      await ask(wait).catch(() => undefined);
    },
    "tool.execute.before": async (call, { args }) => {
      const asked = JSON.stringify(args);
      const { input, warning } = await ask({ kind: "action", tool: call.tool, id: call.callID, input: args });
      if (JSON.stringify(args) !== asked) throw new Error("ralph: the call was changed while it was reviewed.");
      if (input !== undefined) {
        for (const name of Object.keys(args)) delete args[name];
        Object.assign(args, input);
      }
      freeze(args);
      if (warning !== undefined) warnings.set(call.callID, warning);
    },
    "tool.execute.after": async ({ callID }, result) => {
      const warning = warnings.get(callID);
      warnings.delete(callID);
      if (warning !== undefined && typeof result?.output === "string") result.output += "\\n\\n" + warning;
    },
  };
};
`;
}

const Waits = read.fields({
  kind: read.text,
  text: read.text,
  now: read.number,
  until: read.number,
  attempt: read.maybeNumber,
});

/** Shorter waits, in milliseconds, mean that the service is merely down. */
const LIMIT_FROM_MS = 60_000;

/** Retried calls are reported without a status; times in epoch milliseconds. */
function readOpencodePlugin(message: string): HookMessage {
  const report = read.readLine(message, Waits);
  if (report?.kind === 'model') return { kind: 'events', events: withModel(report.text) };
  if (report?.kind !== 'waits') return plugin.read(message);
  const { now, until } = report;
  const words = serviceKind({ status: null, words: report.text, own: ANSWERS });
  const guess = until - now >= LIMIT_FROM_MS ? 'rate_limited' : 'outage';
  const kind = words === 'other' ? guess : words;
  // The event of the limit is read the same way.
  const cause = isLimit(kind) && until > now ? limitKind(report.text, until - now) : kind;
  const retry = {
    status: statusOf(null, report.text),
    attempt: report.attempt,
    of: null,
    inMs: until > now ? until - now : null,
  };
  const error: AgentEvent = { kind: 'error', cause, message: report.text, fatal: false, retry };
  const limit: AgentEvent = { kind: 'limit', message: report.text, resetsAt: isoTime(until), inWords: false };
  return { kind: 'events', events: isLimit(cause) && until > now ? [limit, error] : [error] };
}

/** Matches opencode's messages about calls that never began: invalid parameters, or no answer of the hook. */
const REFUSALS: readonly RegExp[] = [
  /^The \S+ tool was called with invalid arguments: /,
  /^Model tried to call unavailable tool /,
  new RegExp(`^(?:Error: )?(?:${NO_ANSWER}|${NOT_UNDERSTOOD})$`),
];

/** Tools are reported when finished, so call and result come together. */
function toolEvents({ part: { tool, callID: id, state } }: Line): readonly AgentEvent[] {
  const { status, input, output, error, metadata } = state;
  return [
    called(action({ id, tool, input, cwd: null })),
    // Errors never contain a command's output.
    status === 'error' && REFUSALS.some((one) => one.test(error))
      ? refused(id, error)
      : returned(id, status === 'completed', read.outputText(output) || error, metadata.exit),
  ];
}

/** Returns the usage of one step; `input` excludes cached tokens. */
function usageEvents({ part: { tokens: step, cost, reason } }: Line): readonly AgentEvent[] {
  const { input, output, reasoning, cache } = step;
  const tokens = {
    input: input + cache.read + cache.write,
    output: output + reasoning,
    cached: cache.read,
    cacheWrite: cache.write,
  };
  const usage = usageOf('', tokens, cost);
  const isEmpty = reason === 'unknown' && usage.inputTokens + usage.outputTokens === 0;
  return [used('add', usage), ...(isEmpty ? [EMPTY_ANSWER] : [])];
}

/** opencode compacts a long session now and then; with a full context, it does so after every step. */
const COMPACTED: AgentEvent = {
  // Between two of these errors come at most two reports of usage: the step's and the summary's.
  kind: 'error',
  cause: 'context',
  fatal: false,
  endless: 2,
  message: 'context limit: the conversation was compacted, and was too long again after one step',
};

/** An empty stream or a proxy's page comes from no model; opencode retries at once, endlessly. */
const EMPTY_ANSWER: AgentEvent = {
  // Between two of these errors comes at most one report of usage: the ended step's.
  kind: 'error',
  cause: 'outage',
  fatal: false,
  endless: 1,
  message: 'the answer of the service was empty or in no known format, and so were those before it',
};

function errorEvents(data: Line): readonly AgentEvent[] {
  const { name, data: details } = data.error;
  const seconds = Number(details.responseHeaders['retry-after']);
  const waits = data.timestamp !== null && seconds > 0;
  // opencode endlessly retries a conversation that doesn't fit even when compacted.
  const again = name === 'ContextOverflowError' ? { endless: 2 } : {};
  const events = failureEvents({
    status: details.statusCode,
    name: name === 'ProviderAuthError' ? 'authentication' : name,
    message: details.message || name,
    own: ANSWERS,
    fatal: true,
    at: data.timestamp,
    resetsAt: waits ? isoTime((data.timestamp ?? 0) + seconds * 1000) : null,
  });
  return events.map((event) => (event.kind === 'error' ? { ...event, ...again } : event));
}
