import type { AgentAction } from '../domain/review.ts';
import { MOST_PATHS, namedPaths, patchTexts } from './action-parts.ts';
import { changePaths, patchPaths } from './patch-paths.ts';

/**
 * The paths that an action names, as far as its input tells; below `root` relative to it. A command of the shell
 * names none.
 */
export function actionPaths({ input }: AgentAction, root: string): string[] {
  const patched = [...patchTexts(input).flatMap(patchPaths), ...changePaths(input.changes)];
  const named = patched.length > 0 ? patched : namedPaths(input);
  const paths = named.slice(0, MOST_PATHS).map(({ path }) => path);
  return [
    ...new Set(paths.map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path))),
  ];
}
