import type { AuditHead, GateRequest } from '../../domain/human/gate.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { chainedAll, entryOf, type Hash } from './audit.ts';

/** Whether the time to decide is over. */
export function isLate({ deadline }: Pick<GateRequest, 'deadline'>, now: string): boolean {
  return deadline !== null && Date.parse(now) >= Date.parse(deadline);
}

/** What the journal gets of requests whose time is over: each with its line of the audit log. */
export function timeoutRecords(
  late: readonly GateRequest[],
  head: AuditHead,
  at: string,
  sha256: Hash,
): JournalBody[] {
  const by = { user: 'ralph', role: '', signature: null };
  const entries = late.map((request) => {
    const decision = request.action === null ? request.onTimeout : 'deny';
    return entryOf(request, { kind: 'timeout', decision, at, feedback: '', by });
  });
  const lines = chainedAll(head, entries, sha256);
  return [
    ...late.map(({ id }): JournalBody => ({ type: 'human_gate_timed_out', request: id })),
    ...lines.map((line): JournalBody => ({ type: 'audit_logged', line })),
  ];
}
