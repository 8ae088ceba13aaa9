import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readPlainFile } from 'ralph-kit/files/plain-file';
import { systemClock } from '../../../io/clock.ts';
import { moveInto } from '../../../store/index.ts';

/** A file of `ralph init`. `path` is relative to `.ralph/`. */
export type InitFile = { readonly path: string; readonly content: string };

/** Paths of files, relative to the repository. */
export type WrittenFiles = {
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly archived: readonly string[];
};

/**
 * Writes files below `.ralph/` and keeps existing ones. `force`: existing ones are archived and replaced. @throws The
 * Node error
 */
export function writeFiles(root: string, files: readonly InitFile[], force: boolean): WrittenFiles {
  const folder = join(root, '.ralph');
  const archive = archiveFolder(folder);
  const written: string[] = [];
  const kept: string[] = [];
  const archived: string[] = [];
  for (const { path, content } of files) {
    const target = join(folder, path);
    if (lstatOrNull(target) !== null) {
      const now = readPlainFile(target);
      if (!force || (now.kind === 'file' && now.bytes.toString('utf8') === content)) {
        kept.push(`.ralph/${path}`);
        continue;
      }
      const away = join(archive, path.replace(/^\./, ''));
      moveInto(join(folder, archive), target, basename(away));
      archived.push(`.ralph/${away}`);
    }
    replaceFile(target, content, { folderMode: 0o777 });
    written.push(`.ralph/${path}`);
  }
  return { written, kept, archived };
}

function archiveFolder(folder: string): string {
  const name = join('archive', `init-${systemClock().now().replace(/[-:]/g, '').slice(0, 15)}`);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(join(folder, free))) return free;
  }
}
