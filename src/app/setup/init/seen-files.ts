import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SeenFiles } from 'ralph-ecosystems';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';

/** Names of folders with downloaded or built files, which are skipped. */
const SKIPPED = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'venv', '__pycache__', 'Pods']);
/** Deepest level of folders that is read: enough for the manifests of a large monorepo. */
const DEEPEST = 4;
/** Maximum number of files that are listed. */
const MOST = 20_000;
const LARGEST_TEXT = 500_000;

export function seenFiles(root: string): SeenFiles {
  const paths = new Set<string>();
  let folders = [''];
  for (let depth = 0; depth < DEEPEST && paths.size < MOST; depth += 1) {
    folders = folders.flatMap((folder) => listed(root, folder, paths));
  }
  const texts = new Map<string, string | null>();
  return {
    paths,
    read: (path) => {
      if (!paths.has(path)) return null;
      let text = texts.get(path);
      if (text === undefined) {
        text = textOf(join(root, path));
        texts.set(path, text);
      }
      return text;
    },
  };
}

function listed(root: string, folder: string, paths: Set<string>): string[] {
  const inner: string[] = [];
  try {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !entry.name.startsWith('.')) inner.push(path);
      } else if (paths.size < MOST) paths.add(path);
    }
  } catch {
    // A folder that can't be read is skipped.
  }
  return inner;
}

function textOf(path: string): string | null {
  return tryOr(null, () =>
    statSync(path).size > LARGEST_TEXT ? null : readFileBytes(path).toString('utf8'),
  );
}
