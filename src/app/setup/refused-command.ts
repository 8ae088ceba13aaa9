import { attemptNumber } from '../../decide/index.ts';
import type { AuditHead } from '../../domain/human/gate.ts';
import type { Store } from '../../domain/ports.ts';
import type { InterventionEvent } from '../../domain/records/event.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { openIterations, type State, taskStateOf } from '../../domain/records/state.ts';
import { systemClock } from '../../io/clock.ts';
import { sha256 } from '../../io/ids.ts';
import { chained, plainEntry } from '../../respond/human/index.ts';

/** A command that decides for you and was called by what ralph started. */
type Refused = {
  /** As you would call it: `ralph tasks accept`. */
  readonly name: string;
  /** The whole command line, for the screen. */
  readonly line: string;
};

/** @throws StoreError when it can't be recorded. */
export function recordRefused(
  store: Pick<Store, 'state' | 'commit'>,
  worker: number,
  run: string,
  { name, line }: Refused,
): void {
  const isGate = /^ralph (?:approvals|whitelist)\b/.test(name);
  const summary = `${name} was called from inside of an attempt and refused: ${line}`;
  const severity = isGate ? 'critical' : 'warning';
  store.commit((state) => [
    eventInAttempt(state, worker, run, { event_type: 'command_refused', severity, details: { summary } }),
    ...(isGate ? [refusedLine(state.human.audit.head, summary)] : []),
  ]);
}

/** Something that what ralph started did, as an event of the attempt that is being made. */
export function eventInAttempt(
  state: State,
  worker: number,
  run: string,
  { details, ...kind }: Pick<InterventionEvent, 'event_type' | 'severity' | 'details'>,
): JournalBody {
  const open = openAttempt(state, run);
  return {
    type: 'events_added',
    summary: null,
    events: [
      {
        id: `e-${state.counters.event + 1}`,
        iteration: open?.iteration ?? state.counters.iteration,
        run: open?.run ?? (run || (state.runs.at(-1)?.run ?? '')),
        worker,
        ...kind,
        timestamp: systemClock().now(),
        details: { task_id: open?.taskId ?? null, ...details },
        remediation_attempted: true,
      },
    ],
  };
}

/** A decision that was tried from inside is in the audit log, too. */
function refusedLine(head: AuditHead, summary: string): JournalBody {
  const entry = {
    kind: 'refused',
    timestamp: systemClock().now(),
    decision: 'refused',
    user: 'an agent',
  } as const;
  return {
    type: 'audit_logged',
    line: chained(head, plainEntry({ ...entry, human_feedback: summary }), sha256),
  };
}

/** Who is at work: the attempt of a run; `null` where none is open. */
export function attemptAtWork(state: State, run: string): string | null {
  const open = openAttempt(state, run);
  if (open === null) return null;
  const attempt = attemptNumber(taskStateOf(state, open.taskId));
  return `the agent's attempt ${attempt} of ${open.taskId} (iteration ${open.iteration})`;
}

/** The attempt that is being made: that of the run, else the newest that was begun. */
function openAttempt(state: State, run: string) {
  const all = openIterations(state);
  return all.find((one) => one.run === run) ?? all.at(-1) ?? null;
}
