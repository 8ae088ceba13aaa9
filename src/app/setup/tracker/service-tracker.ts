import { DISTINCT_NAMES } from 'ralph-ecosystems';
import { sha256 } from 'ralph-kit/files/sha256';
import { own } from 'ralph-kit/own';
import type { Service } from 'ralph-task-lists';
import { type Answer, type OpenedList, openService } from 'ralph-task-lists/services';
import type { Config } from '../../../domain/config.ts';
import { type Store, StoreError, type Tracker } from '../../../domain/ports.ts';
import type { Explained } from '../../../domain/records/marks.ts';
import { systemClock } from '../../../io/clock.ts';
import { leftAlone } from './left-alone.ts';

/**
 * Opens a tracker whose tasks are issues of a service (ADR 80). Issues are only open or closed, so ralph's state has
 * all other statuses. A task that ralph verified is done even while its issue is open. With `close_on_done` ralph
 * closes the issue, and opening it again reopens the task.
 */
export function openServiceTracker(
  kind: Service,
  root: string,
  store: Store,
  config: Config['tracker'],
): Tracker {
  const clock = systemClock();
  const opened = openList(kind, root, config);
  /** Closed issues that no other account explains. The service is asked once for each, not before every attempt. */
  const unexplained = new Set<string>();
  const editByHand = async (): Promise<never> => {
    throw new StoreError(expected(opened).byHand);
  };
  return {
    load: async () => {
      const read = opened.ok ? await opened.value.load() : opened;
      if (!read.ok) return read;
      const { problems, unread } = read;
      const now = clock.now();
      const tasks = read.tasks.map((task) => leftAlone(task, config.skip_assigned, now));
      return {
        ok: true,
        format: kind,
        name: expected(opened).name,
        paths: [],
        holdsBlocked: false,
        holdsDone: config.close_on_done,
        source: { kind, path: '' },
        sha256: sha256(JSON.stringify(tasks)),
        tasks,
        problems,
        lineOf: () => null,
        extras: () => ({ unread: [...unread, NOT_ASKED], words: new Map() }),
        takenBack: [],
        givenUp: [],
        replacing: [],
      };
    },
    show: unlessRefused(async (taskId, status) => {
      if (status !== 'done') return;
      const list = expected(opened);
      if (config.comment_on_done) expected(await list.comment(taskId, verdictComment(store, taskId)));
      if (config.close_on_done) expected(await list.close(taskId));
    }),
    comment: async (taskId, text) => {
      expected(await expected(opened).comment(taskId, text));
    },
    edit: editByHand,
    addPlan: editByHand,
    marks: async () => [],
    explain: async (tasks) => {
      const explained: Explained[] = [];
      for (const { id, title } of tasks.filter((task) => !unexplained.has(task.id))) {
        const by = opened.ok ? await opened.value.closedByOther(id) : null;
        if (by === null) unexplained.add(id);
        else explained.push({ taskId: id, doneBy: { kind: 'issue', by, title, at: clock.now() } });
      }
      return explained;
    },
    others: async () => [],
  };
}

/** Opens the list of a service, and asks for nothing yet. */
export function openList(
  kind: Service,
  root: string,
  { path, label }: Config['tracker'],
): Answer<OpenedList> {
  const world = { clock: systemClock(), env: process.env, userAgent: 'ralph' };
  return openService(kind, { path, label, cwd: root }, world, DISTINCT_NAMES);
}

/** Returns a function for `show` of one that throws the reason. */
export function unlessRefused(mark: (...of: Parameters<Tracker['show']>) => Promise<void>): Tracker['show'] {
  return (...of) =>
    mark(...of).then(
      () => null,
      (error: unknown) => {
        if (error instanceof StoreError) return error;
        throw error;
      },
    );
}

/** Fields of issues that ralph doesn't ask the service for. */
const NOT_ASKED = { what: 'milestones, dates and comments of the issues', tasks: [] };

/** Returns the comment for the issue of a task that ralph verified. */
function verdictComment(store: Store, taskId: string): string {
  const doneBy = own(store.state.tasks, taskId)?.doneBy;
  const where = doneBy?.kind === 'verdict' ? ` in iteration ${doneBy.iteration} of run ${doneBy.run}` : '';
  return `Done and verified by ralph${where}.\n`;
}

function expected<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new StoreError(answer.message);
  return answer.value;
}
