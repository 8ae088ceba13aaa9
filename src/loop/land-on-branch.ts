import type { LoopContext } from './context.ts';

/**
 * Makes the branch that `branch_strategy` asks for. Returns why that isn't possible; `null`: it is done, or not needed
 * now.
 */
export async function landOnBranch(
  { ports, config: { git } }: Pick<LoopContext, 'ports' | 'config'>,
  id: string,
  when: 'per_run' | 'per_task',
): Promise<string | null> {
  if (git.branch_strategy !== when || git.commit === 'never') return null;
  const name = `${git.branch_prefix}${id}`;
  return (await ports.line.onto(name))
    ? null
    : `"${name}" isn't a name for a branch. Change branch_prefix in [git].`;
}
