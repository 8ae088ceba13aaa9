import type { GateSpec } from '../domain/gate.ts';
import { NOT_TRIED } from '../domain/gate-baseline.ts';
import type { CleanCopy, Committed, TextFiles, TreeCopy, WorkBase } from '../domain/ports.ts';
import { setUpCopy, specOf } from './set-up.ts';
import { type GatePlace, start } from './start.ts';

/** A tree on ralph's line, or one that would land there. */
export type Tested = Committed & {
  readonly tree: string;
  /** Absolute path of the folder for output. */
  readonly folder: string;
};

export function testedBase(base: WorkBase, folder: string): Tested {
  return { base, tree: base.tree, head: { commit: base.commit }, folder };
}

/**
 * Needs of gates beyond the tree. `keep`: ignored paths of the checkout; `build`: a command that makes files, `null`:
 * none.
 */
export type Needs = { readonly keep: readonly string[]; readonly build: string | null };

export function needsOf(
  { ports: { store }, config }: Pick<GatePlace, 'ports' | 'config'>,
  { keep, build }: Needs = store.state.baseline?.needs ?? NOT_TRIED.needs,
): Needs {
  return { keep: [...config.gates.keep, ...keep], build };
}

/** How to make a copy. `files` are written into it; `outside`: whether its gates run outside of the box. */
export type CopyOptions = {
  readonly needs: Needs;
  readonly files: TextFiles;
  readonly outside: boolean;
};

export function isOutside({ ports }: GatePlace, { box }: Pick<GateSpec, 'box'>): boolean {
  return ports.proc.isBoxed && !box;
}

export async function openCleanCopy(context: GatePlace, tested: Tested): Promise<TreeCopy> {
  const { copy, prepared } = await openBare(context, tested, {
    needs: needsOf(context),
    files: [],
    outside: false,
  });
  await prepared();
  return copy();
}

/** Opens a clean copy without set-up. `prepared` also installs packages and builds. */
export async function openBare(
  context: GatePlace,
  { tree, base, head, folder }: Tested,
  { needs: { keep, build }, files, outside }: CopyOptions,
): Promise<{ readonly copy: () => TreeCopy; readonly prepared: () => Promise<void> }> {
  const { git } = context.ports;
  const wanted: CleanCopy = { tree, base, head, keep, files, outside };
  let copy = await git.cleanCopy(wanted);
  const renew = async () => {
    copy.close();
    copy = await git.cleanCopy(wanted);
  };
  const what = { place: 'clean', commit: base.commit, tree, folder } as const;
  const prepared = async () => {
    try {
      await setUpCopy(context, { copy: () => copy, renew }, what);
      const place = { ...what, copy: copy.mounted, why: 'build' as const };
      if (build !== null) await start(context, [specOf(build)], place);
    } catch (error) {
      copy.close();
      throw error;
    }
  };
  return { copy: () => copy, prepared };
}
