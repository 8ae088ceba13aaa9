import { resolve } from 'node:path';
import type { Config } from '../../domain/config.ts';
import { isService } from '../../domain/task.ts';
import { readFileBytes } from '../../io/store/index.ts';
import { parseTracker, readerAtHand, trackerCandidates } from '../../tasks/index.ts';

/**
 * Ids of the tasks in the order of the task file, for the import of a ralph-gold project, where a Markdown task is
 * called by its place. Empty where there is no file or it cannot be read: the run says what is wrong with it.
 */
export function taskIdsInOrder(root: string, config: Config['tracker']): string[] {
  const { kind, path: configured } = config;
  if (isService(kind)) return [];
  for (const path of configured === '' ? trackerCandidates('auto') : [configured]) {
    const text = readOrNull(resolve(root, path));
    if (text === null) continue;
    // YAML tasks have ids of their own there, so its library is not loaded for them.
    const reader = readerAtHand(text, path, kind);
    if (reader === null) continue;
    const parsed = parseTracker(text, path, reader, []);
    if (parsed.ok && parsed.tasks.length > 0) return parsed.tasks.map(({ id }) => id);
  }
  return [];
}

function readOrNull(path: string): string | null {
  try {
    return readFileBytes(path).toString('utf8');
  } catch {
    return null;
  }
}
