import type { Entry } from '../../../domain/entry.ts';
import type { PlaceInRun } from '../../../domain/records/run-control.ts';
import { retryText } from '../../../domain/service.ts';

/** The attempt that is running. Times in milliseconds of one monotonic clock. */
type AttemptView = {
  readonly taskId: string;
  readonly title: string;
  readonly attempt: number;
  readonly place: PlaceInRun;
  readonly startedMs: number;
  readonly limitMs: number;
  /** Estimated milliseconds until the end of the run, made when the attempt began; `null`: unknown. */
  readonly leftMs: number | null;
  readonly tokens: number | null;
  /** The agent's last action; without one, the last line that it printed. */
  readonly action: string | null;
  readonly message: string | null;
  /** Why the agent's program sends a request again; `null`: it doesn't at the moment. */
  readonly retried: string | null;
  /** Reviewers and planners that are at work, and since when; `null`: none are. */
  readonly roles: {
    readonly what: string;
    readonly names: readonly string[];
    readonly startedMs: number;
  } | null;
  /** Whether the agent has ended, and its work is being checked. */
  readonly isOver: boolean;
  /** Since when the attempt has waited for its turn at the gates; `null`: it doesn't wait. */
  readonly waitsMs: number | null;
};

type GatesView = {
  /** What the gates run for, where that isn't an attempt. */
  readonly what: string;
  readonly running: readonly { readonly gate: string; readonly startedMs: number }[];
  readonly number: number;
  readonly of: number;
};

/** What the live line shows. */
export type LiveView = { readonly attempt: AttemptView | null; readonly gates: GatesView };

export const NOTHING_LIVE: LiveView = {
  attempt: null,
  gates: { what: 'baseline', running: [], number: 0, of: 0 },
};

/**
 * Returns what the live line shows after an entry. `message`: the last line of the agent's text that the
 * entry completes.
 */
export function nextView(
  view: LiveView,
  entry: Entry,
  nowMs: number,
  message: string | null = null,
): LiveView {
  const { attempt, gates } = view;
  switch (entry.type) {
    case 'gates_started': {
      const { baseline, one } = entry;
      if (one === null) return baseline ? { ...view, gates: { ...gates, what: 'baseline' } } : view;
      const begun = entry.gates.map((gate) => ({ gate, startedMs: nowMs }));
      return { ...view, gates: { ...gates, running: [...gates.running, ...begun], ...one } };
    }
    case 'iteration_started': {
      const { taskId, title, place, leftMs } = entry;
      const limitMs = entry.limitSeconds * 1000;
      const begun = { startedMs: nowMs, limitMs, tokens: null, roles: null, isOver: false, waitsMs: null };
      const words = { action: null, message: null, retried: null };
      const next = { taskId, title, attempt: entry.attempt, place, leftMs, ...begun, ...words };
      return { attempt: next, gates: NOTHING_LIVE.gates };
    }
    case 'agent_reported': {
      if (attempt === null) return view;
      const tokens = entry.tokens ?? attempt.tokens;
      const action = entry.action ?? attempt.action;
      const again = entry.event.kind === 'error' ? attempt.retried : null;
      const retried = entry.retry === undefined ? again : retryText(entry.retry);
      const words = { action, message: message ?? attempt.message, retried };
      return { ...view, attempt: { ...attempt, tokens, ...words } };
    }
    case 'phase_entered': {
      const waitsMs = entry.phase === 'turn' ? nowMs : null;
      return attempt === null ? view : { ...view, attempt: { ...attempt, waitsMs } };
    }
    case 'roles_started': {
      if (attempt === null) return view;
      const what = entry.phase === 'plan' ? 'plan' : 'review';
      return { ...view, attempt: { ...attempt, roles: { what, names: entry.roles, startedMs: nowMs } } };
    }
    case 'roles_finished': {
      if (attempt !== null && entry.role === 'maker')
        return { ...view, attempt: { ...attempt, isOver: true } };
      if (attempt?.roles == null) return view;
      const names = attempt.roles.names.filter((name) => name !== entry.role);
      const roles = entry.role === null ? null : { ...attempt.roles, names };
      return { ...view, attempt: { ...attempt, roles } };
    }
    case 'gates_finished': {
      const at = gates.running.findIndex(({ gate }) => gate === entry.gate);
      return { ...view, gates: { ...gates, running: gates.running.filter((_, index) => index !== at) } };
    }
    case 'iteration_finished':
    case 'wait_started':
    case 'run_finished':
      return NOTHING_LIVE;
    default:
      return view;
  }
}

/** Whether the live line has anything to show. */
export function isLive({ attempt, gates }: LiveView): boolean {
  return attempt !== null || gates.running.length > 0;
}
