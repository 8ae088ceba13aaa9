import { GitError } from '../../../domain/ports.ts';

/** One entry of a folder in git's objects. */
export type TreeEntry = {
  /** Six octal digits, as `git ls-tree` prints them. */
  readonly mode: string;
  /** In hex; a submodule's is a commit of another repository. */
  readonly oid: string;
};

/** The entries of one folder by name, one character a byte, in git's order. */
export type TreeEntries = ReadonlyMap<string, TreeEntry>;

/** Mode of a folder. */
export const FOLDER = '040000';

export function isFolder(entry: Pick<TreeEntry, 'mode'> | undefined): boolean {
  return entry?.mode === FOLDER;
}

/** Compares two entries as git sorts them: a folder's name counts with a slash at its end. */
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
 * Reads the content of a tree object.
 *
 * @param idLength Hex digits of an id: 40 or 64.
 * @throws GitError for content that git wouldn't have written: cut off, without a name, or with a name twice
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

/** The content of the tree object with these entries, in whichever order they come. */
export function encodeTree(entries: Iterable<readonly [string, TreeEntry]>): Buffer {
  const sorted = [...entries].sort(compareEntries);
  return Buffer.concat(
    sorted.flatMap(([name, { mode, oid }]) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  );
}

/** Repositories of early versions of git have files with other permissions; git itself reads these as one of five modes. */
function canonicalMode(octal: string): string {
  const mode = Number.parseInt(octal, 8);
  const type = mode & 0o170000;
  if (type === 0o100000) return (mode & 0o100) === 0 ? '100644' : '100755';
  if (type === 0o120000) return '120000';
  return type === 0o040000 ? FOLDER : '160000';
}
