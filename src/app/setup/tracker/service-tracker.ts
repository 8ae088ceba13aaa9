import { DISTINCT_NAMES } from 'ralph-ecosystems';
import { sha256 } from 'ralph-kit/files/sha256';
import { own } from 'ralph-kit/own';
import type { Service, ServiceInput, ServiceTasks } from 'ralph-task-lists';

import type { Config } from '../../../domain/config.ts';
import { type Store, StoreError, type Tracker } from '../../../domain/ports.ts';
import { systemClock } from '../../../io/clock.ts';
import type { Answer } from '../../../io/tracker/ask-service.ts';
import { leftAlone } from './left-alone.ts';

/** The issues of a service as a list of tasks. `Issue`: type of the service's own ids. */
export type IssueService<Issue> = {
  readonly kind: Service;
  /** Name of the list on screen: "GitHub issues (ralph)". */
  readonly name: string;
  readonly list: () => Promise<Answer<unknown>>;
  /** Returns the tasks in listed issues. */
  readonly read: (listed: unknown, input: ServiceInput) => ServiceTasks;
  /** Returns the account in use; `null`: unknown. */
  readonly account: () => Promise<string | null>;
  /** Returns the service's id of a task's issue. */
  readonly issueOf: (taskId: string) => Answer<Issue>;
  readonly comment: (issue: Issue, text: string) => Promise<Answer<null>>;
  readonly close: (issue: Issue) => Promise<Answer<null>>;
  readonly explain: Tracker['explain'];
  /** How you add and change tasks in the service, as a sentence without full stop. */
  readonly byHand: string;
};

/**
 * Opens a tracker whose tasks are issues of a service. Issues are only open or closed, so ralph's state has all other
 * statuses. A task that ralph verified is done even while its issue is open. With `close_on_done` ralph closes the
 * issue, and opening it again reopens the task.
 */
export function openServiceTracker<Issue>(
  service: IssueService<Issue>,
  store: Store,
  config: Config['tracker'],
): Tracker {
  const { kind, name } = service;
  let account: Promise<string | null> | null = null;
  /** The account in use is asked for once, and only if an issue has an assignee. */
  const readListed = async (listed: unknown): Promise<ServiceTasks> => {
    const read = service.read(listed, { me: null, programs: DISTINCT_NAMES });
    if (!read.ok || !read.tasks.some(({ assignee, status }) => assignee !== null && status !== 'done'))
      return read;
    account ??= service.account();
    const me = await account;
    return me === null ? read : service.read(listed, { me, programs: DISTINCT_NAMES });
  };
  const editByHand = async (): Promise<never> => {
    throw new StoreError(service.byHand);
  };
  return {
    load: async () => {
      const listed = await service.list();
      if (!listed.ok) return listed;
      const read = await readListed(listed.value);
      if (!read.ok) return read;
      const { problems, unread } = read;
      const now = systemClock().now();
      const tasks = read.tasks.map((task) => leftAlone(task, config.skip_assigned, now));
      return {
        ok: true,
        format: kind,
        name,
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
      const issue = expected(service.issueOf(taskId));
      if (config.comment_on_done) expected(await service.comment(issue, verdictComment(store, taskId)));
      if (config.close_on_done) expected(await service.close(issue));
    }),
    comment: async (taskId, text) => {
      expected(await service.comment(expected(service.issueOf(taskId)), text));
    },
    edit: editByHand,
    addPlan: editByHand,
    marks: async () => [],
    explain: service.explain,
    others: async () => [],
  };
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
