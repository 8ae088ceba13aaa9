import { openIncidents, resumeCommand } from '../../../domain/incident.ts';
import type { PolicyStop } from '../../../domain/policy.ts';
import { needsResume } from '../../../respond/table.ts';
import { RESUME } from '../../../tell/index.ts';
import { check, type DoctorFinding, error, warning } from '../check.ts';

/** Checks for open emergency stops, which prevent runs, and unfinished rollbacks, which the next run finishes. */
export const stopsCheck = check({
  gather: ({ state, running }) => ({
    stop: state.policy.stop,
    incidents: openIncidents(state).map(({ id, summary, scope, taskId }) => ({ id, summary, scope, taskId })),
    halfRolledBack: running
      ? []
      : state.workplaces.flatMap(({ openRollback }) => openRollback?.checkpoint ?? []),
  }),
  judge: ({ stop, incidents, halfRolledBack }) => {
    const policies = stop === null || !needsResume(stop) ? [] : [policyFinding(stop)];
    const stops = incidents.map(({ id, summary, scope, taskId }) =>
      scope === 'run'
        ? error('state.incident', `runs are paused until you resolve ${id}`, summary, resumeCommand(id))
        : warning('state.incident', `${taskId} waits until you resolve ${id}`, summary, resumeCommand(id)),
    );
    const fix = 'The next run finishes it, or: ralph rollback';
    const rollbacks = halfRolledBack.map((checkpoint) => {
      const title = `a rollback to ${checkpoint} was cut off`;
      return warning('state.rollback', title, 'what the work tree held is kept', fix);
    });
    return [...policies, ...stops, ...rollbacks];
  },
});

function policyFinding({ kind, reason, times }: PolicyStop): DoctorFinding {
  const by = kind === 'break' ? 'the Wiggum Break' : `the ${kind}, ${times} times`;
  return error('state.policy', `runs are stopped by ${by}`, reason, RESUME);
}
