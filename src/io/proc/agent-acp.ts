import {
  type AgentCapabilities,
  type AnyMessage,
  type AuthMethod,
  type ClientContext,
  client,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { AgentEvent, HookMessage } from 'ralph-agents/event';
import type { AcpHook } from 'ralph-agents/hook';
import type { Ruling } from 'ralph-kit/actions/action';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { isObject } from 'ralph-kit/is-object';
import type { AgentProcessRequest, HookRequest } from '../../domain/ports.ts';
import { type AgentConversation, type Channel, ruled } from './agent-hook.ts';

/** Number of times an agent gets the reason after a refusal that ended its turn; some repeat the same action. */
const MOST_REASONS = 3;

/** Answers for questions after the attempt, and for those without details. */
const LATE: Ruling = { decision: 'deny', rule: 'no_answer', reason: 'ralph: the attempt is over.' };
const UNKNOWN: Ruling = {
  decision: 'deny',
  rule: 'no_answer',
  reason: "ralph: the question doesn't say what would happen.",
};

/**
 * Runs an attempt over the Agent Client Protocol: opens a session, sends the prompt, answers questions by the
 * reviewer, closes the channel after the turn. The agent uses its own files and terminals. The protocol's answers
 * carry no reason, and most agents end their turn after a refusal, so the reason is sent as the next message.
 * @param tell Receives what the output doesn't show: a broken protocol or an early end.
 */
export function speakAcp(
  channel: Channel,
  request: AgentProcessRequest,
  { onMessage }: HookRequest,
  contract: AcpHook,
  tell: (event: AgentEvent) => void,
): AgentConversation {
  const gone = new AbortController();
  const rulings = new Map<string, Promise<Ruling>>();
  let reasons: string[] = [];
  const denied = new Set<string | null>();
  /** Events count after the prompt, since a loaded session repeats its past. */
  let isPrompted = false;
  /** Why a session was refused: a sign-in or a service limit. */
  let refusals: AgentEvent[] = [];
  let isAnswered = false;
  /** Why there is no session when the service gave no reason. */
  let startFailure: string | null = null;
  let isOver = false;
  let cancel = async () => {};

  const incoming = new TransformStream<AnyMessage, AnyMessage>();
  const heard = incoming.writable.getWriter();
  const connected: Stream = {
    readable: incoming.readable,
    writable: new WritableStream({ write: (message) => void channel.send(JSON.stringify(message)) }),
  };
  const connection = client({ name: 'ralph' })
    .onRequest(methods.client.session.requestPermission, async ({ params, requestId }) => {
      const ruling = isOver ? LATE : await (rulings.get(String(requestId)) ?? LATE);
      if (ruling.decision === 'deny') reasons.push(ruling.reason);
      return { outcome: contract.outcome(ruling, params.options) };
    })
    // Reports are read from the output, like every agent's events.
    .onNotification(methods.client.session.update, () => undefined)
    .connect(connected);

  async function converse(agent: ClientContext): Promise<void> {
    const {
      protocolVersion,
      agentCapabilities,
      authMethods = [],
    } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'ralph', version: '1' },
    });
    if (protocolVersion !== PROTOCOL_VERSION)
      throw new Error(`it speaks version ${protocolVersion} of the protocol, and ralph ${PROTOCOL_VERSION}`);
    const sessionId = await signedIn(agent, authMethods, () => openSession(agent, agentCapabilities));
    if (contract.measured) void ruled(onMessage, { kind: 'ready' }, gone.signal);
    isPrompted = true;
    let text = readFileBytes(request.promptFile).toString('utf8');
    for (let round = 0; ; round += 1) {
      reasons = [];
      isAnswered = false;
      const turn = agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: 'text', text }],
      });
      cancel = async () => {
        isOver = true;
        await agent.notify(methods.agent.session.cancel, { sessionId });
        await turn.catch(() => undefined);
      };
      const { stopReason } = await turn;
      if (isOver || stopReason === 'cancelled' || reasons.length === 0 || round === MOST_REASONS) break;
      text = `ralph refused this: ${reasons.join(' ')} Continue with the task in another way, and end as the task asks.`;
    }
  }

  async function signedIn(
    agent: ClientContext,
    offered: readonly AuthMethod[],
    open: () => Promise<string>,
  ): Promise<string> {
    const firstError = await open().catch((error: unknown) => ({ error }));
    if (typeof firstError === 'string') return firstError;
    if (!isSignedOut(firstError.error)) throw firstError.error;
    const refused = refusals;
    for (const { id } of offered.filter(needsNoPerson)) {
      refusals = [];
      const isIn = await agent.request(methods.agent.authenticate, { methodId: id }).then(
        () => true,
        () => false,
      );
      const opened = isIn ? await open().catch((error: unknown) => ({ error })) : firstError;
      if (typeof opened === 'string') return opened;
      if (!isSignedOut(opened.error)) throw opened.error;
    }
    refusals = refused.map((event) => (event.kind === 'error' ? withMethods(event, offered) : event));
    throw firstError.error;
  }

  async function openSession(agent: ClientContext, can: AgentCapabilities | undefined): Promise<string> {
    const place = { cwd: request.cwd, mcpServers: [] };
    const sessionId = request.plan.resume ?? null;
    const { resume, load } = methods.agent.session;
    const how = can?.sessionCapabilities?.resume ? resume : can?.loadSession ? load : null;
    if (sessionId !== null && how !== null) {
      // A session that no longer exists is replaced by a new one.
      const opened = await agent.request<unknown>(how, { ...place, sessionId }).then(
        () => true,
        () => {
          refusals = [];
          return false;
        },
      );
      if (opened) {
        tell({ kind: 'session', id: sessionId });
        return sessionId;
      }
    }
    const { sessionId: made } = await agent.request<NewSessionResponse>(methods.agent.session.new, place);
    return made;
  }

  async function ruledOn(message: HookMessage): Promise<Ruling> {
    const ruling = message.kind === 'unknown' ? UNKNOWN : await ruled(onMessage, message, gone.signal);
    if (ruling.decision === 'deny' && 'action' in message) denied.add(message.action.id);
    return ruling;
  }

  const failed = (message: string) => {
    if (isAnswered || isOver) return;
    isAnswered = true;
    const ofService = refusals.some((event) => event.kind === 'limit' || causeOf(event) !== 'other');
    if (!isPrompted && !ofService) startFailure = refusals.map(messageOf).find(Boolean) ?? message;
    const unknown = { kind: 'error', cause: 'other', message, fatal: true } as const;
    for (const event of isPrompted || refusals.length === 0 ? [unknown] : refusals) tell(event);
    tell({ kind: 'result', ok: false, text: null });
  };
  void converse(connection.agent)
    .catch((error: unknown) =>
      failed(`${request.agent}: ${error instanceof Error ? error.message : String(error)}`),
    )
    .finally(() => {
      isOver = true;
      channel.end();
    });

  return {
    onLine: (line) => {
      const message = messageIn(line);
      if (message === 'malformed')
        connection.close(new Error("it printed a message that isn't one of the protocol"));
      else if (message !== null) heard.write(message).catch(() => undefined);
    },
    onEvent: (event) => {
      if (event.kind === 'hook' && 'request' in event.message)
        rulings.set(event.message.request, isOver ? Promise.resolve(LATE) : ruledOn(event.message));
      // The agent continued without the reason.
      if (event.kind === 'tool_call' && !denied.has(event.action.id)) reasons = [];
      if (!isPrompted && (event.kind === 'error' || event.kind === 'limit')) refusals.push(event);
      if (event.kind === 'result' && isPrompted) isAnswered = true;
      return isPrompted || event.kind === 'session' || event.kind === 'model';
    },
    cancel: () => cancel(),
    over: () => {
      failed(`${request.agent} ended before it had answered`);
      gone.abort();
      connection.close();
      return startFailure;
    },
  };
}

