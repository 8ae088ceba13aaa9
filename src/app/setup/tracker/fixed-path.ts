import type { Config } from '../../../domain/config.ts';
import type { FixedTracker } from '../../../domain/records/marks.ts';

/**
 * Returns the only path that the tracker may have: yours from the configuration, otherwise the first run's; `null`: it
 * isn't fixed yet. A file that appears later is never used instead.
 */
export function fixedPath(
  { kind, path }: Pick<Config['tracker'], 'kind' | 'path'>,
  fixed: FixedTracker | null,
): string | null {
  if (path !== '') return path;
  return fixed !== null && fixed.kind === kind && fixed.path !== '' ? fixed.path : null;
}
