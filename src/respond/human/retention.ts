import type { AuditEntry, AuditHead, AuditLine, SealedRange } from '../../domain/human/gate.ts';
import { chained, type Hash, plainEntry } from './audit.ts';

const DAY_MS = 86_400_000;
/** Days that a line is kept: of recoveries and single actions, and of everything else. @see spec 5-human-gates, Audit */
const SHORT_DAYS = 90;
const LONG_DAYS = 365;

/**
 * The log without the lines that are too old, and one more line that seals what went; `null`: nothing is too old. A
 * sealed line names all that went so far, so the ones before it may go, too.
 *
 * @param lines Verified, and all of them.
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
  const entry: AuditEntry = {
    ...plainEntry({
      kind: 'sealed',
      timestamp: now,
      decision: 'retention',
      user: 'ralph',
      human_feedback: `${old.length} lines removed`,
    }),
    sealed: gapsOf(kept, lines, head),
  };
  const seal = chained(head, entry, sha256);
  return { kept: [...kept, seal], seal };
}

/** Whether the log keeps a line no longer. */
export function isTooOld(
  { timestamp, gate_id }: Pick<AuditLine, 'timestamp' | 'gate_id'>,
  now: string,
): boolean {
  const days = gate_id === 'GATE-AP-RECOVERY' || gate_id === 'MANUAL' ? SHORT_DAYS : LONG_DAYS;
  return Date.parse(now) - Date.parse(timestamp) > days * DAY_MS;
}

/** The ranges of numbers that aren't kept, each between the hashes that frame it. */
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
