import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import type { SetAside } from '../../domain/records/series.ts';
import { isAtOrBelow } from '../../lib/paths.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inProject, type Project, type ProjectInput } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';

export type TakeInput = ProjectInput & {
  /** A task, or the `kept/N` of its work. */
  readonly which: string;
  /** Paths that git ignores, in the copy: they are taken besides. */
  readonly ignored: readonly string[];
};
export type TakeResult = DataOf<typeof take>;

/** `ralph take TASK`: brings what was kept of a task that isn't done to the checkout, uncommitted; what stood there is kept. */
export function take({ which, ignored, ...input }: TakeInput) {
  return inProject(input, (project) =>
    withRunLock(project, 'take', async () => {
      const found = keptOf(project, which);
      if (found === null) {
        const message = `No work of ${which} is kept: it is done, or nothing was changed.`;
        return failure(message, 'ralph blocked');
      }
      const { git, store } = project;
      const { tree } = await git.snapshot();
      const target = await git.applyToTree(tree, await git.wholePatch(found.base, found.tree));
      if (target === null) {
        const message = `The work of ${which} doesn't apply to your checkout as it is now. Nothing was changed.`;
        return failure(message, `ralph diff ${which}`);
      }
      const refused = ignored.find((path) => existsSync(resolve(project.root, path)));
      if (refused !== undefined) return failure(`${refused} is there already. Nothing was changed.`, null);
      const kept = await git.keepForRestore(target, `before the work of ${which} was taken`);
      const back = await git.restore(target, kept);
      if (back.kind === 'failed') return failure(back.reason, `ralph diff ${which}`, EXIT.unexpected);
      const taken = ignored.filter((path) => takeIgnored(project, path));
      store.writeViews();
      return success({ taken: which, kept: kept.id, paths: [...back.paths, ...taken] });
    }),
  );
}

function keptOf({ store }: Project, which: string): SetAside | null {
  const tasks = Object.entries(store.refresh().tasks);
  const found = tasks.find(([id, { setAside }]) => id === which || setAside?.checkpoint === which);
  return found?.[1].setAside ?? null;
}

/** Copies what programs made in the copy; nothing of yours is written over. */
function takeIgnored({ root, work }: Project, path: string): boolean {
  const { files } = work.shown;
  const from = resolve(files, path);
  if (!isAtOrBelow(files, from) || !existsSync(from)) return false;
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
  return true;
}
