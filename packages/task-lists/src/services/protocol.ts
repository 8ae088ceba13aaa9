import type { Clock } from 'ralph-kit/clock';
import type { Task, TrackerProblem, Unread } from '../task.ts';

/** `message` explains every failure that the user can meet. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/** Returns an answer without its value, where only success matters. */
export function done(answer: Answer<unknown>): Answer<null> {
  return answer.ok ? { ok: true, value: null } : answer;
}

/** Observations while issues are read. */
export type Noticed = {
  readonly problems: TrackerProblem[];
  /** Content of issues that no field of a task holds. */
  readonly unread: Unread[];
};

export type ServiceTasks =
  | ({ readonly ok: true; readonly tasks: Task[] } & Noticed)
  | { readonly ok: false; readonly message: string };

/** What is known beside the issues. */
export type ServiceInput = {
  /** The service's id of the account in use; `null`: unknown. */
  readonly me: string | null;
  /** Names of programs that begin a command (`ReaderInput`). */
  readonly programs: readonly string[];
};

/** Where the issues of a list are. */
export type ListPlace = {
  /** Address of the list; GitHub's is that of the repository in `cwd` instead. */
  readonly path: string;
  /** Label of the list's issues; empty: all issues belong to it. */
  readonly label: string;
  /** Absolute path of the repository. */
  readonly cwd: string;
};

/** The world of a service. */
export type World = {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Environment variables with the credentials. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Name of the calling program, which services see. */
  readonly userAgent: string;
};

/** The issues of a service as a task list: one file for each service, which `index.ts` lists. */
export type IssueList = {
  /** Name of the list on screen: "GitHub issues (bugs)". */
  readonly name: string;
  /** Returns all issues in the service's form. */
  readonly list: () => Promise<Answer<unknown>>;
  /** Returns the tasks in listed issues, oldest first. */
  readonly read: (listed: unknown, input: ServiceInput) => ServiceTasks;
  /** Returns the id of the account in use; `null` when unknown or stated in each issue. */
  readonly account: () => Promise<string | null>;
  readonly comment: (taskId: string, text: string) => Promise<Answer<null>>;
  /** Moves an issue to a status that is done. */
  readonly close: (taskId: string) => Promise<Answer<null>>;
  /**
   * Returns the account that closed an issue, if it isn't the one in use; `null`: unknown, or the service doesn't say
   * it.
   */
  readonly closedByOther: (taskId: string) => Promise<string | null>;
  /** How you add and change tasks in the service, as a sentence without full stop. */
  readonly byHand: string;
};

/** Opens the list at a place without asking the service; `message`: the place or the credentials can't be right. */
export type OpenList = (place: ListPlace, world: World) => Answer<IssueList>;
