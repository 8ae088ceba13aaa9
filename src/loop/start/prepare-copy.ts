import type { Snapshot } from '../../domain/change-set.ts';
import { isSameWorkplace, taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import { setUpCopy } from '../../lab/index.ts';
import { FIRST_COMMIT } from '../../tell/index.ts';
import type { LoopContext } from '../context.ts';
import { keepWork } from '../perform/keep-work.ts';
import { workToTakeUp } from '../perform/take-up.ts';

type Start =
  | { readonly ok: true; readonly before: Snapshot }
  | { readonly ok: false; readonly message: string };

/**
 * Prepares the copy for an attempt. It stays as the last attempt left it, unless other work was verified or committed
 * since.
 * @param folder Absolute path of the iteration's folder
 */
export async function prepareCopy(context: LoopContext, taskId: string, folder: string): Promise<Start> {
  const { ports, workplace } = context;
  const { work, line, store } = ports;
  const now = await line.current();
  if (now === null) return { ok: false, message: NO_COMMIT };
  const { commit, tree, branch } = now;
  const known = work.base();
  if (taskStateOf(store.state, taskId).series !== null) {
    if (known?.taskId === taskId && known.commit === commit) {
      await work.renewInstructions();
      const before = await work.git.snapshot();
      if (before.tree === workplaceStateOf(store.state, workplace).leftTree) return { ok: true, before };
    }
    await keepWork(context, taskId, 'moved');
  }
  const other = known?.taskId ?? null;
  if (other !== null && other !== taskId && holdsSeries(context, other))
    await keepWork(context, other, 'moved');
  const base = { commit, tree, branch, taskId };
  const takenUp = await workToTakeUp(context, taskId, { base, folder });
  if (takenUp.kind === 'failed') return { ok: false, message: takenUp.message };
  const leftOut = await work.reset(base, takenUp.tree ?? tree);
  for (const path of leftOut)
    ports.store.commit([{ type: 'warned', message: `${path} isn't in the copy: it is larger than 2 GB.` }]);
  const renew = () => work.reset(base, takenUp.tree ?? tree);
  const what = { place: 'agents-copy', commit, tree: takenUp.tree ?? tree, folder } as const;
  await setUpCopy(context, { copy: () => work, renew }, what);
  const before = await work.git.snapshot();
  await takenUp.record(before);
  return { ok: true, before };
}

function holdsSeries({ ports: { store }, workplace }: LoopContext, taskId: string): boolean {
  const { series } = taskStateOf(store.state, taskId);
  return series !== null && isSameWorkplace(series, workplace);
}

export const NO_COMMIT = `This repository has no commit yet, and an agent works from your last commit. Make the first one: ${FIRST_COMMIT}`;
