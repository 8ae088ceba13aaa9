import { resolve } from 'node:path';
import { isAtOrBelow } from 'ralph-kit/paths';
import { isOutput } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { instructionPaths } from './box.ts';
import type { Project } from './project.ts';

/** Uncommitted files of the checkout. Agents don't see them. */
export type Uncommitted = {
  readonly paths: readonly string[];
  readonly named: readonly { readonly taskId: string; readonly path: string }[];
};

/**
 * Returns uncommitted files, and which of them tasks name.
 * @param tasks Tasks that may be started.
 */
export async function uncommittedIn(
  project: Pick<Project, 'git' | 'line' | 'root' | 'config' | 'store'>,
  tasks: readonly Task[],
): Promise<Uncommitted> {
  const { git, line, root, store, config } = project;
  const snapshot = await git.snapshot();
  const shown = instructionPaths(project);
  const dirty = (await git.dirtyPaths(snapshot)).filter(
    (path) =>
      !path.startsWith('.ralph/') &&
      !shown.some((own) => isAtOrBelow(resolve(root, path), own)) &&
      !config.box.seed.some((seed) => isAtOrBelow(resolve(root, path), resolve(root, seed))) &&
      !isOutput(store.state, path),
  );
  if (dirty.length === 0) return { paths: [], named: [] };
  // Work that landed without a commit is on ralph's line, so agents do see it.
  const verified = config.git.commit === 'never' ? await line.look() : null;
  const differs =
    verified === null
      ? dirty
      : (await git.diff({ ...snapshot, tree: verified.tree }, snapshot)).changes.map(({ path }) => path);
  const paths = dirty.filter((path) => differs.includes(path));
  const named = tasks.flatMap(({ id, title, description, acceptance }) => {
    const words = new Set([title, description, ...acceptance].join('\n').split(BETWEEN_NAMES));
    const path = paths.find((one) => words.has(one) || words.has(`./${one}`));
    return path === undefined ? [] : [{ taskId: id, path }];
  });
  return { paths, named };
}

const BETWEEN_NAMES = /[\s`'"“”()[\]{}<>,;:!?]+|\.(?=\s|$)/;
