import { protecting, settingLines, taskEdits } from '../../decide/index.ts';
import type { EditedFile, Settings, ShownEdit, TaskEdit } from '../../domain/records/edits.ts';
import { redact } from '../../lib/redact.ts';
import { shortened } from '../../lib/text.ts';
import type { LoadedTracker, LoopContext } from '../context.ts';
import { overlaid, waitingEdits } from '../load-tasks.ts';
import { reconcileTracker } from '../reconcile-tracker.ts';

/** Lines of an edit that are kept, and the characters of each. */
const LINES = 30;
const WIDTH = 200;

/** The edits of one attempt's time that count as yours. */
export type EditWatch = {
  /** Takes them over: puts them on record, and names them. */
  readonly take: (edited: readonly EditedFile[]) => Promise<void>;
  /** All of them so far. */
  readonly seen: () => readonly EditedFile[];
};

/** @param tracker As it was when the task was chosen. */
export function watchEdits(context: LoopContext, iteration: number, tracker: LoadedTracker): EditWatch {
  const { run, ports, secrets } = context;
  const { store, emit, settings } = ports;
  const seen: EditedFile[] = [];
  let listed = tracker;
  let known = settings.pinned;

  /** What changed in the task list, and what of it waits for you; what can't be read is reported at the next choice. */
  async function ofTracker(): Promise<{
    readonly lines: readonly string[];
    readonly tasks: readonly TaskEdit[];
  }> {
    const now = await ports.tracker.load();
    if (!now.ok) return { lines: [], tasks: [] };
    const ids = new Set(listed.tasks.map(({ id }) => id));
    const before = overlaid(listed, store.state).filter(({ id }) => ids.has(id));
    const { lines, pending } = taskEdits(before, now.tasks, iteration);
    listed = now;
    // An editor that had the list open saves it without the marks that ralph made since: they are set again.
    await reconcileTracker(context, now, true);
    return { lines, tasks: pending };
  }

  function ofSettings(): { readonly lines: readonly string[]; readonly before: Settings | null } {
    const now = settings.now();
    const before = protecting(known);
    if (now === null) return { lines: ["  can't be read as it is now: ralph doctor"], before };
    const lines = settingLines(known, now);
    const protects = settingLines(before, protecting(now)).length > 0;
    known = now;
    return { lines, before: protects ? before : null };
  }

  return {
    seen: () => seen,
    take: async (edited) => {
      if (edited.length === 0) return;
      const shown: ShownEdit[] = [];
      const tasks: TaskEdit[] = [];
      let pinned: Settings | null = null;
      for (const file of edited) {
        let lines: readonly string[] = [];
        if (file.kind === 'tracker') {
          const found = await ofTracker();
          lines = found.lines;
          tasks.push(...found.tasks);
        } else if (file.path === '.ralph/ralph.toml') {
          const found = ofSettings();
          lines = found.lines;
          pinned = found.before;
        }
        shown.push({ ...file, iteration, lines: bounded(lines, secrets) });
        seen.push(file);
      }
      const state = store.commit(() => [{ type: 'edits_seen', run, edits: shown, tasks, settings: pinned }]);
      const waiting = waitingEdits(listed, state).map(({ before }) => before.id);
      emit({ kind: 'edits_seen', edits: shown, waiting, settings: pinned !== null });
    },
  };
}

function bounded(lines: readonly string[], secrets: readonly string[]): string[] {
  const kept = lines.slice(0, LINES).map((line) => shortened(redact(line, secrets), WIDTH));
  return lines.length > LINES ? [...kept, `  and ${lines.length - LINES} more lines`] : kept;
}
