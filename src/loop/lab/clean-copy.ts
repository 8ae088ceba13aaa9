import type { GateSpec } from '../../domain/gate.ts';
import { NOT_TRIED } from '../../domain/gate-baseline.ts';
import type { CleanCopy, Committed, TextFiles, TreeCopy, WorkBase } from '../../domain/ports.ts';
import { setUpCopy, specOf } from './set-up.ts';
import { type GatePlace, start } from './start.ts';

/** A tree to be tested: what is or would be on ralph's line. */
export type Tested = Committed & {
  readonly tree: string;
  /** Absolute, for the output of its set-up and its gates. */
  readonly folder: string;
};

/** The base as a tree to be tested, without any work. */
export function testedBase(base: WorkBase, folder: string): Tested {
  return { base, tree: base.tree, head: { commit: base.commit }, folder };
}

/** What gates need of what git ignores: paths of the checkout, and what a command builds. */
export type Needs = { readonly keep: readonly string[]; readonly build: string | null };

/** What gates need, by the configuration and as far as it was found. */
export function needsOf(
  { ports: { store }, config }: Pick<GatePlace, 'ports' | 'config'>,
  { keep, build }: Needs = store.state.baseline?.needs ?? NOT_TRIED.needs,
): Needs {
  return { keep: [...config.gates.keep, ...keep], build };
}

/** How a clean copy is opened. `files`: of text, that are written into it besides; `outside`: for a gate that runs outside of the box. */
export type Opening = {
  readonly needs: Needs;
  readonly files: TextFiles;
  readonly outside: boolean;
};

/** Whether there is a box, and a gate runs outside of it. */
export function isOutside({ ports }: GatePlace, { box }: Pick<GateSpec, 'box'>): boolean {
  return ports.proc.isBoxed && !box;
}

/** Opens a copy in which no agent worked, with what is installed and what gates need of the rest. */
export async function openCleanCopy(context: GatePlace, tested: Tested): Promise<TreeCopy> {
  const { copy, prepared } = await openBare(context, tested, {
    needs: needsOf(context),
    files: [],
    outside: false,
  });
  await prepared();
  return copy();
}

/** The same, but for what is installed anew and built: `prepared` does that. */
export async function openBare(
  context: GatePlace,
  { tree, base, head, folder }: Tested,
  { needs: { keep, build }, files, outside }: Opening,
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
      const place = { ...what, copy: copy.shown, why: 'build' as const };
      if (build !== null) await start(context, [specOf(build)], place);
    } catch (error) {
      copy.close();
      throw error;
    }
  };
  return { copy: () => copy, prepared };
}
