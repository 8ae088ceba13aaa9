import type { TreeCopy } from '../../../src/domain/ports/work.ts';
import type { LoopContext } from '../../../src/loop/context.ts';

const nothing = async () => [];

/** Replacement without the protection: gates run where the agent worked, with everything that it left there. */
export async function openBare({ ports }: Pick<LoopContext, 'ports'>) {
  const copy: TreeCopy = {
    mounted: ports.work.mounted,
    installed: { lockText: () => null, note: () => undefined },
    ignored: String(Math.random()),
    leftOut: [],
    changed: nothing,
    createdPaths: nothing,
    builtAnew: nothing,
    watch: () => () => [],
    treeWith: async () => null,
    commitHooks: async () => ({ kind: 'none' }),
    bring: () => undefined,
    close: () => undefined,
  };
  return { copy: () => copy, prepared: async () => undefined };
}
