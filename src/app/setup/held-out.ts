import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { realPathOf } from 'ralph-kit/files/real-path';
import { isAtOrBelow, isBelow } from 'ralph-kit/paths';
import type { GateSpec } from '../../domain/gate.ts';
import { openPorcelain } from '../../git/index.ts';

export function heldOutOf(gates: readonly Pick<GateSpec, 'heldOut'>[]): string[] {
  return [...new Set(gates.flatMap(({ heldOut }) => heldOut ?? []))];
}

/**
 * Returns gates with `held_out` (absolute, `~/…`, or relative to the repository) as an absolute path without symbolic
 * links.
 */
export function withHeldOutPlaces(gates: readonly GateSpec[], root: string): GateSpec[] {
  return gates.map((gate) => {
    const { heldOut } = gate;
    if (heldOut === null) return gate;
    const isHome = heldOut === '~' || heldOut.startsWith('~/');
    const path = isHome ? join(homedir(), heldOut.slice(1)) : resolve(root, heldOut);
    return { ...gate, heldOut: realPathOf(path) };
  });
}

/** Returns whether the gate can run here. Held-out files may be missing, such as in CI for a fork. */
export function isAvailable({ heldOut }: Pick<GateSpec, 'heldOut'>): boolean {
  return heldOut === null || existsSync(heldOut);
}

type Place = { readonly root: string; readonly gitDir: string; readonly commonDir: string };

/** Returns why agents could read held-out files, as words that follow their path; `null`: they can't. */
export async function heldOutProblem(
  path: string,
  { root, gitDir, commonDir }: Place,
): Promise<string | null> {
  if (!existsSync(path)) return "isn't there";
  if ([root, homedir(), commonDir, gitDir].some((one) => isAtOrBelow(realPathOf(one), path)))
    return 'is around the repository or your home folder: name what is in it';
  const isOfGit = [commonDir, gitDir].some((one) => isAtOrBelow(path, realPathOf(one)));
  if (isOfGit) return "lies in the repository's git folder, which agents need";
  if (!isBelow(path, root)) return null;
  const inside = relative(root, path);
  const git = await openPorcelain(root);
  if ((await git.tracked([inside])).length > 0)
    return 'is tracked by git, so that `git show` reads it: move it out of the repository';
  const [commit] = await git.commitsOf(inside);
  if (commit !== undefined)
    return `is in commit ${commit.slice(0, 8)}, so that \`git show\` reads it: move it out of the repository, under another name and with other tests`;
  const [open] = await git.untracked(inside);
  if (open !== undefined)
    return `isn't ignored by git, so that the next \`git add\` takes it (${open}): add it to .gitignore, or move it out of the repository`;
  return null;
}
