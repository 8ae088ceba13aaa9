import type { Action } from 'ralph-kit/actions/action';
import { isObject } from 'ralph-kit/is-object';
import { own } from 'ralph-kit/own';
import { actionMapper, tools } from '../action.ts';
import type { AgentEvent } from '../event.ts';
import {
  called,
  failed,
  inSession,
  ownFailure,
  refused,
  returned,
  succeeded,
  textEvents,
  usageOf,
  used,
  withModel,
} from '../events.ts';
import { failureEvents } from '../failure.ts';
import * as read from '../lenient.ts';

const Content = read.list(
  read.fields({
    type: read.text,
    content: read.fields({ text: read.text }),
    path: read.text,
    newText: read.maybeText,
  }),
);

const Tokens = read.fields({
  inputTokens: read.number,
  outputTokens: read.number,
  cachedReadTokens: read.number,
  cachedWriteTokens: read.number,
});

/** goose's own fields: the tool, and helpers' calls. */
const OfGoose = read.fields({
  goose: read.fields({ toolCall: read.fields({ toolName: read.text }) }),
  toolNotification: read.fields({
    params: read.fields({
      data: read.fields({
        type: read.text,
        tool_call: read.fields({ name: read.text, arguments: read.object }),
      }),
    }),
  }),
});

const GOOSE_KINDS: Readonly<Partial<Record<string, string>>> = {
  shell: 'execute',
  write: 'edit',
  edit: 'edit',
  tree: 'read',
  analyze: 'read',
  read_image: 'read',
  load: 'read',
  load_skill: 'read',
};

/** Call in an update or question; missing fields keep their earlier value. */
const CALL = {
  toolCallId: read.text,
  title: read.maybeText,
  kind: read.maybeText,
  status: read.text,
  rawInput: read.maybeObject,
  rawOutput: read.anything,
  content: read.anything,
  locations: read.anything,
  _meta: OfGoose,
};
const Call = read.fields(CALL);
type Reported = ReturnType<typeof Call>;

const Locations = read.list(read.fields({ path: read.text }));

const Line = read.fields({
  id: read.anything,
  method: read.text,
  params: read.fields({
    update: read.anything,
    toolCall: read.maybeObject,
  }),
  result: read.fields({
    stopReason: read.text,
    sessionId: read.text,
    models: read.fields({ currentModelId: read.text }),
    configOptions: read.list(read.fields({ category: read.text, currentValue: read.text })),
    usage: read.maybeObject,
    _meta: read.fields({
      quota: read.fields({
        model_usage: read.list(
          read.fields({
            model: read.text,
            token_count: read.fields({ input_tokens: read.number, output_tokens: read.number }),
          }),
        ),
      }),
    }),
  }),
  error: read.maybeObject,
});
type Line = ReturnType<typeof Line>;

const Update = read.fields({
  sessionUpdate: read.text,
  content: read.fields({ text: read.text }),
  cost: read.fields({ amount: read.maybeNumber, currency: read.text }),
  used: read.number,
  _meta: read.fields({ usage: read.maybeObject }),
});

const Output = read.fields({ message: read.text, output: read.text });

const Failed = read.fields({ code: read.maybeNumber, message: read.text, data: read.anything });

/** Tools by protocol kind; others are judged by title and parameters. */
const action = actionMapper({
  ...tools('file_read', 'read', 'search'),
  ...tools('message', 'think', 'switch_mode'),
  edit: { kind: 'file_modify', content: ['newText', 'content', 'diff', 'after'] },
  delete: { kind: 'file_delete' },
  execute: { kind: 'system_command', command: 'command' },
  fetch: { kind: 'network_request', network: 'url' },
});

const KINDS = new Set(['read', 'search', 'think', 'switch_mode', 'edit', 'delete', 'execute', 'fetch']);

type CallState = {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  readonly written: readonly string[];
  readonly isAsked: boolean;
  readonly isStarted: boolean;
};

type AcpReading = { readonly asksFirst?: boolean; readonly failure?: RegExp | null };

/**
 * Opens the reader of an agent that speaks the protocol. Never throws; later messages refer to earlier calls. @param
 * asksFirst Whether the program asks before acting: it then refused any failed call that it neither began nor asked
 * about. @param failure Matches the program's messages about its service; the first group has the service's words.
 */
