import { match } from 'ralph-kit/match';
import type { ChangeKind, Hunk } from '../../domain/change-set.ts';
import type { BytePath } from '../call/git-path.ts';
import { GITLINK, type RawChange } from '../objects/raw-change.ts';

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

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Length of a header line that is read; the rest is context. */
const MAX_HEADER = 100;

export type FilePatch = {
  readonly binary: boolean;
  /** Hunks without unchanged lines. */
  readonly hunks: Hunk[];
};

/** Returns patches by raw change; a change of type is two. `null` when patch and changes don't match. */
export function parsePatch(patch: Buffer, raw: readonly RawChange[]): FilePatch[] | null {
  const files = raw.map(() => ({ binary: false, hunks: [] as Hunk[] }));
  const owners = raw.flatMap((change, index) => (change.status === 'T' ? [index, index] : [index]));
  let header = -1;
  let at: Cursor | null = null;
  for (let from = 0; from < patch.length; ) {
    const newline = patch.indexOf(0x0a, from);
    const to = newline < 0 ? patch.length : newline;
    if (at !== null && at.oldLeft + at.newLeft > 0) takeLine(at, patch[from] ?? 0);
    else {
      const line = patch.toString('latin1', from, Math.min(from + MAX_HEADER, to));
      if (line.startsWith('diff --git ')) header += 1;
      const owner = owners[header] ?? -1;
      const [change, file] = [raw[owner], files[owner]];
      if (file !== undefined && line.startsWith('Binary files ')) file.binary = true;
      at = change === undefined || isGitlink(change) ? null : enterHunk(line, file?.hunks ?? []);
    }
    from = to + 1;
  }
  return header + 1 === owners.length ? files : null;
}

type Cursor = {
  /** Numbers of the next line, and number of lines left. */
  oldAt: number;
  newAt: number;
  oldLeft: number;
  newLeft: number;
  /** Run of changed lines that the next line may extend. */
  open: { -readonly [Key in keyof Hunk]: Hunk[Key] } | null;
  readonly into: Hunk[];
};

const [ADDED, REMOVED, SAME] = [...Buffer.from('+- ')];

function takeLine(at: Cursor, sign: number): void {
  if (sign === SAME) at.open = null;
  else if (sign === ADDED || sign === REMOVED) {
    if (at.open === null) {
      at.open = { oldStart: at.oldAt - 1, oldLines: 0, newStart: at.newAt - 1, newLines: 0 };
      at.into.push(at.open);
    }
    if (sign === ADDED && ++at.open.newLines === 1) at.open.newStart = at.newAt;
    if (sign === REMOVED && ++at.open.oldLines === 1) at.open.oldStart = at.oldAt;
  } else return;
  if (sign !== ADDED) [at.oldAt, at.oldLeft] = [at.oldAt + 1, at.oldLeft - 1];
  if (sign !== REMOVED) [at.newAt, at.newLeft] = [at.newAt + 1, at.newLeft - 1];
}

function enterHunk(line: string, into: Hunk[]): Cursor | null {
  const found = HUNK.exec(line);
  if (found === null) return null;
  const [, oldStart, oldLines = '1', newStart, newLines = '1'] = found;
  const [oldLeft, newLeft] = [Number(oldLines), Number(newLines)];
  // A side without lines is positioned by the line before.
  const [oldAt, newAt] = [
    Number(oldStart) + (oldLeft === 0 ? 1 : 0),
    Number(newStart) + (newLeft === 0 ? 1 : 0),
  ];
  return { oldAt, newAt, oldLeft, newLeft, open: null, into };
}

export function isGitlink({ oldMode, newMode }: RawChange): boolean {
  return oldMode === GITLINK || newMode === GITLINK;
}
