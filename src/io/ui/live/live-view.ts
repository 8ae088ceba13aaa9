import type { LoopEvent, PlaceInRun } from '../../../domain/loop-event.ts';

/** The attempt that is running. Times in milliseconds of one monotonic clock. */
type AttemptView = {
  readonly taskId: string;
  readonly title: string;
  readonly attempt: number;
  readonly place: PlaceInRun;
  readonly startedMs: number;
  readonly limitMs: number;
  /** Until the end of the run, as it was thought when the attempt began. */
  readonly leftMs: number | null;
  readonly tokens: number | null;
  /** The agent's last action; without one, the last line that it printed. */
  readonly action: string | null;
  readonly message: string | null;
  /** Roles beside the maker that are at work, and since when; `null`: none are. */
  readonly roles: {
    readonly what: string;
    readonly names: readonly string[];
    readonly startedMs: number;
  } | null;
  /** The agent is over; what it did is checked now. */
  readonly isOver: boolean;
  /** Since when it has waited for its turn at the gates; `null`: it doesn't. */
  readonly waitsMs: number | null;
};

type GatesView = {
  /** What they run for, where it isn't an attempt. */
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

/** What the line shows after an event; `message`: the last line that it ends of what the agent printed. */
export function nextView(
  view: LiveView,
  event: LoopEvent,
  nowMs: number,
  message: string | null = null,
): LiveView {
  const { attempt, gates } = view;
  switch (event.kind) {
    case 'baseline_started':
      return { ...view, gates: { ...gates, what: 'baseline' } };
    case 'iteration_started': {
      const { taskId, title, place, leftMs } = event;
      const limitMs = event.timeoutSeconds * 1000;
      const begun = { startedMs: nowMs, limitMs, tokens: null, roles: null, isOver: false, waitsMs: null };
      const words = { action: null, message: null };
      const next = { taskId, title, attempt: event.attempt, place, leftMs, ...begun, ...words };
      return { attempt: next, gates: NOTHING_LIVE.gates };
    }
    case 'agent_event': {
      if (attempt === null) return view;
      const tokens = event.tokens ?? attempt.tokens;
      const action = event.action ?? attempt.action;
      return { ...view, attempt: { ...attempt, tokens, action, message: message ?? attempt.message } };
    }
    case 'agent_finished':
      return attempt === null ? view : { ...view, attempt: { ...attempt, isOver: true } };
    case 'phase_entered': {
      const waitsMs = event.phase === 'turn' ? nowMs : null;
      return attempt === null ? view : { ...view, attempt: { ...attempt, waitsMs } };
    }
    case 'roles_started': {
      if (attempt === null) return view;
      const what = event.phase === 'plan' ? 'plan' : 'review';
      return { ...view, attempt: { ...attempt, roles: { what, names: event.roles, startedMs: nowMs } } };
    }
    case 'role_finished': {
      if (attempt?.roles == null) return view;
      const names = attempt.roles.names.filter((name) => name !== event.role);
      return { ...view, attempt: { ...attempt, roles: { ...attempt.roles, names } } };
    }
    case 'roles_finished':
      return attempt === null ? view : { ...view, attempt: { ...attempt, roles: null } };
    case 'gate_started': {
      const { gate, number, of } = event;
      return {
        ...view,
        gates: { ...gates, running: [...gates.running, { gate, startedMs: nowMs }], number, of },
      };
    }
    case 'gate_finished': {
      const at = gates.running.findIndex(({ gate }) => gate === event.gate);
      return { ...view, gates: { ...gates, running: gates.running.filter((_, index) => index !== at) } };
    }
    case 'iteration_finished':
    case 'waiting':
    case 'paused':
    case 'run_finished':
      return NOTHING_LIVE;
    default:
      return view;
  }
}

/** Whether there is anything to show. */
export function isLive({ attempt, gates }: LiveView): boolean {
  return attempt !== null || gates.running.length > 0;
}
