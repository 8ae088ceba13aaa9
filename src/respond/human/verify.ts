import { parseJson } from 'ralph-kit/parse-json';
import { type AuditHead, AuditLine, NO_AUDIT, type SealedRange } from '../../domain/human/gate.ts';
import type { Hash } from './audit.ts';

export type AuditProblem = {
  readonly kind: 'changed' | 'deleted' | 'inserted' | 'reordered' | 'truncated';
  /** Line number in the file, from 1; `null`: the line is missing. */
  readonly line: number | null;
  readonly message: string;
};

/**
 * Returns problems of the audit log: it must have all lines up to the recorded head, in order, except for those that a
 * seal names.
 */
export function verifyAudit(text: string, head: AuditHead, sha256: Hash): AuditProblem[] {
  const read = text === '' ? [] : text.replace(/\n$/, '').split('\n').map(readLine);
  const whole = read.map((line) => {
    if (line === null) return null;
    const { hash, ...open } = line;
    return sha256(JSON.stringify(open)) === hash ? line : null;
  });
  const sealed = whole.flatMap((line) => line?.sealed ?? []);
  const seen = new Map<number, AuditLine>();
  const problems: AuditProblem[] = [];
  let highest = 0;
  whole.forEach((line, index) => {
    const at = index + 1;
    const { n } = line ?? {};
    if (line === null || n === undefined)
      problems.push(changedOrInserted(read[index] ?? null, at, read, head));
    else if (n > head.n)
      problems.push(problem('inserted', at, `line ${at} (${n}) was never written by ralph`));
    else if (seen.has(n)) problems.push(problem('inserted', at, `line ${at} repeats number ${n}`));
    else if (n < highest)
      problems.push(problem('reordered', at, `line ${at} (${n}) stands behind ${highest}`));
    if (line === null || n === undefined || n > head.n || seen.has(n)) return;
    seen.set(n, line);
    highest = Math.max(highest, n);
  });
  // A changed line doesn't count as missing.
  const spoilt = new Set(
    read.filter((line, index) => line !== null && whole[index] === null).map((line) => line?.n),
  );
  const unreadable = read.filter((line) => line === null).length;
  const gaps = missing(head.n, seen, spoilt, sealed);
  const lost = gaps.map(([from, to]) =>
    to === head.n
      ? problem('truncated', null, `the end is missing: ${numbers(from, to)}`)
      : problem('deleted', null, `${numbers(from, to)} missing`),
  );
  const explained = unreadable > 0 && gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0) <= unreadable;
  if (!explained) problems.push(...lost);
  if (problems.length === 0) problems.push(...brokenLinks([...seen.values()], head, sealed));
  return problems;
}

/** Returns a line of the log; `null`: the text isn't one. */
function readLine(text: string): AuditLine | null {
  const line = parseJson(text, AuditLine);
  // Equal content in another spelling is a change, too.
  return line !== null && JSON.stringify(line) === text ? line : null;
}

function problem(kind: AuditProblem['kind'], line: number | null, message: string): AuditProblem {
  return { kind, line, message };
}

function changedOrInserted(
  line: AuditLine | null,
  at: number,
  all: readonly (AuditLine | null)[],
  head: AuditHead,
): AuditProblem {
  const isTwice = line !== null && all.filter((other) => other?.n === line.n).length > 1;
  if (isTwice || (line !== null && line.n > head.n))
    return problem('inserted', at, `line ${at} was never written by ralph`);
  return problem('changed', at, `line ${at} isn't as it was written`);
}

function numbers(from: number, to: number): string {
  return from === to ? `number ${from} is` : `numbers ${from} to ${to} are`;
}

function missing(
  last: number,
  seen: ReadonlyMap<number, unknown>,
  spoilt: ReadonlySet<number | undefined>,
  sealed: readonly SealedRange[],
): [number, number][] {
  const ranges: [number, number][] = [];
  for (let n = 1; n <= last; n += 1) {
    const there = seen.has(n) || spoilt.has(n) || sealed.some(({ from, to }) => n >= from && n <= to);
    if (there) continue;
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === n - 1) open[1] = n;
    else ranges.push([n, n]);
  }
  return ranges;
}

/**
 * Returns lines that don't continue the chain of hashes. If all lines are there and in order, this means that the log
 * was written anew.
 */
function brokenLinks(
  lines: readonly AuditLine[],
  head: AuditHead,
  sealed: readonly SealedRange[],
): AuditProblem[] {
  let end = NO_AUDIT;
  for (const [index, line] of lines.entries()) {
    const at = index + 1;
    const gap = sealed.find(({ from, to }) => from === end.n + 1 && to === line.n - 1);
    const isNext = line.n === end.n + 1 && line.prev === end.hash;
    const isBehindSeal = gap !== undefined && gap.before === end.hash && gap.after === line.prev;
    if (!isNext && !isBehindSeal)
      return [problem('changed', at, `line ${at} doesn't follow from the line before it`)];
    end = { n: line.n, hash: line.hash };
  }
  const isEnd = end.n === head.n && end.hash === head.hash;
  return isEnd ? [] : [problem('changed', lines.length, 'the log ends otherwise than ralph has on record')];
}
