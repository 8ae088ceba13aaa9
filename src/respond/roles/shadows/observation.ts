import type { Task } from '../../../domain/task.ts';
import type {
  PastReview,
  ReviewAnswer,
  ReviewFinding,
  ShadowSign,
  WorkflowFacts,
} from '../../../domain/workflow/roles.ts';

/** What is known of an agent's work in its role when it has ended. */
export type RoleObservation = {
  /** Its last message. */
  readonly text: string;
  /** `null`: it isn't a reviewer, or its review failed. */
  readonly answer: ReviewAnswer | null;
  /** Files that it read, as far as its stream tells. */
  readonly reads: readonly string[];
  readonly task: TaskSummary;
  readonly changed: WorkflowFacts['files'];
  /** Lines of the change by path, as far as the diff holds them: number in the file afterwards, and text. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** Files that the task or the plan allows; `null`: neither says. Globs as in the task list. */
  readonly proposal: readonly string[] | null;
  /** Which of the changed files are outside of the proposal. */
  readonly outside: readonly string[];
  /** Commits of the maker in this attempt. */
  readonly commits: number;
  /** Commands of the maker that its stream showed; `null`: its stream shows none. */
  readonly commands: readonly string[] | null;
  /** A gate ran after the attempt, and all that ran passed. */
  readonly gatesPassed: boolean;
  /** Earlier reviews of the task by this role, oldest first. */
  readonly earlier: readonly PastReview[];
};

/** A task as the signs see it. */
export type TaskSummary = {
  /** Title, description, acceptance, notes. */
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

export type Found = Pick<ShadowSign, 'seen' | 'immune'>;

/** The signs of one shadow by their names; `null` where nothing of a sign is there. `findings`: those of its review. */
export type SignDetectors = Readonly<
  Record<string, (observed: RoleObservation, findings: readonly ReviewFinding[]) => Found | null>
>;

/** @param immune Why the sign counts for nothing, where it doesn't. */
export function found(seen: string, immune: string | false = false): Found {
  return { seen, immune: immune === false ? null : immune };
}

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** All that a finding says, without its field names. */
export function fullText({ claim, repro, fix, alternative }: ReviewFinding): string {
  return [claim, repro, fix, alternative].filter((part) => part !== null).join('\n');
}

export function isChanged({ file }: ReviewFinding, { changed }: RoleObservation): boolean {
  return changed.some(({ path }) => path === file);
}

/** A finding elsewhere that says how a changed file leads there. */
export function namesChange(finding: ReviewFinding, { changed }: RoleObservation): boolean {
  const text = fullText(finding);
  return changed.some(({ path }) => text.includes(path));
}
