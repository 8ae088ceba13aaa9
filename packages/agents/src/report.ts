import { type Action, changesFiles, isKnownToAct } from 'ralph-kit/actions/action';
import { unreachable } from 'ralph-kit/unreachable';
import {
  type AgentErrorCause,
  type AgentEvent,
  type AgentReport,
  type InfrastructureCause,
  isLimit,
  type ModelUsage,
  type ProcessEnd,
  tokensOf,
} from './event.ts';
import { limitKind } from './service.ts';
import { addUsage, costAlone, notBelowZero, usageSince } from './usage.ts';

/** Number of characters kept from the end of the final message, where the status block is. */
const FINAL_MESSAGE_LIMIT = 256 * 1024;
const ERROR_LIMIT = 500;
const ERRORS_KEPT = 20;
/** Number of endless errors in a row, with nothing else between them, that ends an attempt. */
const ENDLESS_FROM = 4;

/** Trouble outside the work that nothing has followed yet. */
type Pending = InfrastructureCause & {
  /** False while the agent is about to retry. */
  readonly fatal: boolean;
  /** Whether `resetsAt` came from a field. */
  readonly exact: boolean;
};

/** Kept end of a growing text. A full `newer` replaces `older`, so nothing is copied while it grows. */
type Message = { readonly older: string; readonly newer: string };

export type ReportSoFar = {
  readonly sessionId: string | null;
  readonly requestedModel: string | null;
  readonly earlierUsage: readonly ModelUsage[];
  readonly model: string | null;
  readonly message: Message;
  /** Newest message with a status block, if later messages followed but no call that may change files. */
  readonly claimed: Message | null;
  /** Whether such a call came after the newest message. */
  readonly acted: boolean;
  /** Whether a delta continues the message or begins the next. */
  readonly open: boolean;
  readonly usage: readonly ModelUsage[];
  /** Usage by message, until a report includes it. */
  readonly messages: ReadonlyMap<string, readonly ModelUsage[]>;
  readonly toolCalls: number;
  readonly writeCalls: number;
  /** Numbers of unfinished calls that may write. */
  readonly writing: readonly string[];
  readonly failed: boolean;
  readonly pending: Pending | null;
  readonly errors: readonly string[];
  /** Endless errors in a row, and usage reports since the last. */
  readonly endless: {
    readonly times: number;
    readonly message: string;
    readonly cause: AgentErrorCause;
    readonly steps: number;
  } | null;
};

type Start = {
  /** Session id, if known before the start. */
  readonly sessionId: string | null;
  /** Requested model, used when the agent reports none. */
  readonly requestedModel: string | null;
  /** Usage of the continued session, which cumulative reports include. */
  readonly earlierUsage: readonly ModelUsage[];
};

export function startReport(
  { sessionId, requestedModel, earlierUsage }: Start = {
    sessionId: null,
    requestedModel: null,
    earlierUsage: [],
  },
): ReportSoFar {
  return {
    sessionId,
    requestedModel,
    earlierUsage,
    model: null,
    message: begun(''),
    claimed: null,
    acted: false,
    open: false,
    usage: [],
    messages: new Map(),
    toolCalls: 0,
    writeCalls: 0,
    writing: [],
    failed: false,
    pending: null,
    errors: [],
    endless: null,
  };
}

/** Returns the error that the agent endlessly repeats; `null` otherwise. */
export function endlessError(soFar: ReportSoFar): string | null {
  return soFar.endless !== null && soFar.endless.times >= ENDLESS_FROM ? soFar.endless.message : null;
}

