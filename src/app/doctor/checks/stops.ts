import { openIncidents } from '../../../domain/incident.ts';
import { check, error, warning } from '../check.ts';

/** Emergency stops that are open, and rollbacks that were cut off: no run starts, or the next one finishes them. */
export const stopsCheck = check({
  gather: ({ state, running }) => ({
    incidents: openIncidents(state).map(({ id, summary, scope, taskId }) => ({ id, summary, scope, taskId })),
    halfRolledBack: running
      ? []
      : state.workplaces.flatMap(({ openRollback }) => openRollback?.checkpoint ?? []),
  }),
  judge: ({ incidents, halfRolledBack }) => {
    const stops = incidents.map(({ id, summary, scope, taskId }) =>
      scope === 'run'
        ? error('state.incident', `runs are paused until you resolve ${id}`, summary, `ralph resume ${id}`)
        : warning('state.incident', `${taskId} waits until you resolve ${id}`, summary, `ralph resume ${id}`),
    );
    const fix = 'The next run finishes it, or: ralph rollback';
    const rollbacks = halfRolledBack.map((checkpoint) => {
      const title = `a rollback to ${checkpoint} was cut off`;
      return warning('state.rollback', title, 'what the work tree held is kept', fix);
    });
    return [...stops, ...rollbacks];
  },
});
