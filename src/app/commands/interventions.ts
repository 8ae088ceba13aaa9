import { nearest } from 'ralph-kit/nearest';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { EVENT_TYPES } from '../../domain/records/event.ts';
import type { State } from '../../domain/records/state.ts';
import { systemClock } from '../../io/clock.ts';
import { eventsDocument } from '../../state/index.ts';
import { archiveEvents } from '../../store/index.ts';
import { storyOf } from '../../tell/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inWorkspace, type ProjectInput, type Workspace } from '../setup/workspace.ts';

export type InterventionsInput = ProjectInput & {
  readonly last: number | null;
  readonly type: string | null;
  readonly severity: string | null;
  readonly task: string | null;
  readonly reset: boolean;
  /** Returns success rates of interventions instead of events. */
  readonly stats: boolean;
};

export type InterventionsResult = DataOf<typeof interventions>;

const SEVERITIES = ['info', 'warning', 'critical'];

/** Returns events, newest last. `reset` moves them to an archive and deletes none. */
export async function interventions(input: InterventionsInput) {
  const unknown =
    unknownName('--type', input.type, EVENT_TYPES) ?? unknownName('--severity', input.severity, SEVERITIES);
  if (unknown !== null) return unknown;
  return inWorkspace(input, (project) => {
    if (input.reset) return reset(project);
    const { state } = project.store;
    if (input.stats) return success({ stats: interventionStats(state) });
    const matching = state.events.filter(
      (event) =>
        (input.type === null || event.event_type === input.type) &&
        (input.severity === null || event.severity === input.severity) &&
        (input.task === null || event.details.task_id === input.task),
    );
    const newest = <T>(all: readonly T[]) => all.slice(Math.max(0, all.length - (input.last ?? all.length)));
    // An intervention is recorded as another event of the same attempt.
    const ids = new Set(matching.map(({ id }) => id));
    const story = storyOf(state.events).filter((entry) => entry.events.some((id) => ids.has(id)));
    return success({
      total: matching.length,
      events: newest(matching),
      attempts: story.length,
      story: newest(story).map((entry) => snakeKeys(entry)),
    });
  });
}

function unknownName(option: string, value: string | null, known: readonly string[]): Failure | null {
  if (value === null || known.includes(value)) return null;
  const near = nearest(value, known);
  const hint = near === null ? `Known: ${known.join(', ')}.` : `Did you mean ${near}?`;
  return failure(
    `${option} ${value} isn't known. ${hint}`,
    near === null ? 'ralph interventions' : ['ralph interventions', option, near].join(' '),
  );
}

function reset({ folder, store }: Workspace) {
  const count = store.state.events.length;
  if (count === 0) return success({ reset: 0, archive: null });
  const document = eventsDocument(store.state, Number.POSITIVE_INFINITY);
  const content = `${JSON.stringify(document, null, 2)}\n`;
  const archive = archiveEvents(folder, content, systemClock().now());
  store.commit(() => [{ type: 'events_archived', count, archive }]);
  store.writeViews();
  return success({ reset: count, archive: `.ralph/${archive}` });
}

function interventionStats({ interventionStats: stats }: State) {
  return stats.cells
    .toSorted((one, other) => other.applied - one.applied)
    .map(({ agent, issue, type, applied, helped, notHelped, noFurtherAttempt, escalated }) => ({
      agent,
      issue_type: issue,
      intervention_type: type,
      applied,
      helped,
      not_helped: notHelped,
      no_further_attempt: noFurtherAttempt,
      escalated,
      effectiveness:
        helped + notHelped === 0 ? null : Math.round((helped / (helped + notHelped)) * 100) / 100,
    }));
}