type Refusal = Extract<AgentEvent, { kind: 'error' }>;

function causeOf(event: AgentEvent): Refusal['cause'] {
  return event.kind === 'error' ? event.cause : 'other';
}

function messageOf(event: AgentEvent): string {
  return event.kind === 'error' ? event.message : '';
}

/** Protocol code for a missing sign-in. */
const SIGNED_OUT = -32_000;

function isSignedOut(error: unknown): boolean {
  return isObject(error) && error.code === SIGNED_OUT;
}

/** Whether a key in the environment or settings suffices; other methods open a browser or terminal. */
function needsNoPerson({ id, name, description }: AuthMethod): boolean {
  return /\bapi[- ]?key\b/i.test(`${id} ${name}`) || /\benvironment variable\b/i.test(description ?? '');
}

/** Adds the offered sign-in methods to a refusal. */
function withMethods(event: Refusal, offered: readonly AuthMethod[]): Refusal {
  if (offered.length === 0) return event;
  const named = offered.map(({ name, description }) => (description ? `${name} (${description})` : name));
  return { ...event, message: `${event.message.replace(/[.]$/, '')}. It takes: ${named.join('; ')}` };
}

/** Returns `null` for other text, which some programs print; `malformed` for invalid JSON messages. */
function messageIn(line: string): AnyMessage | 'malformed' | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'malformed';
  const isAnswer = 'id' in value && 'result' in value !== 'error' in value;
  return typeof value.method === 'string' || isAnswer ? (value as AnyMessage) : 'malformed';
}
