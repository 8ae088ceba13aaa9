import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files at these paths below a folder that were written since, with what they hold; see `TreeCopy.watch`. */
export function watchFiles(
  folder: string,
  paths: readonly string[],
): () => { readonly path: string; readonly text: string | null }[] {
  const before = new Map(paths.map((path) => [path, stampOf(join(folder, path))]));
  return () =>
    [...before].flatMap(([path, stamp]) => {
      const file = join(folder, path);
      if (stampOf(file) === stamp) return [];
      return [{ path, text: textOf(file) }];
    });
}

/** Another one once a file was written, whatever its content: nobody sets the time of its last change. */
function stampOf(file: string): string {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.ctimeNs}`;
}

function textOf(file: string): string | null {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null;
}
