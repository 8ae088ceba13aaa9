import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds between checks for changes that the system doesn't report. */
const POLL_MS = 1000;
/** Milliseconds within which several changes count as one. */
const TOGETHER_MS = 80;

/**
 * Calls `onChange` when `.ralph/` changes, and every second, because systems don't report all changes. Returns a
 * function that ends this.
 */
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

/**
 * Returns a watcher; `null`: the folder is missing, or the system has no watcher left. Polling still finds changes
 * then.
 */
function watcherOf(folder: string, report: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, report);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
