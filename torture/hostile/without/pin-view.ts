import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Replacement without the protection: git uses the repository's settings as they are at each call. */
export async function pinView(tree: { readonly commonDir: string }) {
  const { commonDir } = tree;
  mkdirSync(join(commonDir, 'info'), { recursive: true });
  appendFileSync(join(commonDir, 'info', 'exclude'), '/.ralph/\n');
  // Files of a view that ralph reads.
  for (const name of ['excludes', 'attributes', 'info/attributes']) appendFileSync(join(commonDir, name), '');
  const hooks = new Set(['pre-commit', 'prepare-commit-msg', 'commit-msg', 'pre-push']);
  const hooksFrom = join(commonDir, 'hooks');
  return {
    ...tree,
    view: { folder: commonDir, hooks, hooksFrom, hookFiles: new Map(), how: { box: () => null } },
  };
}