export function addToReport(soFar: ReportSoFar, event: AgentEvent): ReportSoFar {
  switch (event.kind) {
    case 'text':
      return withText(
        soFar,
        event.delta && soFar.open ? continued(soFar.message, event.text) : begun(event.text),
        event.delta && soFar.open,
      );
    case 'tool_call':
      return {
        ...recovered(soFar),
        acted: soFar.acted || isKnownToAct(event.action) || event.action.kind === 'unknown',
        open: false,
        toolCalls: soFar.toolCalls + 1,
        ...withWrite(soFar, event.action),
      };
    case 'tool_result':
      return withEndOfCall(soFar, event);
    case 'usage':
      return {
        ...withUsage(soFar, event),
        endless: soFar.endless === null ? null : { ...soFar.endless, steps: soFar.endless.steps + 1 },
      };
    case 'model':
      return soFar.model === null ? { ...soFar, model: event.model } : soFar;
    case 'limit':
      return { ...soFar, pending: pendingLimit(soFar.pending, event) };
    case 'error':
      return withError(soFar, event);
    case 'session':
      return { ...soFar, sessionId: event.id };
    case 'result':
      return withResult(soFar, event.ok, event.text);
    case 'hook':
    case 'busy':
      return soFar;
    default:
      return unreachable(event);
  }
}

/** Number of unfinished writing calls that are remembered. */
const WRITES_OPEN = 500;

function withWrite({ writeCalls, writing }: ReportSoFar, action: Action): Partial<ReportSoFar> {
  if (!changesFiles(action)) return {};
  const { id } = action;
  const open = id === null ? writing : [...writing, id].slice(-WRITES_OPEN);
  return { writeCalls: writeCalls + 1, writing: open };
}

/** A call rejected by the agent wrote nothing. */
function withEndOfCall(
  soFar: ReportSoFar,
  { id, refused }: Extract<AgentEvent, { kind: 'tool_result' }>,
): ReportSoFar {
  const wrote = id !== null && soFar.writing.includes(id);
  if (!wrote) return soFar.open ? { ...soFar, open: false } : soFar;
  return {
    ...soFar,
    open: false,
    writing: soFar.writing.filter((one) => one !== id),
    writeCalls: soFar.writeCalls - (refused ? 1 : 0),
  };
}

function withUsage(soFar: ReportSoFar, event: Extract<AgentEvent, { kind: 'usage' }>): ReportSoFar {
  const reported = event.usage.map(notBelowZero);
  if (event.scope === 'message') {
    return { ...soFar, messages: boundedMessages(new Map(soFar.messages).set(event.id, reported)) };
  }
  // A closing report without tokens changes nothing.
  if (tokensOf(reported) === 0) return soFar;
  const earlier = event.scope === 'add' ? soFar.usage : [];
  const counted = { ...soFar, usage: addUsage(earlier, reported), messages: new Map() };
  if (tokensOf(usageSoFar(counted)) >= tokensOf(usageSoFar(soFar))) return counted;
  // A report with fewer tokens than its messages only adds its cost.
  const known = event.scope === 'add' ? soFar.usage : soFar.usage.map((one) => ({ ...one, costUsd: null }));
  return { ...soFar, usage: addUsage(known, reported.map(costAlone)) };
}

/** Number of messages tracked separately; older ones are complete by then. */
const MESSAGES_KEPT = 100;
const OLDER = '';

function boundedMessages(messages: Map<string, readonly ModelUsage[]>): typeof messages {
  if (messages.size <= MESSAGES_KEPT) return messages;
  const oldest = [...messages.keys()].find((id) => id !== OLDER) ?? OLDER;
  messages.set(OLDER, addUsage(messages.get(OLDER) ?? [], messages.get(oldest) ?? []));
  messages.delete(oldest);
  return messages;
}

export function usageSoFar(soFar: ReportSoFar): readonly ModelUsage[] {
  const { usage, earlierUsage } = soFar;
  return withMessages(soFar, usageSince(named(soFar, usage), earlierUsage));
}

/** Returns the whole session's usage, as the next attempt's cumulative report will count it. */
export function usageOfSession(soFar: ReportSoFar): readonly ModelUsage[] {
  const { usage, earlierUsage } = soFar;
  return withMessages(soFar, usage.length === 0 ? earlierUsage : named(soFar, usage));
}

