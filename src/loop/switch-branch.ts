import type { LoopContext } from './context.ts';

/** Switches to a branch where the strategy asks for it now; why it can't be used, else `null`. */
export async function switchBranch(
  { ports, config }: LoopContext,
  name: string,
  when: 'per_run' | 'per_task',
): Promise<string | null> {
  if (config.git.branch_strategy !== when) return null;
  const switched = await ports.git.switchBranch(name);
  return switched.ok ? null : `The branch ${name} could not be used: ${switched.reason}`;
}
