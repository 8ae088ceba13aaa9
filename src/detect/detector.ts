import type { Finding } from '../domain/finding.ts';
import type { Attempt } from './attempt.ts';

/** What a detector says of an attempt; what is left out comes from the table of weights. */
export type Found = Pick<Finding, 'severity' | 'summary' | 'details'> &
  Partial<Pick<Finding, 'confidence' | 'impactFactor' | 'ladder'>>;

/** Looks for one kind of problem in what was seen of an attempt. */
export type Detector = {
  /** Type of its findings. */
  readonly type: string;
  /**
   * True when it also looks at an attempt that something outside of the work cut short: what it goes by does not
   * depend on the agent having come to an end.
   */
  readonly whenCutShort?: boolean;
  /** `null`: nothing is wrong. Never throws. */
  readonly detect: (attempt: Attempt) => Found | null;
};
