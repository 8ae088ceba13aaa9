import type { LoopContext } from './context.ts';

/** What is verified lands on a branch of its own where the strategy asks for it now; why it can't, else `null`. */
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
