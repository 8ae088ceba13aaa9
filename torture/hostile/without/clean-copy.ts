import type { LoopContext } from '../../../src/loop/context.ts';

const nothing = async () => [];

/** Replacement without the protection: gates run where the agent worked, with everything that it left there. */
export async function openBare({ ports }: Pick<LoopContext, 'ports'>): Promise<unknown> {
  const copy = {
    shown: ports.work.shown,
    put: () => undefined,
    watch: () => () => [],
    close: () => undefined,
    ignored: String(Math.random()),
    ...{ changed: nothing, made: nothing },
  };
  return { copy: () => copy, prepared: nothing };
}
