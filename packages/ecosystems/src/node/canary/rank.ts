import { HELPER } from '../../canary.ts';
import { isCollected } from '../../file-role.ts';

const JAVASCRIPT = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Ranks a file by its name, as most runners collect tests. */
export function byName(path: string): number {
  return JAVASCRIPT.test(path) && isCollected(path) && !/[.-]test-d\./.test(path) ? 2 : 0;
}

/** Ranks a file by its folder, as some runners take every file there. */
export function byFolder(path: string): number {
  if (!JAVASCRIPT.test(path)) return 0;
  if (isCollected(path)) return 2;
  return /(?:^|\/)(?:tests?|specs?)\//.test(path) && !HELPER.test(path) ? 1 : 0;
}
