/** What a tree has under a name. */
type Entry = { readonly mode: string; readonly oid: string };
/** A tree, by name, one character per byte. */
export type Folder = ReadonlyMap<string, Entry>;

export const FOLDER_MODE = '40000';

/**
 * The object of a tree as git stores it.
 *
 * @param idBytes Length of an id in it.
 */
export function parseFolder(content: Buffer, idBytes: number): Folder {
  const folder = new Map<string, Entry>();
  for (let at = 0; at < content.length; ) {
    const [space, end] = [content.indexOf(0x20, at), content.indexOf(0, at)];
    const mode = content.toString('latin1', at, space);
    const oid = content.toString('hex', end + 1, end + 1 + idBytes);
    folder.set(content.toString('latin1', space + 1, end), { mode, oid });
    at = end + 1 + idBytes;
  }
  return folder;
}
