import { didYouMean } from 'ralph-kit/nearest';
import { firstFew } from 'ralph-kit/text';
import { unreachable } from 'ralph-kit/unreachable';
import type { CheckpointEntry, Git } from '../../domain/ports.ts';
import type { State } from '../../domain/records/state.ts';
import { byTaskName, shownId } from '../records/kept-work.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inProject } from '../setup/project.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type CheckpointsInput = ProjectInput & {
  readonly action: 'list' | 'show' | 'diff' | 'drop';
  readonly id: string | null;
  /** Id of the checkpoint to compare with; `null`: the current work tree. */
  readonly other: string | null;
};

/** Maximum number of bytes of a difference that is printed. */
const PATCH_LIMIT = 1024 * 1024;
const NAMED = 3;

export type CheckpointsResult = DataOf<typeof checkpoints>;

export function checkpoints({ action, id, other, ...input }: CheckpointsInput) {
  return inProject(input, async (project) => {
    const { git } = project;
    const { state } = project.store;
    const all = await git.checkpoints();
    if (action === 'list') return success({ checkpoints: all.map((one) => described(one, all, state)) });
    if (id === null) {
      const message = `ralph checkpoints ${action} needs the id of a checkpoint. ${knownIds(all, state)}`;
      return failure(message, 'ralph checkpoints list');
    }
    const named = byTaskName(project, id);
    if (named !== null) return named;
    const found = findCheckpoint(all, id, state);
    if (!found.ok) return found;
    switch (action) {
      case 'show':
        return show(git, found.entry, all, state);
      case 'diff':
        return diff(git, { all, state }, found.entry, other);
      case 'drop':
        await git.dropCheckpoint(found.entry.id);
        return success({ dropped: shownId(found.entry, all, state) });
      default:
        return unreachable(action);
    }
  });
}

/** Finds a checkpoint by its id, or a task's newest work; a failure names existing ids. */
export function findCheckpoint(
  all: readonly CheckpointEntry[],
  id: string,
  state: State,
): { readonly ok: true; readonly entry: CheckpointEntry } | Failure {
  const entry = all.find((one) => shownId(one, all, state) === id);
  if (entry !== undefined) return { ok: true, entry };
  const ids = all.map((one) => shownId(one, all, state));
  return failure(
    `There is no checkpoint ${id}.${didYouMean(id, ids)} ${knownIds(all, state)}`,
    'ralph checkpoints',
  );
}

function knownIds(all: readonly CheckpointEntry[], state: State): string {
  if (all.length === 0) return 'There are none yet: each iteration of a run begins with one.';
  const ids = all.map((one) => shownId(one, all, state));
  return `The newest: ${firstFew(ids, NAMED)}.`;
}

async function show(git: Git, entry: CheckpointEntry, all: readonly CheckpointEntry[], state: State) {
  const paths = await git.dirtyPaths({ tree: entry.tree, head: entry.head, branch: null });
  return success({ checkpoint: described(entry, all, state), paths });
}

async function diff(
  git: Git,
  { all, state }: { readonly all: readonly CheckpointEntry[]; readonly state: State },
  from: CheckpointEntry,
  other: string | null,
) {
  const to = other === null ? null : findCheckpoint(all, other, state);
  if (to !== null && !to.ok) return to;
  const tree = to === null ? (await git.snapshot()).tree : to.entry.tree;
  // Patches are cut after whole lines, so twice the limit is read to see whether anything would be cut.
  const more = await git.patchBetween(from.tree, tree, 2 * PATCH_LIMIT);
  const cut = Buffer.byteLength(more) > PATCH_LIMIT;
  const patch = cut ? await git.patchBetween(from.tree, tree, PATCH_LIMIT) : more;
  return success({
    from: shownId(from, all, state),
    to: to === null ? null : shownId(to.entry, all, state),
    patch,
    cut,
  });
}

function described(entry: CheckpointEntry, all: readonly CheckpointEntry[], state: State) {
  const { at, tree, head, kept, note } = entry;
  return { id: shownId(entry, all, state), at, tree, head, kept, note };
}
