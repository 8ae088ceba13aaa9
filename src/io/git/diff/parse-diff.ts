import type { ChangeKind, Hunk } from '../../../domain/change-set.ts';
import { unreachable } from '../../../lib/unreachable.ts';
import type { BytePath } from '../call/git-path.ts';

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
/** Of a line with a header; longer ones only have text behind what is read. */
const MAX_HEADER = 100;

/**
 * Hunks of a patch without context (`-U0`), one list per raw change. Only headers start with `diff --git ` or `@@`:
 * lines of content have their sign in front. A change of type is printed as a deletion and a creation. `null` when
 * the patch doesn't fit the changes.
 */
export function parseHunks(patch: Buffer, raw: readonly RawChange[]): Hunk[][] | null {
  const lists: Hunk[][] = raw.map(() => []);
  const owners = raw.flatMap((change, index) => (change.status === 'T' ? [index, index] : [index]));
  let header = -1;
  for (let from = 0; from < patch.length; ) {
    const newline = patch.indexOf(0x0a, from);
    const to = newline < 0 ? patch.length : newline;
    const line = patch.toString('latin1', from, Math.min(from + MAX_HEADER, to));
    from = to + 1;
    if (line.startsWith('diff --git ')) header += 1;
    const hunk = parseHunk(line);
    const owner = owners[header];
    const change = owner === undefined ? undefined : raw[owner];
    if (hunk !== null && owner !== undefined && change !== undefined && !isGitlink(change))
      lists[owner]?.push(hunk);
  }
  return header + 1 === owners.length ? lists : null;
}

/** Whether a change is of a submodule, on one side at least. */
export function isGitlink({ oldMode, newMode }: RawChange): boolean {
  return oldMode === GITLINK || newMode === GITLINK;
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
