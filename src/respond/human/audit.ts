import {
  type AuditEntry,
  type AuditHead,
  type AuditLine,
  type DecidedBy,
  GATE_TITLES,
  type GateRequest,
  NO_AUDIT,
  type SealedRange,
} from '../../domain/human/gate.ts';
import type { JournalBody } from '../../domain/records/journal.ts';

export type Hash = (text: string) => string;

export function chained(head: AuditHead, entry: AuditEntry, sha256: Hash): AuditLine {
  const open = { n: head.n + 1, ...entry, prev: head.hash };
  return { ...open, hash: sha256(JSON.stringify(open)) };
}

export function chainedAll(head: AuditHead, entries: readonly AuditEntry[], sha256: Hash): AuditLine[] {
  const lines: AuditLine[] = [];
  let end = head;
  for (const entry of entries) {
    const line = chained(end, entry, sha256);
    lines.push(line);
    end = { n: line.n, hash: line.hash };
  }
  return lines;
}

type Happened = {
  readonly kind: AuditEntry['kind'];
  readonly decision: string;
  readonly at: string;
  readonly feedback: string;
  readonly by: DecidedBy;
};

export function entryOf(request: GateRequest, { kind, decision, at, feedback, by }: Happened): AuditEntry {
  const { facts, gate } = request;
  const spentMs = Date.parse(at) - Date.parse(request.at);
  return {
    ...plainEntry({ kind, timestamp: at, decision, user: by.user, human_feedback: feedback }),
    request: request.id,
    gate_id: gate,
    gate_name: GATE_TITLES[gate],
    role: by.role,
    context: {
      task: facts.taskId,
      task_description: facts.title,
      pattern_type: facts.patterns.join(', '),
      severity: facts.severity.toUpperCase(),
      recovery_attempts: facts.recoveryAttempts,
      agent_confidence: facts.diagnosisConfidence ?? facts.detectionConfidence,
      diff_sha256: request.diffSha256,
    },
    time_spent_seconds: Number.isFinite(spentMs) ? Math.max(0, Math.round(spentMs / 1000)) : null,
    signature: by.signature,
  };
}

/** Returns the entry with its members in the order of the file, because the hash of a line depends on it. */
export function plainEntry({
  kind,
  timestamp,
  decision,
  user,
  human_feedback,
}: Pick<AuditEntry, 'kind' | 'timestamp' | 'decision' | 'user' | 'human_feedback'>): AuditEntry {
  return {
    kind,
    timestamp,
    request: null,
    gate_id: null,
    gate_name: null,
    decision,
    user,
    role: null,
    context: null,
    human_feedback,
    time_spent_seconds: null,
    signature: null,
    sealed: [],
  };
}

export function linesText(lines: readonly AuditLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export function headOf(lines: readonly AuditLine[]): AuditHead {
  const last = lines.at(-1);
  return last === undefined ? NO_AUDIT : { n: last.n, hash: last.hash };
}

const DAY_MS = 86_400_000;
/** Days for which lines about recoveries and single actions are kept. @see docs/HUMAN_GATES.md*/
const SHORT_DAYS = 90;
const LONG_DAYS = 365;

/**
 * Returns the log without lines that are too old, and with a line that seals the gaps; `null`: no line is too old. The
 * seal lists all gaps so far, so earlier seals may be removed, too.
 * @param lines All lines, already verified
 */
export function sealed(
  lines: readonly AuditLine[],
  head: AuditHead,
  now: string,
  sha256: Hash,
): { readonly kept: readonly AuditLine[]; readonly seal: AuditLine } | null {
  const old = lines.filter((line) => isTooOld(line, now));
  if (old.length === 0) return null;
  const going = new Set(old.map(({ n }) => n));
  const kept = lines.filter(({ n }) => !going.has(n));
  const human_feedback = `${old.length} lines removed`;
  const entry = plainEntry({
    kind: 'sealed',
    timestamp: now,
    decision: 'retention',
    user: 'ralph',
    human_feedback,
  });
  const seal = chained(head, { ...entry, sealed: gapsOf(kept, lines, head) }, sha256);
  return { kept: [...kept, seal], seal };
}

export function isTooOld(
  { timestamp, gate_id }: Pick<AuditLine, 'timestamp' | 'gate_id'>,
  now: string,
): boolean {
  const days = gate_id === 'GATE-AP-RECOVERY' || gate_id === 'MANUAL' ? SHORT_DAYS : LONG_DAYS;
  return Date.parse(now) - Date.parse(timestamp) > days * DAY_MS;
}

/** Returns the gaps in the line numbers, each with the hashes before and after it. */
function gapsOf(kept: readonly AuditLine[], all: readonly AuditLine[], head: AuditHead): SealedRange[] {
  const gaps: SealedRange[] = [];
  let before = { n: 0, hash: '0'.repeat(64) };
  for (const line of kept) {
    if (line.n > before.n + 1)
      gaps.push({ from: before.n + 1, to: line.n - 1, before: before.hash, after: line.prev });
    before = { n: line.n, hash: line.hash };
  }
  if (head.n > before.n) {
    const last = all.at(-1);
    gaps.push({ from: before.n + 1, to: head.n, before: before.hash, after: last?.hash ?? head.hash });
  }
  return gaps;
}

export function isLate({ deadline }: Pick<GateRequest, 'deadline'>, now: string): boolean {
  return deadline !== null && Date.parse(now) >= Date.parse(deadline);
}

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
    ...late.map(
      ({ id, facts, action, onTimeout }): JournalBody => ({
        type: 'human_gate_timed_out',
        request: id,
        taskId: facts.taskId,
        became: action !== null ? 'denied' : onTimeout === 'block' ? 'blocked' : 'escalated',
      }),
    ),
    ...lines.map((line): JournalBody => ({ type: 'audit_logged', line })),
  ];
}
