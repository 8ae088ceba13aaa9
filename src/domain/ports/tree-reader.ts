import type { ChangeSet, Snapshot } from '../change-set.ts';
import type { FileFact } from '../claim.ts';

/** What files hold, and what differs between two moments. */
export interface TreeReader {
  /** Exact identity of the files now. Doesn't touch your index, stash and files. */
  snapshot(): Promise<Snapshot>;
  diff(before: Snapshot, after: Snapshot): Promise<ChangeSet>;
  /**
   * The same with the unified diff as text, of which the whole lines that fit into `patchBytes`. `now`: the second
   * snapshot is taken first.
   */
  diffWithPatch(
    before: Snapshot,
    after: Snapshot | 'now',
    patchBytes: number,
  ): Promise<{ readonly changes: ChangeSet; readonly patch: string }>;
  /** What a snapshot of now holds at these paths (relative to the top of the work tree). */
  fileFacts(snapshot: Snapshot, paths: readonly string[]): Promise<readonly FileFact[]>;
}
