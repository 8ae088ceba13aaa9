/** Path below the work tree's top in latin1, one character per byte, so that all names compare and return to git. */
export type BytePath = string & { readonly bytePath: true };

export function bytePath(bytes: Buffer): BytePath {
  return bytes.toString('latin1') as BytePath;
}

/** Returns the absolute path of a file below a folder for Node, whatever bytes its name has. */
export function pathIn(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

const SHORT: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};
const LETTER = new Map(Object.entries(SHORT).map(([letter, byte]) => [byte, letter]));

/** Returns UTF-8 text, else git's quoted form (`"caf\351"`). Names with a leading quote are quoted for `parsePath`. */
export function printPath(path: BytePath): string {
  const bytes = pathBytes(path);
  const text = bytes.toString('utf8');
  return !text.startsWith('"') && Buffer.from(text, 'utf8').equals(bytes) ? text : quotePath(bytes);
}

/** Returns git's quoted form on one line, for commands that read one path per line. */
export function quotePath(bytes: Buffer): string {
  let quoted = '';
  for (const byte of bytes) {
    const letter = LETTER.get(byte);
    if (letter !== undefined) quoted += `\\${letter}`;
    else if (byte < 0x20 || byte > 0x7e) quoted += `\\${byte.toString(8).padStart(3, '0')}`;
    else quoted += String.fromCharCode(byte);
  }
  return `"${quoted}"`;
}

/** Returns an ignore rule for this path alone, in latin1. */
export function ignoreLine(path: BytePath): string {
  return `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`;
}

/** Reverses `printPath`. Quoted text that isn't valid is used unchanged. */
export function parsePath(text: string): BytePath {
  const quoted = /^"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"$/s.exec(text)?.[1];
  if (quoted === undefined) return bytePath(Buffer.from(text, 'utf8'));
  const bytes: number[] = [];
  for (const [part, code] of quoted.matchAll(/\\([abtnvfr"\\]|[0-3][0-7]{2})|[^\\]+/gs)) {
    if (code === undefined) bytes.push(...Buffer.from(part, 'utf8'));
    else bytes.push(SHORT[code] ?? Number.parseInt(code, 8));
  }
  return bytePath(Buffer.from(bytes));
}

/** Returns the folders above a path, outermost first: `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: BytePath): BytePath[] {
  const folders: BytePath[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    folders.push(path.slice(0, at) as BytePath);
  }
  return folders;
}

export function isWithin(path: BytePath, folder: BytePath): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns paths in the form that git reads with `-z`. */
export function nulList(paths: Iterable<BytePath>): Buffer {
  return Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
}
