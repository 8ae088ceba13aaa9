import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replacement without the protection: git uses the repository's settings as they are at each call. */
export async function pinView(tree: { readonly commonDir: string }) {
  const { commonDir } = tree;
  mkdirSync(join(commonDir, 'info'), { recursive: true });
  appendFileSync(join(commonDir, 'info', 'exclude'), '/.ralph/\n');
  writeFileSync(join(commonDir, 'excludes'), '');
  const hooks = new Set(['pre-commit', 'prepare-commit-msg', 'commit-msg', 'pre-push']);
  const hooksFrom = join(commonDir, 'hooks');
  return {
    ...tree,
    view: { folder: commonDir, hooks, hooksFrom, hookFiles: new Map(), how: { box: () => null } },
  };
}
