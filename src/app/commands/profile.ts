import { profileDocument } from '../../state/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inWorkspace, type ProjectInput } from '../setup/workspace.ts';

export type ProfileResult = DataOf<typeof profile>;

/** Returns the record of each agent. `reinstate` ends an agent's suspension, or the wait for an agent. */
export function profile(
  input: ProjectInput & { readonly agent: string | null; readonly reinstate: boolean },
) {
  const { agent, reinstate } = input;
  return inWorkspace(input, ({ store }) => {
    const known = Object.keys(store.state.profiles);
    if (agent !== null && !known.includes(agent)) {
      const names = known.length === 0 ? 'none; profiles begin with the first run' : known.join(', ');
      return failure(`There is no profile of ${agent} yet. Known: ${names}.`, 'ralph profile');
    }
    if (reinstate) {
      if (agent === null) return failure('--reinstate needs an agent.', 'ralph profile --help');
      const { suspended, unavailable } = store.state.profiles[agent] ?? {};
      if (suspended == null && unavailable == null)
        return failure(`${agent} is neither suspended nor unavailable.`, 'ralph profile');
      store.commit(() => [{ type: 'agent_reinstated', agent }]);
      store.writeViews();
    }
    const { profiles } = profileDocument(store.state);
    return success({
      profiles: profiles.filter(({ agent_id }) => agent === null || agent_id === agent),
      reinstated: reinstate ? agent : null,
    });
  });
}
