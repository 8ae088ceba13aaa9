import {
  type AuditEntry,
  type AuditHead,
  AuditLine,
  type DecidedBy,
  GATE_TITLES,
  type GateRequest,
  NO_AUDIT,
} from '../../domain/human/gate.ts';

export type Hash = (text: string) => string;

/** The entry behind another: its number, the hash of the one before, and its own. */
export function chained(head: AuditHead, entry: AuditEntry, sha256: Hash): AuditLine {
  const open = { n: head.n + 1, ...entry, prev: head.hash };
  return { ...open, hash: sha256(JSON.stringify(open)) };
}

/** The entries behind one another. */
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

type Said = {
  readonly kind: AuditEntry['kind'];
  readonly decision: string;
  readonly at: string;
  readonly feedback: string;
  readonly by: DecidedBy;
};

/** What the log says of a request: who decided what, on which facts, and how long that took. */
export function entryOf(request: GateRequest, { kind, decision, at, feedback, by }: Said): AuditEntry {
  const { facts, gate } = request;
  const spentMs = Date.parse(at) - Date.parse(request.at);
  return {
    kind,
    timestamp: at,
    request: request.id,
    gate_id: gate,
    gate_name: GATE_TITLES[gate],
    decision,
    user: by.user,
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
    human_feedback: feedback,
    time_spent_seconds: Number.isFinite(spentMs) ? Math.max(0, Math.round(spentMs / 1000)) : null,
    signature: by.signature,
    sealed: [],
  };
}

/** An entry that belongs to no request. */
export function plainEntry(
  said: Pick<AuditEntry, 'kind' | 'timestamp' | 'decision' | 'user' | 'human_feedback'>,
): AuditEntry {
  return {
    kind: said.kind,
    timestamp: said.timestamp,
    request: null,
    gate_id: null,
    gate_name: null,
    decision: said.decision,
    user: said.user,
    role: null,
    context: null,
    human_feedback: said.human_feedback,
    time_spent_seconds: null,
    signature: null,
    sealed: [],
  };
}

/** The log's text as lines; what isn't a line of the log is `null`. */
export function readLines(text: string): (AuditLine | null)[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(readLine);
}

function readLine(text: string): AuditLine | null {
  try {
    const parsed = AuditLine.safeParse(JSON.parse(text));
    // Another spelling of the same content is a change, too.
    return parsed.success && JSON.stringify(parsed.data) === text ? parsed.data : null;
  } catch {
    return null;
  }
}

export function linesText(lines: readonly AuditLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Whether a line is the one that its hash was made of. */
export function isIntact({ hash, ...open }: AuditLine, sha256: Hash): boolean {
  return sha256(JSON.stringify(open)) === hash;
}

/** The end of a chain of lines. */
export function headOf(lines: readonly AuditLine[]): AuditHead {
  const last = lines.at(-1);
  return last === undefined ? NO_AUDIT : { n: last.n, hash: last.hash };
}
