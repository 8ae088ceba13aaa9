import type { CheckpointEntry, Git } from '../../domain/ports.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { firstFew } from '../../lib/text.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { byTaskName, shownId } from '../records/kept-work.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inProject } from '../setup/project.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type CheckpointsInput = ProjectInput & {
  readonly action: 'list' | 'show' | 'diff' | 'drop';
  readonly id: string | null;
  /** To compare with; `null`: the work tree as it is now. */
  readonly other: string | null;
};

/** Bytes of a difference that are printed. */
const PATCH_LIMIT = 1024 * 1024;
/** Ids that a message lists. */
const NAMED = 3;

export type CheckpointsResult = DataOf<typeof checkpoints>;

/** `ralph checkpoints [list|show ID|diff ID [OTHER]|drop ID]`: the trees that a rollback can go back to. */
export function checkpoints({ action, id, other, ...input }: CheckpointsInput) {
  return inProject(input, async (project) => {
    const { git } = project;
    const all = await git.checkpoints();
    if (action === 'list') return success({ checkpoints: all.map((one) => described(one, all)) });
    if (id === null) {
      const message = `ralph checkpoints ${action} needs the id of a checkpoint. ${knownIds(all)}`;
      return failure(message, 'ralph checkpoints list');
    }
    const named = byTaskName(project, id);
    if (named !== null) return named;
    const found = findCheckpoint(all, id);
    if (!found.ok) return found;
    switch (action) {
      case 'show':
        return show(git, found.entry, all);
      case 'diff':
        return diff(git, all, found.entry, other);
      case 'drop':
        await git.dropCheckpoint(found.entry.id);
        return success({ dropped: shownId(found.entry, all) });
      default:
        return unreachable(action);
    }
  });
}

/** The checkpoint of an id, or the newest work of a task; a failure names those that there are. */
export function findCheckpoint(
  all: readonly CheckpointEntry[],
  id: string,
): { readonly ok: true; readonly entry: CheckpointEntry } | Failure {
  const entry = all.find((one) => shownId(one, all) === id);
  if (entry !== undefined) return { ok: true, entry };
  const ids = all.map((one) => shownId(one, all));
  return failure(`There is no checkpoint ${id}.${didYouMean(id, ids)} ${knownIds(all)}`, 'ralph checkpoints');
}

function knownIds(all: readonly CheckpointEntry[]): string {
  if (all.length === 0) return 'There are none yet: each iteration of a run begins with one.';
  const ids = all.map((one) => shownId(one, all));
  return `The newest: ${firstFew(ids, NAMED)}.`;
}

async function show(git: Git, entry: CheckpointEntry, all: readonly CheckpointEntry[]) {
  const paths = await git.dirtyPaths({ tree: entry.tree, head: entry.head, branch: null });
  return success({ checkpoint: described(entry, all), paths });
}

async function diff(git: Git, all: readonly CheckpointEntry[], from: CheckpointEntry, other: string | null) {
  const to = other === null ? null : findCheckpoint(all, other);
  if (to !== null && !to.ok) return to;
  const tree = to === null ? (await git.snapshot()).tree : to.entry.tree;
  // Only whole lines come: room for one more line tells whether something is cut.
  const more = await git.patchBetween(from.tree, tree, 2 * PATCH_LIMIT);
  const cut = Buffer.byteLength(more) > PATCH_LIMIT;
  const patch = cut ? await git.patchBetween(from.tree, tree, PATCH_LIMIT) : more;
  return success({ from: shownId(from, all), to: to === null ? null : shownId(to.entry, all), patch, cut });
}

function described(entry: CheckpointEntry, all: readonly CheckpointEntry[]) {
  const { at, tree, head, kept, note } = entry;
  return { id: shownId(entry, all), at, tree, head, kept, note };
}
