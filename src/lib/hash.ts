/**
 * A short, stable name for a text: `length` (1 to 8) lower-case hex digits of FNV-1a over its UTF-16 units, mixed
 * once more so that every digit depends on the whole text. No protection against a deliberate collision.
 */
export function shortHash(text: string, length: number): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  return hash.toString(16).padStart(8, '0').slice(0, length);
}
