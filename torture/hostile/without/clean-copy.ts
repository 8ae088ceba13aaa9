import type { LoopContext } from '../../../src/loop/context.ts';

/** Gates run where the agent worked, with all that it left there. */
export async function openCleanCopy({ ports }: Pick<LoopContext, 'ports'>): Promise<unknown> {
  const nothing = async () => [];
  return {
    shown: ports.work.shown,
    put: () => undefined,
    watch: () => () => [],
    close: () => undefined,
    ...{ changed: nothing, made: nothing },
  };
}
