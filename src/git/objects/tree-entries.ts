import { GitError } from '../../domain/ports.ts';
import type { BytePath } from '../call/git-path.ts';

export type TreeEntry = {
  /** Mode as six octal digits, as in `git ls-tree`. */
  readonly mode: string;
  /** Id of the entry's object in hex; for a submodule, a commit of another repository. */
  readonly oid: string;
};

/** Entries of a folder by name in git's order; names have one character per byte. */
export type TreeEntries = ReadonlyMap<string, TreeEntry>;

export const FOLDER = '040000';

export function isFolder(entry: Pick<TreeEntry, 'mode'> | undefined): boolean {
  return entry?.mode === FOLDER;
}

/** Git sorts a folder's name as if it ended with a slash. */
export function compareEntries(
  [one, { mode }]: readonly [string, Pick<TreeEntry, 'mode'>],
  [other, { mode: otherMode }]: readonly [string, Pick<TreeEntry, 'mode'>],
): number {
  const a = mode === FOLDER ? `${one}/` : one;
  const b = otherMode === FOLDER ? `${other}/` : other;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Parses a tree object. @param idLength 40 or 64 hex digits. @throws GitError for truncated content, empty or repeated
 * names.
 */
export function parseTree(content: Buffer, idLength: number): TreeEntries {
  const entries = new Map<string, TreeEntry>();
  const idBytes = idLength / 2;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space + 1);
    const next = end + 1 + idBytes;
    if (space < 0 || end <= space + 1 || next > content.length)
      throw new GitError('a tree object is damaged');
    const name = content.toString('latin1', space + 1, end);
    if (entries.has(name)) throw new GitError('a tree object names a file twice');
    entries.set(name, {
      mode: canonicalMode(content.toString('latin1', at, space)),
      oid: content.toString('hex', end + 1, next),
    });
    at = next;
  }
  return entries;
}

export function encodeTree(entries: Iterable<readonly [string, TreeEntry]>): Buffer {
  const sorted = [...entries].sort(compareEntries);
  return Buffer.concat(
    sorted.flatMap(([name, { mode, oid }]) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  );
}

/** Early versions of git stored other permissions; git reads them as one of five modes. */
function canonicalMode(octal: string): string {
  const mode = Number.parseInt(octal, 8);
  const type = mode & 0o170000;
  if (type === 0o100000) return (mode & 0o100) === 0 ? '100644' : '100755';
  if (type === 0o120000) return '120000';
  return type === 0o040000 ? FOLDER : '160000';
}

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
