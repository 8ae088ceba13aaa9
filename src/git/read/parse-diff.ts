import { parsePatch, type Run } from 'ralph-kit/formats/patch';
import { match } from 'ralph-kit/match';
import type { ChangeKind, Hunk } from '../../domain/change-set.ts';
import type { BytePath } from '../call/git-path.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';

export type LineCount = {
  readonly binary: boolean;
  readonly linesAdded: number;
  readonly linesRemoved: number;
};

export type ParsedDiff = {
  readonly raw: readonly RawChange[];
  readonly counts: ReadonlyMap<BytePath, LineCount>;
  readonly patch: Buffer;
};

const RAW = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([ADMTR])\d*$/;
const COUNTS = /^(\d+|-)\t(\d+|-)\t/;

/** Parses `git diff-tree -r -z [--raw] [--numstat] [-p]`: raw records, counts, an empty record, the patch. */
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
    // A rename has its two paths in separate records.
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
  return match(change, 'status', {
    A: () => 'added',
    D: () => 'deleted',
    R: () => 'renamed',
    T: () => 'type_changed',
    M: (change) => (change.oldOid === change.newOid ? 'mode_changed' : 'modified'),
  });
}

export type FilePatch = {
  readonly binary: boolean;
  /** Hunks without unchanged lines. */
  readonly hunks: Hunk[];
};

/** Returns patches by raw change; a change of type is two. `null` when patch and changes don't match. */
export function filePatches(patch: Buffer, raw: readonly RawChange[]): FilePatch[] | null {
  const files = parsePatch(patch.toString('latin1'));
  const headers = raw.reduce((sum, { status }) => sum + (status === 'T' ? 2 : 1), 0);
  if (files.length !== headers) return null;
  let next = 0;
  return raw.map((change) => {
    const own = files.slice(next, next + (change.status === 'T' ? 2 : 1));
    next += own.length;
    return {
      binary: own.some(({ binary }) => binary),
      hunks: isGitlink(change) ? [] : own.flatMap(({ runs }) => runs.map(hunkOf)),
    };
  });
}

function hunkOf({ removed, added, oldStart, newStart }: Run): Hunk {
  return { oldStart, oldLines: removed.length, newStart, newLines: added.length };
}

export function isGitlink({ oldMode, newMode }: RawChange): boolean {
  return oldMode === GITLINK || newMode === GITLINK;
}
