import type { Finding } from '../../domain/findings/finding.ts';
import type { Observed } from '../../domain/observed.ts';
import type { Task } from '../../domain/task.ts';
import type { Attempt } from './attempt.ts';

/** What a detector found in an attempt; its weight comes from the entry of its type. */
export type Found = Pick<Finding, 'severity' | 'summary' | 'details'> & {
  /** Where it isn't the same for all findings of the type. */
  readonly confidence?: number;
};

/** Finds one kind of problem in the facts of an attempt. */
export type Detector = {
  /** Type of its findings. */
  readonly type: string;
  /** `null`: nothing is wrong. Never throws. */
  readonly detect: (attempt: Attempt) => Found | null;
  /** True where its facts count even if something outside of the work cut the attempt short. */
  readonly whenCutShort?: boolean;
  /** The same for an attempt that is still running, for corrections sent to the agent at work. */
  readonly detectRunning?: (observed: Observed, task: Task) => Found | null;
};
