/** Returns the path from one file's folder to another file, such as `../src/a.js`. Both are relative to the root. */
export function relativePath(from: string, to: string): string {
  const [own, other] = [from.split('/').slice(0, -1), to.split('/')];
  const shared = own.findIndex((part, index) => part !== other[index]);
  const common = Math.min(shared < 0 ? own.length : shared, other.length - 1);
  const up = own.slice(common).map(() => '..');
  return [...(up.length === 0 ? ['.'] : up), ...other.slice(common)].join('/');
}

/** Returns a path from a file's folder as relative to the root. */
export function resolvedPath(from: string, relative: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
