import type { Finding } from '../../domain/findings/finding.ts';
import type { Observed } from '../../domain/observed.ts';
import type { Task } from '../../domain/task.ts';
import type { Attempt } from './attempt.ts';

export type Found = Pick<Finding, 'severity' | 'summary' | 'details'> & {
  readonly confidence?: number;
};

export type Detector = {
  readonly type: string;
  /** Returns the finding on an attempt; `null`: there is none. Never throws. */
  readonly detect: (attempt: Attempt) => Found | null;
  /** The detector also runs on attempts that were cut short from outside. */
  readonly whenCutShort?: boolean;
  readonly detectRunning?: (observed: Observed, task: Task) => Found | null;
};
