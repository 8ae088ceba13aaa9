import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileSignature, lstatOrNull, plainText } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';

/** Read limit of a report, in bytes. */
const MOST_BYTES = 8_000_000;

/** Returns a reader of reports that the run wrote: existing files count for nothing. Plain files inside only. */
export function watchReports(
  root: string,
  parses: readonly string[],
): () => { readonly path: string; readonly text: string }[] {
  const paths = [
    ...new Set(parses.flatMap((one) => (one.includes(':') ? one.slice(one.indexOf(':') + 1) : []))),
  ];
  const before = new Map(paths.map((path) => [path, signatureOf(join(root, path))]));
  return () =>
    paths.flatMap((path) => {
      const signature = signatureOf(join(root, path));
      if (signature === null || signature === before.get(path)) return [];
      const text = readInside(root, path);
      return text === null ? [] : [{ path, text }];
    });
}

function signatureOf(path: string): string | null {
  const stat = tryOr(null, () => lstatOrNull(path));
  return stat === null ? null : fileSignature(stat);
}

/** A parent folder may be a link as well. */
function readInside(root: string, path: string): string | null {
  return tryOr(null, () => {
    const real = realpathSync(join(root, path));
    return real.startsWith(`${realpathSync(root)}${sep}`) ? plainText(real, MOST_BYTES) : null;
  });
}
