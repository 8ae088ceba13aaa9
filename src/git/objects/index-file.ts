import type { BytePath } from '../call/git-path.ts';

export type IndexEntry = {
  readonly path: BytePath;
  readonly mode: string;
  readonly oid: string;
  /** Stage of the entry: 0, or 1 to 3 in a conflict. */
  readonly stage: number;
  /** Flags that make git ignore the work tree. */
  readonly assumeUnchanged: boolean;
  readonly skipWorktree: boolean;
};

const HEADER_BYTES = 12;
/** Size of times, device, inode, mode, owner, group and size before an entry's id. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;
const ASSUME_UNCHANGED = 0x8000;
const SKIP_WORKTREE = 0x4000;

/**
 * Returns the entries of an index file, version 2 or 3; `null` when git must be asked: version 4, split or sparse
 * index, or no index.
 * @param content Complete at one moment: git replaces the file by a rename.
 * @param idLength 40 or 64 hex digits.
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
    // One to eight zeros pad an entry to a multiple of eight bytes.
    at += (Math.floor((end - at) / 8) + 1) * 8;
  }
  return onlyOptionalExtensions(content, at, last) ? entries : null;
}

/** Whether the extensions after the entries may be skipped: git begins their names with a capital letter. */
function onlyOptionalExtensions(content: Buffer, from: number, last: number): boolean {
  let at = from;
  while (at + 8 <= last) {
    const first = content[at] ?? 0;
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + content.readUInt32BE(at + 4);
  }
  return at === last;
}

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