function withMessages(soFar: ReportSoFar, usage: readonly ModelUsage[]): readonly ModelUsage[] {
  return [...soFar.messages.values()].reduce((sum, one) => addUsage(sum, named(soFar, one)), usage);
}

function named({ model, requestedModel }: ReportSoFar, usage: readonly ModelUsage[]): readonly ModelUsage[] {
  const main = model ?? requestedModel;
  return addUsage(
    [],
    usage.map((one) => (one.model === null ? { ...one, model: main } : one)),
  );
}

/**
 * Returns the attempt's report. An unfinished retry is the cause unless the agent exited with 0 and reports no
 * failure: an agent that waits hours for a limit ends by the idle timeout, not because of its task.
 * @param endedAt Epoch milliseconds; `null`: unknown, so limits are judged by words alone.
 */
export function finishReport(
  soFar: ReportSoFar,
  end: ProcessEnd,
  endedAt: number | null = null,
): AgentReport {
  const pending = soFar.pending ?? endlessCause(soFar, end);
  const usage = [...usageSoFar(soFar)];
  const endedWell = end.kind === 'exited' && end.code === 0 && !soFar.failed;
  const blame = pending !== null && (pending.fatal || !endedWell);
  return {
    sessionId: soFar.sessionId,
    model: soFar.model ?? usage[0]?.model ?? soFar.requestedModel,
    finalMessage: messageOf(soFar),
    usage,
    toolCalls: soFar.toolCalls,
    writeCalls: soFar.writeCalls,
    ok: !soFar.failed,
    infrastructure: blame ? causeOf(pending, endedAt) : null,
    errors: [...soFar.errors],
  };
}

function causeOf(
  { kind, message, resetsAt }: InfrastructureCause,
  endedAt: number | null,
): InfrastructureCause {
  if (!isLimit(kind)) return { kind, message, resetsAt };
  const resetsInMs = resetsAt === null ? null : Date.parse(resetsAt) - (endedAt ?? Number.NEGATIVE_INFINITY);
  return { kind: limitKind(message, resetsInMs), message, resetsAt };
}

/** Returns the cause of an attempt that was stopped for an endless error. */
function endlessCause({ endless }: ReportSoFar, end: ProcessEnd): Pending | null {
  const isEnded = end.kind === 'halted' && end.why === 'endless';
  if (!isEnded || endless === null || endless.cause === 'other') return null;
  return { kind: endless.cause, message: endless.message, resetsAt: null, exact: false, fatal: true };
}

/** Continued work means that earlier failures didn't end it. */
function recovered(soFar: ReportSoFar): ReportSoFar {
  return soFar.failed || soFar.pending !== null ? { ...soFar, failed: false, pending: null } : soFar;
}

/** Returns the newest message's end, after the message with the status block. */
export function messageOf({ claimed, message }: ReportSoFar): string {
  const newest = message.older + message.newer;
  return bounded(
    claimed === null || BLOCK.test(newest) ? newest : `${claimed.older}${claimed.newer}\n\n${newest}`,
  );
}

const BLOCK = /\bRALPH_STATUS\b/;

export function hasStatusBlock(text: string): boolean {
  return BLOCK.test(text);
}

/** Returns the message with the status block when the next one begins. */
function claimedBefore({ claimed, message, acted }: ReportSoFar): Message | null {
  if (acted) return null;
  return BLOCK.test(message.newer) || BLOCK.test(message.older) ? message : claimed;
}

/** Runs for each line of a plain-text agent; single fields are ten times as fast as a spread. */
function withText(soFar: ReportSoFar, message: Message, continues: boolean): ReportSoFar {
  const claimed = continues ? soFar.claimed : claimedBefore(soFar);
  const acted = continues && soFar.acted;
  const {
    sessionId,
    requestedModel,
    earlierUsage,
    model,
    usage,
    messages,
    toolCalls,
    writeCalls,
    writing,
    failed,
    pending,
    errors,
    endless,
  } = recovered(soFar);
  const known = {
    sessionId,
    requestedModel,
    earlierUsage,
    model,
    usage,
    messages,
    toolCalls,
    writeCalls,
    writing,
  };
  return { ...known, message, claimed, acted, open: true, failed, pending, errors, endless };
}

