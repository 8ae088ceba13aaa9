import type { Config } from '../../../domain/config.ts';
import type { FixedTracker } from '../../../domain/records/marks.ts';

/**
 * The one file that can be the tracker: the one that you configured, else the one that the first run fixed; `null`: it
 * is still to be found. A file that appears later is never adopted, wherever it stands.
 */
export function fixedPath(
  { kind, path }: Pick<Config['tracker'], 'kind' | 'path'>,
  fixed: FixedTracker | null,
): string | null {
  if (path !== '') return path;
  return fixed !== null && fixed.kind === kind && fixed.path !== '' ? fixed.path : null;
}
