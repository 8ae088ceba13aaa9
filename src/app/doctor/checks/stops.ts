import { openIncidents } from '../../../domain/incident.ts';
import { check, error, warning } from '../check.ts';

/** Emergency stops that are open, and a rollback that was cut off: no run starts, or the next one finishes it. */
export const stopsCheck = check({
  gather: ({ state, running }) => ({
    incidents: openIncidents(state).map(({ id, summary }) => ({ id, summary })),
    halfRolledBack: running ? null : (state.openRollback?.checkpoint ?? null),
  }),
  judge: ({ incidents, halfRolledBack }) => {
    const stops = incidents.map(({ id, summary }) =>
      error('state.incident', `runs are paused until you resolve ${id}`, summary, `ralph resume ${id}`),
    );
    if (halfRolledBack === null) return stops;
    const title = `a rollback to ${halfRolledBack} was cut off`;
    const fix = 'The next run finishes it, or: ralph rollback';
    return [...stops, warning('state.rollback', title, 'what the work tree held is kept', fix)];
  },
});
