import { meaningsIn, rewriteReferences } from './redirect.ts';
import type { ListPlan, RememberedId } from './task.ts';
import type { TrackerReader } from './task-list.ts';
import { editTrackerText, parseTracker } from './tracker-text.ts';

type Added =
  | {
      readonly ok: true;
      readonly text: string;
      /** Ids of the new tasks, in their order. */
      readonly ids: readonly string[];
      readonly remembered: readonly RememberedId[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the text with all tasks of a plan added and all other tasks unchanged. `message`: why the file can't be
 * edited this way.
 */
export function addPlan(
  text: string,
  path: string,
  reader: TrackerReader,
  known: readonly RememberedId[],
  { tasks, replaces }: ListPlan,
): Added {
  const ids: string[] = [];
  let now = { text, remembered: known };
  for (const { after, ...task } of tasks) {
    const dependsOn = [...new Set([...task.dependsOn, ...after.flatMap((at) => ids[at] ?? [])])];
    const edit = { kind: 'add' as const, task: { ...task, dependsOn } };
    const edited = editTrackerText(now.text, path, reader, now.remembered, edit);
    if (!edited.ok) return edited;
    const parsed = parseTracker(edited.text, path, reader, now.remembered);
    if (!parsed.ok) return parsed;
    ids.push(parsed.tasks.at(-1)?.id ?? '');
    now = { text: edited.text, remembered: parsed.remembered };
  }
  if (replaces === null) return { ok: true, ids, ...now };
  const isWaitedFor = new Set(tasks.flatMap(({ after }) => after));
  const last = ids.filter((_, at) => !isWaitedFor.has(at));
  const read = reader(now.text, path);
  if (!read.ok) return read;
  const { ids: all, of } = meaningsIn(read.reading, now.remembered, () => true);
  const turned = rewriteReferences(
    { text: now.text, path, reader, remembered: now.remembered },
    (index, one) => {
      const meant = of(index, one);
      return meant.includes(replaces) ? meant.flatMap((id) => (id === replaces ? last : (id ?? one))) : null;
    },
  );
  const [stuck] = turned.stuck;
  if (stuck !== undefined) {
    const { index, reference } = stuck;
    const place = `${path}, line ${read.reading.lineOf(index, 'dependsOn') ?? '?'}`;
    const message = `${place}: ${all[index]} depends on ${replaces} by ${JSON.stringify(reference)}, which can't be changed there; edit it by hand`;
    return { ok: false, message };
  }
  const without = editTrackerText(turned.text, path, reader, now.remembered, {
    kind: 'remove',
    taskId: replaces,
  });
  return without.ok ? { ok: true, ids, text: without.text, remembered: now.remembered } : without;
}
