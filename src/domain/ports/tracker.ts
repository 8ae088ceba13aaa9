import type { Explained, FixedTracker } from '../records/marks.ts';
import type { Task, TaskLine, TrackedStatus, TrackerEdit, TrackerProblem } from '../task.ts';

export type TrackerLoad =
  | {
      readonly ok: true;
      /** How its format is called on screen, such as `markdown-prd`. */
      readonly format: string;
      /** For the screen: a path relative to the repository, or `GitHub issues (label)`. */
      readonly name: string;
      /** Absolute paths to guard from the agent; empty where the tracker isn't a file. */
      readonly paths: readonly string[];
      /** Whether the tracker can hold the status `blocked` itself. */
      readonly holdsBlocked: boolean;
      /** Whether it shows done tasks as done, so that a missing mark says something. */
      readonly holdsDone: boolean;
      /** What the first run fixes. */
      readonly source: Pick<FixedTracker, 'kind' | 'path'>;
      readonly sha256: string;
      readonly tasks: readonly Task[];
      readonly problems: readonly TrackerProblem[];
      readonly lineOf: TaskLine;
    }
  /** `next`: the command that helps. */
  | { readonly ok: false; readonly message: string; readonly next?: string };

export interface Tracker {
  /** Reads the tracker as it is now; remembers ids through the store. */
  load(): Promise<TrackerLoad>;
  /** Writes one status back; every other byte stays.
   * @throws StoreError when the task is gone or the tracker cannot be written. */
  setStatus(taskId: string, status: TrackedStatus): Promise<void>;
  /** Tells those who follow the task, where its tracker can: an answer decides nothing.
   * @throws StoreError when it can't be written. */
  comment(taskId: string, text: string): Promise<void>;
  /**
   * Adds, renames or removes a task; every other byte stays.
   * @throws StoreError where there is no such task, or the tracker can't be edited so.
   */
  edit(edit: TrackerEdit): Promise<void>;
  /** Another version of the tracker's text with this mark; `null` where it has no such task or can't hold the mark. */
  marked(text: string, taskId: string, status: TrackedStatus): Promise<string | null>;
  /**
   * What explains the marks of these tasks, which ralph doesn't know as done; tasks whose marks nothing explains are left
   * out. Starts a process only where a mark could be explained.
   *
   * @param running A run is at work: what came meanwhile isn't yours because of when it came.
   */
  explain(tasks: readonly Task[], running: boolean): Promise<readonly Explained[]>;
  /** Other files that could be the tracker, as names for the screen. */
  others(): Promise<readonly string[]>;
}
