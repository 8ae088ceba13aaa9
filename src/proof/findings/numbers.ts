import type { Severity } from 'ralph-kit/severity';

/**
 * Numbers of the detectors.
 * @see docs/INTERVENTIONS.md
 */

/** A finding begins at `from` equal errors; `severity` lists from how many on it is how severe, strictest first. */
export const REPEATED_ERRORS = {
  from: 3,
  severity: [
    [6, 'high'],
    [4, 'medium'],
    [3, 'low'],
  ],
} as const;
/** A finding begins at `from` attempts in a row with the same failed gate. */
export const REPEATED_GATES = {
  from: 2,
  severity: [
    [4, 'high'],
    [3, 'medium'],
    [2, 'low'],
  ],
} as const;

/** Returns the severity of a count by one of the tables. */
export function severityByCount(
  count: number,
  { severity }: typeof REPEATED_ERRORS | typeof REPEATED_GATES,
): Severity {
  return severity.find(([from]) => count >= from)?.[1] ?? 'low';
}

/** A change is too large above `timesListed` times the files that a task lists, if it lists at least `leastListed`. */
export const SCOPE = { timesListed: 2, leastListed: 2 } as const;

export const DRIFT = {
  /** Telling actions in a row that aren't about the task. */
  actions: 5,
  /** Keywords that a task without expected paths needs; fewer say too little about the place of its work. */
  leastKeywords: 3,
} as const;

/** Bounds the paths, errors and places that details name. All are counted. */
export const NAMED = 20;

/**
 * Least usage whose growth counts, in file operations, tokens, MiB and milliseconds. Below these a ratio is chance: three reads instead of
 * one aren't growth, and an agent itself takes from 200 to 700 MiB, less if it was measured early in its start.
 */
export const GROWTH_FLOORS = { fileOperations: 20, tokens: 20_000, memory: 1024, time: 60_000 } as const;

export const SPIRAL = {
  /** Ratios to the previous attempt. Memory and time also depend on the machine and on services, so they need more. */
  againstPrevious: { fileOperations: 1.5, tokens: 1.5, memory: 2, time: 2 },
  /** Ratios of the latest window to the one before, and of that one to its predecessor. */
  inWindow: { newest: 2, before: 1.5 },
  /**
   * Least usage of the latest window. An agent's pace varies, a compiler or a test run takes a gigabyte for a while, and each turn reports
   * the whole context as input tokens again: only a rate or level far above that counts.
   */
  windowFloors: { fileOperations: 40, tokens: 500_000, memory: 2048 },
  /** Ratio above which the severity is high. */
  high: 2,
} as const;
