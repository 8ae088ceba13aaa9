import type { LoopContext } from '../../../src/loop/context.ts';

const nothing = async () => [];

/** Gates run where the agent worked, with all that it left there. */
export async function openBare({ ports }: Pick<LoopContext, 'ports'>): Promise<unknown> {
  const copy = {
    mounted: ports.work.mounted,
    put: () => undefined,
    watch: () => () => [],
    close: () => undefined,
    ignored: String(Math.random()),
    ...{ changed: nothing, createdPaths: nothing },
  };
  return { copy: () => copy, prepared: nothing };
}
