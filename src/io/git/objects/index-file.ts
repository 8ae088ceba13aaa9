import type { BytePath } from '../call/git-path.ts';

/** An entry of an index. */
export type IndexEntry = {
  readonly path: BytePath;
  readonly mode: string;
  readonly oid: string;
  /** 0; 1 to 3 in a conflict. */
  readonly stage: number;
  /** Flags that make git overlook the work tree. */
  readonly assumeUnchanged: boolean;
  readonly skipWorktree: boolean;
};

const HEADER_BYTES = 12;
/** Before the id of an entry: times, device, inode, mode, owner, group, size. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;
const ASSUME_UNCHANGED = 0x8000;
const SKIP_WORKTREE = 0x4000;

/**
 * The entries of an index file of version 2 or 3.
 *
 * @param content Whole, as the file was at one moment: git replaces it by a rename.
 * @param idLength Hex digits of an id: 40 or 64.
 * @returns `null` where git has to be asked: version 4, a split index, folders of a sparse one, or what isn't an index.
 * @see gitformat-index(5)
 */
export function parseIndexFile(content: Buffer, idLength: number): readonly IndexEntry[] | null {
  const idBytes = idLength / 2;
  if (content.length < HEADER_BYTES + idBytes || content.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = content.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const entries: IndexEntry[] = [];
  const last = content.length - idBytes;
  let at = HEADER_BYTES;
  for (let left = content.readUInt32BE(8); left > 0; left -= 1) {
    if (at + STAT_BYTES + idBytes + 2 > last) return null;
    const flags = content.readUInt16BE(at + STAT_BYTES + idBytes);
    const extended = (flags & EXTENDED) !== 0;
    const from = at + STAT_BYTES + idBytes + (extended ? 4 : 2);
    const more = extended ? content.readUInt16BE(from - 2) : 0;
    const end = content.indexOf(0, from);
    if (end < 0 || end >= last) return null;
    entries.push({
      path: content.toString('latin1', from, end) as BytePath,
      mode: content
        .readUInt32BE(at + MODE_AT)
        .toString(8)
        .padStart(6, '0'),
      oid: content.toString('hex', at + STAT_BYTES, at + STAT_BYTES + idBytes),
      stage: (flags >> 12) & 3,
      assumeUnchanged: (flags & ASSUME_UNCHANGED) !== 0,
      skipWorktree: (more & SKIP_WORKTREE) !== 0,
    });
    // Padded with one to eight zeros, so that the next one begins at a multiple of eight.
    at += (Math.floor((end - at) / 8) + 1) * 8;
  }
  return onlyOptionalExtensions(content, at, last) ? entries : null;
}

/** Whether what follows the entries may be left unread: git writes a capital letter first where it may. */
function onlyOptionalExtensions(content: Buffer, from: number, last: number): boolean {
  let at = from;
  while (at + 8 <= last) {
    const first = content[at] ?? 0;
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + content.readUInt32BE(at + 4);
  }
  return at === last;
}

/** Output of `git ls-files -v -s -z`. */
export function parseIndexEntries(output: Buffer): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const record of output.toString('latin1').split('\0')) {
    const tab = record.indexOf('\t');
    if (tab < 0) continue;
    const [tag = '', mode = '', oid = '', stage] = record.slice(0, tab).split(' ');
    entries.push({
      path: record.slice(tab + 1) as BytePath,
      mode,
      oid,
      stage: Number(stage),
      assumeUnchanged: tag !== tag.toUpperCase(),
      skipWorktree: tag.toUpperCase() === 'S',
    });
  }
  return entries;
}
