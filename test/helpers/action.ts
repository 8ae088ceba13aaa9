import { ADAPTERS } from 'ralph-agents';
import type { Action } from 'ralph-kit/actions/action';

/** Returns the action of a tool call by the first adapter that knows the tool; otherwise by the tool's name. */
export function actionOf(
  tool: string,
  input: Record<string, unknown>,
  { id = null, cwd = null }: { readonly id?: string | null; readonly cwd?: string | null } = {},
): Action {
  const actions = Object.values(ADAPTERS).map((agent) => agent.action({ id, tool, input, cwd }));
  const [first] = actions;
  if (first === undefined) throw new Error('there are agents');
  return actions.find(({ kind }) => kind !== 'unknown') ?? first;
}
