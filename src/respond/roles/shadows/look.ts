import type { Task } from '../../../domain/task.ts';
import type {
  PastReview,
  Plan,
  ReviewAnswer,
  ReviewFinding,
  ShadowSign,
} from '../../../domain/workflow/roles.ts';

/** A file of the change, with its lines as they are afterwards: those that were added or stand beside them. */
export type ChangedFile = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
};

/** What is known of an agent's work in its role when it has ended. */
export type RoleLook = {
  /** What it said. */
  readonly text: string;
  /** `null`: it isn't a reviewer, or its review failed. */
  readonly answer: ReviewAnswer | null;
  /** Files that it read, as far as its stream tells. */
  readonly reads: readonly string[];
  readonly plan: Plan | null;
  readonly task: TaskLook;
  readonly changed: readonly ChangedFile[];
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

type Sign = Omit<ShadowSign, 'shadow'>;
/** One sign: `null` where nothing of it is there. */
export type SignDetector = {
  readonly sign: string;
  readonly find: (look: RoleLook) => Omit<Sign, 'sign'> | null;
};

export function found(seen: string, immune: string | null | false = null): Omit<Sign, 'sign'> {
  return { seen, immune: immune === false ? null : immune };
}

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** All that a review says, without its field names. */
export function saidIn({ findings }: ReviewAnswer): string {
  return findings
    .flatMap(({ claim, repro, fix, alternative }) => [claim, repro, fix, alternative])
    .filter((part) => part !== null)
    .join('\n');
}

export function fullText({ claim, repro, fix, alternative }: ReviewFinding): string {
  return [claim, repro, fix, alternative].filter((part) => part !== null).join('\n');
}

export function isChanged({ file }: Pick<ReviewFinding, 'file'>, { changed }: RoleLook): boolean {
  return changed.some(({ path }) => path === file);
}

/** A finding elsewhere that says how a changed file leads there. */
export function namesChange(finding: ReviewFinding, { changed }: RoleLook): boolean {
  const text = fullText(finding);
  return changed.some(({ path }) => text.includes(path));
}

/** `2 of 3`. */
export function share(part: number, whole: number): string {
  return `${part} of ${whole}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

const NO_CODE =
  /\.(?:md|mdx|rst|txt|adoc|json|ya?ml|toml|ini|cfg|lock|csv|svg|png|jpe?g|gif|ico|css|scss|html?)$|(?:^|\/)(?:LICENSE|CHANGELOG|README|\.[\w.-]+)$/i;

export function isCode(path: string): boolean {
  return !NO_CODE.test(path);
}

/** A task as the signs see it. */
export type TaskLook = {
  readonly kind: Task['kind'];
  /** Title, description, acceptance, notes. */
  readonly text: string;
  readonly expectedPaths: readonly string[];
};

export function taskLook({ kind, title, description, acceptance, notes, expectedPaths }: Task): TaskLook {
  const text = [title, description, ...acceptance, notes].join('\n');
  return { kind, text, expectedPaths: expectedPaths ?? [] };
}
