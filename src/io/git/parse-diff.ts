import type { ChangeKind, Hunk } from '../../domain/change-set.ts';
import { unreachable } from '../../lib/unreachable.ts';
import type { BytePath } from './git-path.ts';

/** Mode of a submodule in a tree. */
export const GITLINK = '160000';

export type RawChange = {
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R';
  readonly path: BytePath;
  readonly oldPath: BytePath | null;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
};

export type LineCount = {
  readonly binary: boolean;
  readonly linesAdded: number;
  readonly linesRemoved: number;
};

export type ParsedDiff = {
  readonly raw: readonly RawChange[];
  readonly counts: ReadonlyMap<BytePath, LineCount>;
  /** The patch that follows, empty when none was asked for. */
  readonly patch: Buffer;
};

const RAW = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([ADMTR])\d*$/;
const COUNTS = /^(\d+|-)\t(\d+|-)\t/;

/** Output of `git diff-tree -r -z --raw [--numstat] [-p]`: raw records, counts, an empty record, the patch. */
export function parseDiff(output: Buffer): ParsedDiff {
  const raw: RawChange[] = [];
  const counts = new Map<BytePath, LineCount>();
  let at = 0;
  const next = (): string => {
    const end = output.indexOf(0, at);
    const field = output.subarray(at, end < 0 ? output.length : end).toString('latin1');
    at = end < 0 ? output.length : end + 1;
    return field;
  };
  while (at < output.length && output[at] !== 0) {
    const head = next();
    const record = RAW.exec(head);
    if (record !== null) {
      const [, oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = record;
      const first = next() as BytePath;
      const renamed = status === 'R';
      raw.push({
        status: status as RawChange['status'],
        path: renamed ? (next() as BytePath) : first,
        oldPath: renamed ? first : null,
        oldMode,
        newMode,
        oldOid,
        newOid,
      });
      continue;
    }
    const count = COUNTS.exec(head);
    if (count === null) throw new Error(`unexpected output of git diff-tree: ${JSON.stringify(head)}`);
    const [matched, added = '', removed = ''] = count;
    // A rename has its two paths in records of their own.
    let path = head.slice(matched.length) as BytePath;
    if (path === '') {
      next();
      path = next() as BytePath;
    }
    counts.set(path, {
      binary: added === '-',
      linesAdded: Number(added) || 0,
      linesRemoved: Number(removed) || 0,
    });
  }
  return { raw, counts, patch: output.subarray(Math.min(at + 1, output.length)) };
}

export function changeKind(change: RawChange): ChangeKind {
  switch (change.status) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    case 'T':
      return 'type_changed';
    case 'M':
      return change.oldOid === change.newOid ? 'mode_changed' : 'modified';
    default:
      return unreachable(change.status);
  }
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const PLUS = 0x2b;
const MINUS = 0x2d;

/**
 * Hunks of a patch, one list per raw change, without their lines of context: as `-U0` would have them. Outside of a
 * hunk only headers start with `diff --git ` or `@@`, and a hunk ends where its header says. A change of type is
 * printed as a deletion and a creation. `null` when the patch does not fit the changes.
 */
export function parseHunks(patch: Buffer, raw: readonly RawChange[]): Hunk[][] | null {
  const lists: Hunk[][] = raw.map(() => []);
  const owners = raw.flatMap((change, index) => (change.status === 'T' ? [index, index] : [index]));
  let header = -1;
  for (let from = 0; from < patch.length; ) {
    const to = lineEnd(patch, from);
    const first = patch[from];
    if (first === 0x64 && patch.toString('latin1', from, Math.min(from + 11, to)) === 'diff --git ') {
      header += 1;
    } else if (first === 0x40) {
      const whole = parseHunk(patch.toString('latin1', from, Math.min(from + 100, to)));
      if (whole !== null) {
        const owner = owners[header];
        const { parts, end } = withoutContext(patch, to + 1, whole);
        if (owner !== undefined && !isGitlink(raw[owner])) lists[owner]?.push(...parts);
        from = end;
        continue;
      }
    }
    from = to + 1;
  }
  return header + 1 === owners.length ? lists : null;
}

function lineEnd(patch: Buffer, from: number): number {
  const newline = patch.indexOf(0x0a, from);
  return newline < 0 ? patch.length : newline;
}

/** The runs of changed lines of one hunk, and where the text behind it begins. */
function withoutContext(patch: Buffer, start: number, whole: Hunk): { parts: Hunk[]; end: number } {
  const parts: Hunk[] = [];
  // A side without lines is named by the line before it.
  let oldLine = whole.oldStart + (whole.oldLines === 0 ? 1 : 0);
  let newLine = whole.newStart + (whole.newLines === 0 ? 1 : 0);
  const oldEnd = oldLine + whole.oldLines;
  const newEnd = newLine + whole.newLines;
  let removed = 0;
  let added = 0;
  const close = () => {
    if (removed + added === 0) return;
    parts.push({
      oldStart: oldLine - removed - (removed === 0 ? 1 : 0),
      oldLines: removed,
      newStart: newLine - added - (added === 0 ? 1 : 0),
      newLines: added,
    });
    removed = 0;
    added = 0;
  };
  let from = start;
  while (from < patch.length && (oldLine < oldEnd || newLine < newEnd)) {
    const sign = patch[from];
    if (sign === MINUS) {
      oldLine += 1;
      removed += 1;
    } else if (sign === PLUS) {
      newLine += 1;
      added += 1;
    } else if (sign === 0x20 || sign === 0x0a) {
      // A blank line of context has lost its space where diff.suppressBlankEmpty is set.
      close();
      oldLine += 1;
      newLine += 1;
    }
    from = lineEnd(patch, from) + 1;
  }
  close();
  return { parts, end: from };
}

function isGitlink(change: RawChange | undefined): boolean {
  return change !== undefined && (change.oldMode === GITLINK || change.newMode === GITLINK);
}

function parseHunk(line: string): Hunk | null {
  const found = HUNK.exec(line);
  if (found === null) return null;
  const [, oldStart, oldLines = '1', newStart, newLines = '1'] = found;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
  };
}
