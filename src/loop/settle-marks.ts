import type { Ports } from '../domain/ports.ts';
import type { Explained, FixedTracker } from '../domain/records/marks.ts';
import type { Task } from '../domain/task.ts';
import { own } from '../lib/own.ts';
import { isDoneHere } from '../tasks/index.ts';
import type { LoadedTracker, LoopContext } from './context.ts';

type Place = { readonly ports: Pick<Ports, 'store' | 'tracker'> };

/**
 * Accepts the marks that something explains: a commit of yours, or someone else's issue.
 *
 * @param running A run is at work.
 * @returns what was accepted now.
 */
export async function settleMarks(
  { ports }: Place,
  tasks: readonly Task[],
  running: boolean,
): Promise<readonly Explained[]> {
  const unverified = tasks.filter(({ status }) => status === 'unverified');
  if (unverified.length === 0) return [];
  return accept(ports.store, await ports.tracker.explain(unverified, running));
}

/** At the start of the first run what is ticked was done before ralph came; from then on the tracker stays the same one. */
export async function fixTracker(
  { ports }: Pick<LoopContext, 'ports'>,
  { source, tasks }: LoadedTracker,
): Promise<void> {
  const { store, tracker, clock } = ports;
  const before = store.state.tracker;
  const at = clock.now();
  if (store.state.imports) {
    const done = tasks.filter(({ status }) => status === 'done');
    accept(
      store,
      done.map(({ id, title }) => ({ taskId: id, doneBy: { kind: 'import', title, at } })),
    );
  }
  const others = await tracker.others();
  const known = before?.others ?? [];
  const fixed: FixedTracker = { ...source, others: [...new Set([...known, ...others])] };
  if (JSON.stringify(fixed) === JSON.stringify(before)) return;
  store.commit(() => [{ type: 'tracker_fixed', ...fixed }]);
  if (before === null) return;
  for (const name of others.filter((other) => !known.includes(other))) {
    store.commit([
      {
        type: 'warned',
        message: `${name} looks like a task list, too; ralph works with ${source.path}. To switch, set [tracker] path = "${name}" in .ralph/ralph.toml.`,
      },
    ]);
  }
}

/** Asks you about the marks that nothing explains, where there is a terminal. */
export async function askAboutMarks(
  { ports, confirmMarks }: Pick<LoopContext, 'ports' | 'confirmMarks'>,
  tasks: readonly Task[],
): Promise<readonly Explained[]> {
  const unverified = tasks.filter(({ status }) => status === 'unverified');
  if (unverified.length === 0 || confirmMarks === null) return [];
  if (!(await confirmMarks(unverified, ports.stop.polite))) return [];
  return acceptByYou(ports, unverified);
}

/** What you vouch for. */
export function acceptByYou(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  tasks: readonly Pick<Task, 'id' | 'title'>[],
): readonly Explained[] {
  const at = clock.now();
  return accept(
    store,
    tasks.map(({ id, title }) => ({ taskId: id, doneBy: { kind: 'you', title, at } })),
  );
}

/** On record, without those that became done meanwhile. */
function accept(store: Ports['store'], explained: readonly Explained[]): readonly Explained[] {
  let accepted: Explained[] = [];
  if (explained.length === 0) return accepted;
  store.commit((state) => {
    accepted = explained.filter(
      ({ taskId, doneBy }) => !isDoneHere({ title: doneBy.title }, own(state.tasks, taskId)),
    );
    return accepted.length === 0 ? [] : [{ type: 'tasks_accepted', tasks: accepted }];
  });
  return accepted;
}
