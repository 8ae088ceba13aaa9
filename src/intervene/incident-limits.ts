import type { Limits, Resources } from '../domain/intervention.ts';

/** What a task gets at least, so that it can be worked at all; a limit that was lower already is halved no further. */
const FLOORS = { fileOperations: 5, memoryMb: 128, tokens: 1000 } as const;
/** Where the time had no limit, and half of what was seen would be next to nothing. */
const SHORTEST_SECONDS = 60;

/**
 * The limits after an emergency stop that a person goes on from: half of those in force, or of what the attempt used
 * where there was none. 0 (none) stays where nothing is known.
 */
export function stricterLimits(limits: Limits, used: Resources): Limits {
  const half = (which: keyof typeof FLOORS) => {
    const limit = limits[which];
    const base = limit > 0 ? limit : used[which];
    if (base <= 0) return 0;
    const halved = Math.max(FLOORS[which], Math.floor(base / 2));
    return limit > 0 ? Math.min(limit, halved) : halved;
  };
  return {
    fileOperations: half('fileOperations'),
    memoryMb: half('memoryMb'),
    tokens: half('tokens'),
    executionSeconds:
      limits.executionSeconds > 0
        ? Math.max(1, Math.floor(limits.executionSeconds / 2))
        : used.durationMs > 0
          ? Math.max(SHORTEST_SECONDS, Math.floor(used.durationMs / 2000))
          : 0,
    batchSize: limits.batchSize > 0 ? Math.max(1, Math.floor(limits.batchSize / 2)) : 0,
  };
}
