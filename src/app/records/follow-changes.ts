import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** How often is looked whether something changed that nothing reports, in milliseconds. */
const POLL_MS = 1000;
/** Changes that come together are one. */
const TOGETHER_MS = 80;

/** Says that something in a repository's `.ralph/` may have changed: at once where the system reports it, else by looking. */
export function followChanges(root: string, onChange: () => void): () => void {
  let soon: NodeJS.Timeout | null = null;
  const report = () => {
    soon ??= setTimeout(() => {
      soon = null;
      onChange();
    }, TOGETHER_MS);
  };
  const watcher = watcherOf(join(root, '.ralph'), report);
  const poll = setInterval(onChange, POLL_MS);
  return () => {
    watcher?.close();
    clearInterval(poll);
    if (soon !== null) clearTimeout(soon);
  };
}

/** `null`: it isn't there, or the system has no watcher left; looking is enough then. */
function watcherOf(folder: string, report: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, report);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
