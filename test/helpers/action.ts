import type { Action } from 'ralph-kit/actions/action';
import { ADAPTERS } from '../../src/agent/index.ts';

/** What a call does as the adapter of the first agent says that knows the tool; else what the tool's name says. */
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
