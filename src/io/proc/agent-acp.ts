import {
  type AgentCapabilities,
  type AnyMessage,
  type ClientContext,
  client,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { AcpHook, AgentEvent, HookMessage } from '../../domain/agent.ts';
import type { AgentProcessRequest, HookRequest } from '../../domain/ports.ts';
import type { Ruling } from '../../lib/actions/review.ts';
import { isObject } from '../../lib/is-object.ts';
import { readFileBytes } from '../files/plain-file.ts';
import { type Channel, ruled, type Talk } from './agent-hook.ts';

/** How often an agent that ended its turn after a refusal gets the reason: some try the same again. */
const MOST_REASONS = 3;

/** A question that came after the attempt, or that no reviewer got. */
const LATE: Ruling = { decision: 'deny', rule: 'no_answer', reason: 'ralph: the attempt is over.' };
const UNKNOWN: Ruling = {
  decision: 'deny',
  rule: 'no_answer',
  reason: "ralph: the question doesn't say what would happen.",
};

/**
 * Speaks the Agent Client Protocol on a channel: opens a session, gives the prompt, answers questions by the reviewer,
 * and closes the channel after the turn. No file and no terminal is offered: the agent uses its own tools, where it is.
 *
 * The protocol's answer to a question holds no reason, and after a refusal most agents end their turn. So the reason is
 * the next message, and the agent continues.
 *
 * @param tell what nothing that the agent prints says: that it doesn't speak the protocol, or ended in the middle.
 */
export function speakAcp(
  channel: Channel,
  request: AgentProcessRequest,
  { onMessage }: HookRequest,
  contract: AcpHook,
  tell: (event: AgentEvent) => void,
): Talk {
  const gone = new AbortController();
  const rulings = new Map<string, Promise<Ruling>>();
  let reasons: string[] = [];
  const denied = new Set<string | null>();
  /** Its events count from the prompt on: a session that is loaded repeats its past. */
  let isPrompted = false;
  /** How it refused a session: a sign-in or a limit of its service. */
  let refusals: AgentEvent[] = [];
  let isAnswered = false;
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
    // What it reports is read from its output, where the events of every agent come from.
    .onNotification(methods.client.session.update, () => undefined)
    .connect(connected);

  async function converse(agent: ClientContext): Promise<void> {
    const { protocolVersion, agentCapabilities } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'ralph', version: '1' },
    });
    if (protocolVersion !== PROTOCOL_VERSION)
      throw new Error(`it speaks version ${protocolVersion} of the protocol, and ralph ${PROTOCOL_VERSION}`);
    const sessionId = await openSession(agent, agentCapabilities);
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

  async function openSession(agent: ClientContext, can: AgentCapabilities | undefined): Promise<string> {
    const place = { cwd: request.cwd, mcpServers: [] };
    const sessionId = request.plan.resume ?? null;
    const { resume, load } = methods.agent.session;
    const how = can?.sessionCapabilities?.resume ? resume : can?.loadSession ? load : null;
    if (sessionId !== null && how !== null) {
      // One that is no longer there is begun anew.
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
        connection.close(new Error('it printed a message that the protocol has not'));
      else if (message !== null) heard.write(message).catch(() => undefined);
    },
    onEvent: (event) => {
      if (event.kind === 'hook' && 'request' in event.message)
        rulings.set(event.message.request, isOver ? Promise.resolve(LATE) : ruledOn(event.message));
      // It continued without the reason.
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
    },
  };
}

/** A message in a line; `null`: other words, which some programs print; `malformed`: JSON that isn't one. */
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
