import type { Task } from '../../../domain/task.ts';
import type {
  PastReview,
  ReviewAnswer,
  ReviewFinding,
  ShadowSign,
  WorkflowFacts,
} from '../../../domain/workflow/roles.ts';

export type RoleObservation = {
  /** Final message of the agent. */
  readonly text: string;
  /** Answer of a reviewer; `null`: the agent isn't a reviewer, or its review failed. */
  readonly answer: ReviewAnswer | null;
  /** Files that the agent read, as far as its stream reports. */
  readonly reads: readonly string[];
  readonly task: TaskSummary;
  readonly changed: WorkflowFacts['files'];
  /** Changed lines by path and by number after the change, as far as the diff has them. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** Globs of files that the task or the plan allows; `null`: neither names any. */
  readonly proposal: readonly string[] | null;
  /** Changed files that aren't in the proposal. */
  readonly outside: readonly string[];
  readonly commits: number;
  /** Commands of the maker; `null`: its stream doesn't report any. */
  readonly commands: readonly string[] | null;
  /** Whether gates ran after the attempt, and all of them passed. */
  readonly gatesPassed: boolean;
  /** Earlier reviews of the task by this role, oldest first. */
  readonly earlier: readonly PastReview[];
};

export type TaskSummary = {
  /** Title, description, acceptance criteria and notes of the task. */
  readonly text: string;
  readonly expectedPaths: readonly string[];
};

export function taskSummary({ title, description, acceptance, notes, expectedPaths }: Task): TaskSummary {
  const text = [title, description, ...acceptance, notes].join('\n');
  return { text, expectedPaths: expectedPaths ?? [] };
}

export const NOTHING_OBSERVED: Omit<RoleObservation, 'task'> = {
  text: '',
  answer: null,
  reads: [],
  changed: [],
  lines: new Map(),
  proposal: null,
  outside: [],
  commits: 0,
  commands: null,
  gatesPassed: false,
  earlier: [],
};

export type FoundSign = Pick<ShadowSign, 'seen' | 'immune'>;

/** Functions that look for one sign each; `null`: the sign isn't there. `findings`: those of the role's review. */
export type SignDetectors = Readonly<
  Record<string, (observed: RoleObservation, findings: readonly ReviewFinding[]) => FoundSign | null>
>;

/**
 * Returns a sign that was found.
 * @param immune Why the sign doesn't count; false: it counts
 */
export function foundSign(seen: string, immune: string | false = false): FoundSign {
  return { seen, immune: immune === false ? null : immune };
}

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export function fullText({ claim, repro, fix, alternative }: ReviewFinding): string {
  return [claim, repro, fix, alternative].filter((part) => part !== null).join('\n');
}

export function isChanged({ file }: ReviewFinding, { changed }: RoleObservation): boolean {
  return changed.some(({ path }) => path === file);
}

/** Returns whether a finding names a change. If its place is elsewhere, its text may still name a changed file. */
export function namesChange(finding: ReviewFinding, { changed }: RoleObservation): boolean {
  const text = fullText(finding);
  return changed.some(({ path }) => text.includes(path));
}
