import { sha256 } from 'ralph-kit/files/sha256';
import { attemptNumber } from '../../decide/index.ts';
import type { AuditHead } from '../../domain/human/gate.ts';
import type { Store } from '../../domain/ports.ts';
import type { InterventionEvent } from '../../domain/records/event.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { openIterations, type State, taskStateOf } from '../../domain/records/state.ts';
import { systemClock } from '../../io/clock.ts';
import { chained, plainEntry } from '../../respond/human/index.ts';

type Refused = {
  readonly name: string;
  readonly line: string;
};

/** Records a refused command. @throws StoreError if the record can't be written. */
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

/** Returns a line for the audit log, which has refused decisions, too. */
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

/** Returns the name of the running attempt; `null`: none is running. */
export function attemptAtWork(state: State, run: string): string | null {
  const open = openAttempt(state, run);
  if (open === null) return null;
  const attempt = attemptNumber(taskStateOf(state, open.taskId));
  return `the agent's attempt ${attempt} of ${open.taskId} (iteration ${open.iteration})`;
}

function openAttempt(state: State, run: string) {
  const all = openIterations(state);
  return all.find((one) => one.run === run) ?? all.at(-1) ?? null;
}
