import type { TaskEdit } from '../domain/records/edits.ts';
import type { JournalBodyOf } from '../domain/records/journal.ts';
import { EDITS_KEPT } from '../domain/records/state.ts';
import type { Draft } from './draft.ts';

/** What waits is compared with what you agreed to last: of several edits of one thing the first `before` counts. */
export function foldEditsSeen(
  draft: Draft,
  { run, edits, tasks, settings }: JournalBodyOf<'edits_seen'>,
): void {
  draft.runs = draft.runs.map((one) =>
    one.run === run ? { ...one, edits: [...one.edits, ...edits].slice(-EDITS_KEPT) } : one,
  );
  const added = tasks.map((edit): [string, TaskEdit] => [edit.before.id, edit]);
  draft.edits = {
    tasks: { ...Object.fromEntries(added), ...draft.edits.tasks },
    settings: draft.edits.settings ?? settings,
  };
}

export function foldEditsAccepted(draft: Draft, record: JournalBodyOf<'edits_accepted'>): void {
  const accepted = new Set(record.taskIds);
  const left = Object.entries(draft.edits.tasks).filter(([id]) => !accepted.has(id));
  draft.edits = {
    tasks: Object.fromEntries(left),
    settings: record.settings ? null : draft.edits.settings,
  };
}
