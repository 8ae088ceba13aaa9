import type { Severity } from '../../lib/severity.ts';

/** The numbers of the detectors. @see spec 3-interventions, Patterns detected */

/** Errors that are the same: how many raise the finding, and from how many on it is how severe, strictest first. */
export const REPEATED_ERRORS = {
  from: 3,
  severity: [
    [6, 'high'],
    [4, 'medium'],
    [3, 'low'],
  ],
} as const;
/** The same for attempts in a row in which the same gate failed. */
export const REPEATED_GATES = {
  from: 2,
  severity: [
    [4, 'high'],
    [3, 'medium'],
    [2, 'low'],
  ],
} as const;

/** Severity of a count by one of the tables above. */
export function severityByCount(
  count: number,
  { severity }: typeof REPEATED_ERRORS | typeof REPEATED_GATES,
): Severity {
  return severity.find(([from]) => count >= from)?.[1] ?? 'low';
}

/** More than so many times the files that the task lists, where it lists so many at least. */
export const SCOPE = { timesListed: 2, leastListed: 2 } as const;

export const DRIFT = {
  /** Actions in a row that have nothing to do with the task, of those that show where the work goes. */
  actions: 5,
  /** Words that a task without expected paths has to have: fewer say too little about where its work lies. */
  leastKeywords: 3,
} as const;

/** Paths, errors and places that details name; all are counted. */
export const NAMED = 20;

/**
 * What a resource has to reach before its growth means anything: file operations, tokens, MiB, milliseconds. Below
 * these a ratio is chance: three reads instead of one aren't growth, and an agent takes from 200 to 700 MiB for itself,
 * the less the earlier in its start it was measured.
 */
export const GROWTH_FLOORS = { fileOperations: 20, tokens: 20_000, memory: 1024, time: 60_000 } as const;

export const SPIRAL = {
  /** Against the attempt before. Memory and time depend on the machine and on services too, so they need more. */
  againstPrevious: { fileOperations: 1.5, tokens: 1.5, memory: 2, time: 2 },
  /** Within an attempt: the newest window against the one before, and that one against its own predecessor. */
  inWindow: { newest: 2, before: 1.5 },
  /**
   * What the newest window has to reach. An agent's pace varies, a compiler or a test run takes its gigabyte for a
   * while, and each turn reports the whole context as input tokens once more: only a rate or a level far above that
   * counts.
   */
  windowFloors: { fileOperations: 40, tokens: 500_000, memory: 2048 },
  /** From over this ratio on it is severe. */
  high: 2,
} as const;