export function openAcpReader({
  asksFirst = false,
  failure = null,
}: AcpReading = {}): (line: string) => readonly AgentEvent[] {
  const calls = new Map<string, CallState>();
  /** Cost of the session in US dollars, now and at the last result. */
  let [cost, before] = [null as number | null, 0];
  let isContinued = false;
  /** Tokens of each request in the turn, when the program reports the context size after each. */
  let requests: readonly number[] = [];

  function updated(reported: Reported): CallState {
    const id = reported.toolCallId;
    const callState = calls.get(id) ?? {
      id,
      kind: '',
      title: '',
      input: {},
      paths: [],
      written: [],
      isAsked: false,
      isStarted: false,
    };
    const diffs = Content(reported.content).filter(({ type }) => type === 'diff');
    const paths = [...Locations(reported.locations), ...diffs].map(({ path }) => path).filter(Boolean);
    const written = diffs.flatMap(({ newText }) => newText ?? []);
    const call: CallState = {
      ...callState,
      kind: own(GOOSE_KINDS, reported._meta.goose.toolCall.toolName) ?? kindOf(reported, callState),
      title: reported.title ?? callState.title,
      // An empty input means that the parameters are still being written.
      input: Object.keys(reported.rawInput ?? {}).length === 0 ? callState.input : (reported.rawInput ?? {}),
      paths: paths.length === 0 ? callState.paths : [...new Set(paths)],
      written: written.length === 0 ? callState.written : written,
    };
    calls.set(id, call);
    return call;
  }

  function callEvents(update: unknown): readonly AgentEvent[] {
    const reported = Call(update);
    const call = updated(reported);
    isContinued = false;
    const { status } = reported;
    const { type, tool_call: ofHelper } = reported._meta.toolNotification.params.data;
    if (type === 'subagent_tool_request') return [helperCall(ofHelper)];
    const isOver = status === 'completed' || status === 'failed';
    if (!isOver && status !== 'in_progress') return [];
    const began = call.isStarted ? [] : [called(actionOf(call))];
    calls.set(call.id, { ...call, isStarted: true });
    if (!isOver) return began;
    calls.delete(call.id);
    if (asksFirst && status === 'failed' && !call.isStarted && !call.isAsked) {
      return [
        called(actionOf(call)),
        refused(
          call.id,
          Content(reported.content).map(({ content }) => content.text),
        ),
      ];
    }
    const shown = Content(reported.content).map(({ content }) => content.text);
    const raw = Output(reported.rawOutput);
    return [...began, returned(call.id, status === 'completed', [...shown, raw.output, raw.message])];
  }

  function updateEvents(update: unknown): readonly AgentEvent[] {
    const { sessionUpdate, content, cost: spent, used: held, _meta } = Update(update);
    if (sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update') return callEvents(update);
    if (sessionUpdate === 'usage_update' && spent.currency === 'USD') cost = spent.amount;
    // The last report is repeated at the end. Each request makes the conversation longer, so no two sizes are equal.
    if (sessionUpdate === 'usage_update' && held > 0 && held !== requests.at(-1))
      requests = [...requests, held].slice(-MOST_REQUESTS);
    if (sessionUpdate !== 'agent_message_chunk') return [];
    const refusal = isContinued ? null : failure?.exec(content.text);
    if (refusal != null) return failureEvents({ status: null, message: refusal[1] ?? '', fatal: true });
    const words = textEvents(content.text, isContinued);
    if (words.length > 0) isContinued = true;
    return _meta.usage === null ? words : [...words, used('add', usageOf('', tokensIn(_meta.usage)))];
  }

  function endEvents({ result }: Line): readonly AgentEvent[] {
    const { stopReason, usage, _meta } = result;
    const spent = cost === null ? null : Math.max(0, cost - before);
    before = cost ?? before;
    isContinued = false;
    const models = _meta.quota.model_usage.map(({ model, token_count: count }) =>
      usageOf(model, { ...NOTHING, input: count.input_tokens, output: count.output_tokens }, spent),
    );
    const all = usage === null ? models : [usageOf('', tokensOfTurn(usage, requests), spent)];
    requests = [];
    const total = all.length === 0 ? [] : [used('add', ...all)];
    if (stopReason === 'end_turn') return [...total, succeeded()];
    return failed([...total, ownFailure(`it stopped: ${stopReason}`)]);
  }

  return (text) => {
    const line = read.readLine(text, Line);
    if (line === null) return [];
    if (line.method === 'session/update') return updateEvents(line.params.update);
    if (line.method === 'session/request_permission') {
      const call = line.params.toolCall === null ? null : updated(Call(line.params.toolCall));
      if (call !== null) calls.set(call.id, { ...call, isAsked: true });
      isContinued = false;
      return [{ kind: 'hook', message: question(String(line.id), call) }];
    }
    if (line.method !== '') return [];
    if (line.error !== null) return failed(errorEvents(line.error));
    if (line.result.stopReason !== '') return endEvents(line);
    // A continued session reports its size first.
    requests = [];
    const { sessionId, models, configOptions } = line.result;
    const model = configOptions.find(({ category }) => category === 'model')?.currentValue;
    return sessionId === ''
      ? []
      : [...inSession(sessionId), ...withModel(models.currentModelId || (model ?? ''))];
  };
}

const NOTHING = { input: 0, output: 0, cached: 0, cacheWrite: 0 };

function tokensIn(usage: unknown) {
  const { inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens } = Tokens(usage);
  return {
    input: inputTokens,
    output: outputTokens,
    cached: cachedReadTokens,
    cacheWrite: cachedWriteTokens,
  };
}

/** Number of requests per turn whose tokens are kept. */
const MOST_REQUESTS = 1000;

/** Some programs report only their last request's tokens for the turn; the other requests are added as input. */
function tokensOfTurn(usage: unknown, requests: readonly number[]) {
  const tokens = tokensIn(usage);
  if (tokens.input + tokens.output !== requests.at(-1)) return tokens;
  const all = requests.reduce((sum, one) => sum + one, 0);
  return { ...tokens, input: all - tokens.output };
}

type HookMessage = Extract<AgentEvent, { kind: 'hook' }>['message'];

/** A question that doesn't name the action is denied. */
function question(request: string, call: CallState | null): HookMessage {
  if (call === null || call.id === '') return { kind: 'unknown', request };
  const asked = actionOf(call);
  const isBlind =
    (asked.kind === 'system_command' && (asked.command ?? '').trim() === '') ||
    ((asked.kind === 'file_modify' || asked.kind === 'file_delete') && asked.paths.length === 0);
  return isBlind ? { kind: 'unknown', request } : { kind: 'action', request, action: asked };
}

/** A question about one aspect of a call, such as a folder outside, doesn't change the call's kind. */
function kindOf(reported: Reported, known: CallState): string {
  const isSilent = reported.kind === null || (reported.kind === 'other' && known.kind !== '');
  return isSilent ? known.kind : (reported.kind ?? '');
}

/** A helper's call has no number and no reported end. */
function helperCall({ name, arguments: input }: { name: string; arguments: Record<string, unknown> }) {
  return called(action({ id: null, tool: own(GOOSE_KINDS, name) ?? name, cwd: null, input }));
}

function actionOf({ id, kind, title, input, paths, written }: CallState): Action {
  const tool = KINDS.has(kind) ? kind : title || 'other';
  const isSilent = typeof input.command !== 'string' && !Array.isArray(input.command);
  return action({
    id,
    tool,
    cwd: null,
    input: {
      ...input,
      // Some programs name the command or address only in the title.
      ...(kind === 'execute' && isSilent ? { command: title } : {}),
      ...(kind === 'fetch' && typeof input.url !== 'string' ? { url: title } : {}),
      ...(paths.length === 0 ? {} : { paths }),
      ...(written.length === 0 ? {} : { newText: written.join('\n') }),
    },
  });
}

const SIGNED_OUT = -32_000;

/** The code is JSON-RPC's or an HTTP status; `data` may have the service's message. */
function errorEvents(error: Record<string, unknown>): readonly AgentEvent[] {
  const { code, message, data } = Failed(error);
  const status = code !== null && code >= 100 && code < 600 ? code : null;
  const more = typeof data === 'string' ? data : isObject(data) ? JSON.stringify(data) : '';
  const text = [message, more].filter(Boolean).join(': ');
  return failureEvents({
    status,
    name: code === SIGNED_OUT ? 'authentication' : '',
    message: text,
    fatal: true,
  });
}