function withResult(soFar: ReportSoFar, ok: boolean, text: string | null): ReportSoFar {
  const closed = { ...soFar, open: false, failed: !ok };
  if (!ok) return closed;
  // A result without text doesn't prove that a retry succeeded; words or calls would.
  if (text === null) return closed;
  const isNewest = text.trim() === (soFar.message.older + soFar.message.newer).trim();
  const claimed = isNewest ? soFar.claimed : claimedBefore(soFar);
  return { ...closed, pending: null, message: begun(text), claimed };
}

function withError(soFar: ReportSoFar, event: Extract<AgentEvent, { kind: 'error' }>): ReportSoFar {
  const { cause, message, fatal } = event;
  const endless = event.endless === undefined ? soFar.endless : again(soFar.endless, event, event.endless);
  // An occasional endless error is part of the work.
  if (event.endless !== undefined && !fatal && cause !== 'outage') return { ...soFar, endless };
  const next = {
    ...soFar,
    failed: soFar.failed || fatal,
    endless,
    errors: addMessage(soFar.errors, message.slice(0, ERROR_LIMIT)),
  };
  const { pending } = soFar;
  if (cause === 'other') {
    // The attempt ended for another reason than its retry.
    return fatal && pending?.fatal === false ? { ...next, pending: null } : next;
  }
  const same = pending?.kind === cause || (isLimit(pending?.kind) && isLimit(cause)) ? pending : null;
  return {
    ...next,
    pending: {
      kind: cause,
      message: message.slice(0, ERROR_LIMIT),
      resetsAt: same?.resetsAt ?? null,
      exact: same?.exact ?? false,
      fatal: fatal || same?.fatal === true,
    },
  };
}

function again(
  endless: ReportSoFar['endless'],
  { message, cause }: Pick<Extract<AgentEvent, { kind: 'error' }>, 'message' | 'cause'>,
  between: number,
): ReportSoFar['endless'] {
  const inARow = endless !== null && endless.message === message && endless.steps <= between;
  return { times: inARow ? endless.times + 1 : 1, message, cause, steps: 0 };
}

/** The newest reset time counts, but words don't replace an exact field. */
function pendingLimit(pending: Pending | null, limit: Extract<AgentEvent, { kind: 'limit' }>): Pending {
  const known = pending !== null && isLimit(pending.kind) ? pending : null;
  const { resetsAt, exact } =
    limit.resetsAt === null || (limit.inWords && known?.exact === true)
      ? { resetsAt: known?.resetsAt ?? null, exact: known?.exact ?? false }
      : { resetsAt: limit.resetsAt, exact: !limit.inWords };
  return {
    kind: 'rate_limited',
    message: limit.message.slice(0, ERROR_LIMIT),
    resetsAt,
    exact,
    fatal: true,
  };
}

function addMessage(messages: readonly string[], message: string): readonly string[] {
  if (message === '' || messages.includes(message)) return messages;
  return [...messages, message].slice(-ERRORS_KEPT);
}

function begun(text: string): Message {
  return { older: '', newer: bounded(text) };
}

function continued({ older, newer }: Message, text: string): Message {
  const full = newer.length >= FINAL_MESSAGE_LIMIT;
  return full ? { older: newer, newer: bounded(text) } : { older, newer: newer + bounded(text) };
}

function bounded(text: string): string {
  if (text.length <= FINAL_MESSAGE_LIMIT) return text;
  const end = text.slice(-FINAL_MESSAGE_LIMIT);
  // The cut may split a surrogate pair.
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}
