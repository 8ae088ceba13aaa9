import { own } from 'ralph-kit/own';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { TrackedStatus } from 'ralph-task-lists/task';
import { isDoneHere } from '../decide/index.ts';
import type { Ports } from '../domain/ports.ts';
import type { Explained, FixedTracker } from '../domain/records/marks.ts';
import { leftText, type Task } from '../domain/task.ts';
import type { LoadedTracker, LoopContext } from './context.ts';

type Place = { readonly ports: Pick<Ports, 'store' | 'tracker'> };

/**
 * Accepts done marks that a commit of yours explains, or an issue that someone else closed.
 *
 * @param running Whether a run is active.
 * @returns the tasks that were accepted now.
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

/**
 * Records which tracker the project uses; later runs keep to it. At the start of the first run, tasks that are already
 * ticked are recorded as done.
 */
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

/**
 * Warns of tasks that commits (yours, or those of the tool that keeps the list) ticked since the list was last read.
 */
export function warnOfTicks(
  { ports: { store } }: Pick<LoopContext, 'ports'>,
  before: readonly Task[],
  tasks: readonly Task[],
): void {
  const known = new Map(before.map(({ id, left }) => [id, left?.of]));
  for (const { id, status, left } of tasks) {
    if (status !== 'unverified' || left === null || known.get(id) === left.of) continue;
    const accept = `ralph tasks accept ${shellQuote(id)}`;
    store.commit([{ type: 'warned', message: `${id}: ${leftText(left)}. If it is done: ${accept}` }]);
  }
}

/** Asks you about done marks without an explanation, if there is a terminal. Returns the tasks that you accept. */
export async function askAboutMarks(
  { ports, confirmMarks }: Pick<LoopContext, 'ports' | 'confirmMarks'>,
  tasks: readonly Task[],
): Promise<readonly Explained[]> {
  const unverified = tasks.filter(({ status }) => status === 'unverified');
  if (unverified.length === 0 || confirmMarks === null) return [];
  if (!(await confirmMarks(unverified, ports.stop.polite))) return [];
  return acceptByYou(ports, unverified);
}

/**
 * Accepts tasks as done because you say so, and makes the list show it. Returns them.
 *
 * @param running Whether a run is active: the list is changed by that run alone.
 * @throws StoreError if the list can't be written.
 */
export async function acceptByYou(
  { store, clock, tracker }: Pick<Ports, 'store' | 'clock' | 'tracker'>,
  tasks: readonly Task[],
  running = false,
): Promise<readonly Explained[]> {
  const at = clock.now();
  const accepted = accept(
    store,
    tasks.map(({ id, title }) => ({ taskId: id, doneBy: { kind: 'you', title, at } })),
  );
  // The list has unverified tasks as done already.
  const unmarked = running ? [] : tasks.filter(({ status }) => status !== 'unverified');
  for (const { id } of unmarked) await mustShow(tracker, id, 'done');
  return accepted;
}

/** Makes the list show the status of a task. @throws StoreError if it can't be written. */
export async function mustShow(
  tracker: Ports['tracker'],
  ...of: Parameters<Ports['tracker']['show']>
): Promise<void> {
  const refused = await tracker.show(...of);
  if (refused !== null) throw refused;
}

/** Makes the list show a status of tasks. Returns a sentence for each task whose status it doesn't show. */
export async function showStatus(
  { tracker }: Pick<Ports, 'tracker'>,
  ids: readonly string[],
  status: TrackedStatus,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const id of ids) {
    const refused = await tracker.show(id, status);
    if (refused !== null)
      warnings.push(`The task list doesn't show that ${id} is ${status}: ${refused.message}`);
  }
  return warnings;
}

/** Records accepted tasks, without those that were done meanwhile. Returns the recorded ones. */
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
