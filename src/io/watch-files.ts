import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { tryOr } from 'ralph-kit/try-or';
import type { Tampering } from '../domain/records/iteration.ts';

const SETTINGS = ['.ralph/ralph.toml', 'ralph.toml'];

const watches = new Set<Map<string, string | null>>();

/** Returns a function that lists other processes' changes. @param instructions Absolute paths, the task list first. */
export function watchFiles(root: string, instructions: readonly string[]): () => readonly Tampering[] {
  const settings = SETTINGS.map((path) => join(root, path));
  const before = new Map([...instructions, ...settings].map((path) => [path, hashOf(path)]));
  watches.add(before);
  return () => {
    watches.delete(before);
    return [...before].flatMap(([path, was]): Tampering[] => {
      const now = hashOf(path);
      if (now === was) return [];
      const kind = settings.includes(path) ? 'config' : 'tracker';
      const change = was === null ? 'created' : now === null ? 'deleted' : 'modified';
      return [{ kind, path: relative(root, path), change }];
    });
  };
}

/** Writes files on ralph's behalf, so that no watch of this process reports the change. */
export function ownWrite<T>(paths: readonly string[], write: () => T): T {
  const open = [...watches].flatMap((before) =>
    paths.filter((path) => before.has(path)).map((path) => ({ before, path, was: hashOf(path) })),
  );
  try {
    return write();
  } finally {
    for (const { before, path, was } of open) if (before.get(path) === was) before.set(path, hashOf(path));
  }
}

/** Returns a hash of a file, or of all files of a folder; `null` when it can't be read. */
function hashOf(path: string): string | null {
  return tryOr(null, () =>
    statSync(path).isDirectory()
      ? sha256(
          readdirSync(path)
            .map((name) => `${name} ${hashOf(join(path, name))}`)
            .join('\n'),
        )
      : sha256(readFileBytes(path)),
  );
}
