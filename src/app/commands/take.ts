import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GITLINK, pathsOf } from '../../domain/change-set.ts';
import { EXIT } from '../../domain/exit.ts';
import { takeIgnored } from '../../io/git/index.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { firstFew, pathText } from '../../lib/text.ts';
import { loadTasks } from '../../loop/index.ts';
import { taskFinder } from '../../tasks/index.ts';
import { baseOfKept } from '../records/kept-work.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import { withRunLock } from '../setup/run-lock.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type TakeInput = ProjectInput & {
  /** A task by its id or number, or the `kept/N` of its work. */
  readonly which: string;
  /** Paths that git ignores, in the copy: they are taken besides. */
  readonly ignored: readonly string[];
};
export type TakeResult = DataOf<typeof take>;

/** `ralph take TASK`: brings what was kept of a task that isn't done to the checkout, uncommitted; what stood there is kept. */
export function take({ which: name, ignored, ...input }: TakeInput) {
  return inProject(input, (project) =>
    withRunLock(project, 'take', async () => {
      const { tasks: known } = project.store.refresh();
      const loaded = await loadTasks({ ports: project });
      const listed = loaded.ok ? loaded.tasks.map(({ id }) => id) : [];
      const isKnown = (id: string) => Object.hasOwn(known, id) || listed.includes(id);
      const which = Object.hasOwn(known, name) ? name : (taskFinder(listed)(name) ?? name);
      const found = await keptOf(project, which);
      if (found === null) {
        if (loaded.ok && !isKnown(which) && !which.includes('/'))
          return failure(`There is no task ${which}.${didYouMean(which, listed)}`, 'ralph tasks');
        const message = `No work of ${which} is kept: it is done, or nothing was changed.`;
        return failure(message, 'ralph blocked');
      }
      const { git, store } = project;
      const now = await git.snapshot();
      const { changes: own } = await git.diff({ ...now, tree: found.base }, { ...now, tree: found.tree });
      // What yours has in a submodule keeps nothing from coming: it stays, and the command is named.
      const links = own.filter(({ oldMode, newMode }) => oldMode === GITLINK && newMode === GITLINK);
      const differ = new Set(pathsOf(await git.diff(now, { ...now, tree: found.tree })));
      const isThere = pathsOf({ changes: own.filter((change) => !links.includes(change)) }).every(
        (path) => !differ.has(path),
      );
      if (isThere && links.length === 0 && ignored.length === 0)
        return success({ taken: which, kept: null, submodules: [], paths: [] });
      const onto = await git.compose({
        ...{ base: now.tree, from: found.base },
        paths: links.map(({ path }) => path),
      });
      const target = isThere
        ? onto
        : await git.applyToTree(onto, await git.wholePatch(found.base, found.tree));
      if (target === null) {
        const since = new Set(pathsOf(await git.diff({ ...now, tree: found.base }, now)));
        const both = pathsOf({ changes: own })
          .filter((path) => since.has(path))
          .map(pathText);
        const why = both.length === 0 ? '' : `: ${firstFew(both)} changed since`;
        const message = `The work of ${which} doesn't apply to your checkout as it is now${why}. Nothing was changed.`;
        return failure(message, `ralph diff ${which}`);
      }
      const missing = ignored.find((path) => !existsSync(resolve(project.work.shown.files, path)));
      if (missing !== undefined)
        return failure(`The copy holds no ${missing}. Nothing was changed.`, 'ralph work path');
      const refused = ignored.find((path) => existsSync(resolve(project.root, path)));
      if (refused !== undefined) return failure(`${refused} is there already. Nothing was changed.`, null);
      const kept = await git.keep(now.tree, `before the work of ${which} was taken`);
      const brought = await git.bringTree(now, target, onto);
      if (brought.kind === 'in_the_way') {
        const message = `${firstFew(brought.paths.map(pathText))} is in the way. Nothing was changed.`;
        return failure(message, 'git status', EXIT.unexpected);
      }
      const taken = ignored.filter((path) => takeIgnored(project.root, project.work.shown.files, path));
      store.writeViews();
      const left = brought.submodules.filter(({ needs }) => needs !== null).map(({ path }) => path);
      return success({
        ...{ taken: which, kept, submodules: brought.submodules },
        paths: [...brought.paths.filter((path) => !left.includes(path)), ...taken],
      });
    }),
  );
}

async function keptOf(
  project: Project,
  which: string,
): Promise<{ readonly base: string; readonly tree: string } | null> {
  const tasks = Object.entries(project.store.state.tasks);
  const found = tasks.find(([id, { setAside }]) => id === which || setAside?.checkpoint === which);
  if (found !== undefined) return found[1].setAside;
  const entry = (await project.git.checkpoints()).find(({ id }) => id === which);
  const base = entry === undefined ? null : baseOfKept(project, which);
  return entry === undefined || base === null ? null : { base, tree: entry.tree };
}
