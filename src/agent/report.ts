import type { AgentEnd, AgentEvent, AgentReport, InfrastructureCause, Usage } from '../domain/agent.ts';
import { unreachable } from '../lib/unreachable.ts';
import { addUsage } from './usage.ts';
import { isWriteTool } from './write-tools.ts';

/** Characters of the final message; the status block stands at its end, so the end is kept. */
const FINAL_MESSAGE_LIMIT = 256 * 1024;
const ERROR_LIMIT = 500;
const ERRORS_KEPT = 20;

/** A trouble outside of the work that nothing has followed yet. */
type Pending = InfrastructureCause & {
  /** False for a call that the agent is about to try again. */
  readonly fatal: boolean;
};

/** What is known so far; memory is bounded whatever the stream holds. */
export type ReportSoFar = {
  readonly sessionId: string | null;
  readonly message: string;
  /** Whether a delta continues the message; else it begins the next one. */
  readonly open: boolean;
  readonly usage: Usage | null;
  readonly toolCalls: number;
  readonly writeCalls: number;
  readonly failed: boolean;
  readonly pending: Pending | null;
  readonly errors: readonly string[];
};

export function startReport(): ReportSoFar {
  return {
    sessionId: null,
    message: '',
    open: false,
    usage: null,
    toolCalls: 0,
    writeCalls: 0,
    failed: false,
    pending: null,
    errors: [],
  };
}

export function addToReport(soFar: ReportSoFar, event: AgentEvent): ReportSoFar {
  switch (event.kind) {
    case 'text':
      return {
        ...recovered(soFar),
        message: bounded(event.delta && soFar.open ? soFar.message + event.text : event.text, 2),
        open: true,
      };
    case 'tool_call':
      return {
        ...recovered(soFar),
        open: false,
        toolCalls: soFar.toolCalls + 1,
        writeCalls: soFar.writeCalls + (isWriteTool(event.tool) ? 1 : 0),
      };
    case 'tool_result':
      return { ...soFar, open: false };
    case 'usage':
      return {
        ...soFar,
        usage: event.scope === 'add' && soFar.usage ? addUsage(soFar.usage, event.usage) : event.usage,
      };
    case 'limit':
      return { ...soFar, pending: pendingLimit(soFar.pending, event.message, event.resetsAt) };
    case 'error':
      return withError(soFar, event);
    case 'session':
      return { ...soFar, sessionId: event.id };
    case 'result':
      return withResult(soFar, event.ok, event.text);
    default:
      return unreachable(event);
  }
}

/**
 * The report of an attempt. A retry that was still going on when the agent ended counts as the cause, unless the
 * agent ended by itself with exit 0: an agent that waits hours for a limit dies of the idle timeout, not of its task.
 */
export function finishReport(soFar: ReportSoFar, end: AgentEnd): AgentReport {
  const { pending } = soFar;
  const endedWell = end.kind === 'exited' && end.code === 0;
  const blame = pending !== null && (pending.fatal || !endedWell);
  return {
    sessionId: soFar.sessionId,
    finalMessage: bounded(soFar.message, 1),
    usage: soFar.usage,
    toolCalls: soFar.toolCalls,
    writeCalls: soFar.writeCalls,
    ok: !soFar.failed,
    infrastructure: blame
      ? { kind: pending.kind, message: pending.message, resetsAt: pending.resetsAt }
      : null,
    errors: [...soFar.errors],
  };
}

/** The agent works on: what failed before did not end it. */
function recovered(soFar: ReportSoFar): ReportSoFar {
  return soFar.failed || soFar.pending !== null ? { ...soFar, failed: false, pending: null } : soFar;
}

function withResult(soFar: ReportSoFar, ok: boolean, text: string | null): ReportSoFar {
  const closed = { ...soFar, open: false, failed: !ok };
  if (!ok) return closed;
  return { ...closed, pending: null, message: text === null ? soFar.message : bounded(text, 2) };
}

function withError(soFar: ReportSoFar, event: Extract<AgentEvent, { kind: 'error' }>): ReportSoFar {
  const { cause, message, fatal } = event;
  const next = {
    ...soFar,
    failed: soFar.failed || fatal,
    errors: addMessage(soFar.errors, message.slice(0, ERROR_LIMIT)),
  };
  const { pending } = soFar;
  if (cause === 'other') {
    // It ended of something else than what it was retrying.
    return fatal && pending?.fatal === false ? { ...next, pending: null } : next;
  }
  const same = pending?.kind === cause ? pending : null;
  return {
    ...next,
    pending: {
      kind: cause,
      message: message.slice(0, ERROR_LIMIT),
      resetsAt: same?.resetsAt ?? null,
      fatal: fatal || same?.fatal === true,
    },
  };
}

function pendingLimit(pending: Pending | null, message: string, resetsAt: string | null): Pending {
  const known = pending?.kind === 'rate_limited' ? pending.resetsAt : null;
  return {
    kind: 'rate_limited',
    message: message.slice(0, ERROR_LIMIT),
    resetsAt: resetsAt ?? known,
    fatal: true,
  };
}

/** The newest messages, each once. */
function addMessage(messages: readonly string[], message: string): readonly string[] {
  if (message === '' || messages.includes(message)) return messages;
  return [...messages, message].slice(-ERRORS_KEPT);
}

/** Cuts at the front when the text is `slack` times too long, so that growing text is copied seldom. */
function bounded(text: string, slack: number): string {
  if (text.length <= FINAL_MESSAGE_LIMIT * slack) return text;
  const end = text.slice(-FINAL_MESSAGE_LIMIT);
  // Half of a character that the cut split.
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}
