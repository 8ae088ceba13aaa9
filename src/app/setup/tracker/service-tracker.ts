import type { Config } from '../../../domain/config.ts';
import { type Store, StoreError, type Tracker } from '../../../domain/ports.ts';
import type { Service } from '../../../domain/task.ts';
import { sha256 } from '../../../io/ids.ts';
import type { Answer } from '../../../io/tracker/ask-service.ts';
import { own } from '../../../lib/own.ts';
import type { ServiceTasks } from '../../../tasks/index.ts';

/** The issues of a service, as a list of tasks. `Issue`: what names one there. */
export type IssueService<Issue> = {
  readonly kind: Service;
  /** As you know the list: "GitHub issues (ralph)". */
  readonly name: string;
  readonly list: () => Promise<ServiceTasks>;
  /** The issue behind the id of a task. */
  readonly issueOf: (taskId: string) => Answer<Issue>;
  readonly comment: (issue: Issue, text: string) => Promise<Answer<null>>;
  readonly close: (issue: Issue) => Promise<Answer<null>>;
  readonly explain: Tracker['explain'];
  /** How tasks are added and changed there, as a sentence without its end. */
  readonly byHand: string;
};

/**
 * Issues of a service as the tracker. They hold no status but open and closed, so the others live in ralph's state. A task
 * that ralph has verified is done although its issue stays open, unless `close_on_done` closes it:
 * then opening the issue again brings the task back.
 */
export function openServiceTracker<Issue>(
  service: IssueService<Issue>,
  store: Store,
  config: Config['tracker'],
): Tracker {
  const { kind, name } = service;
  const editByHand = async (): Promise<never> => {
    throw new StoreError(service.byHand);
  };
  return {
    load: async () => {
      const listed = await service.list();
      if (!listed.ok) return listed;
      const { tasks, problems } = listed;
      return {
        ...{ ok: true, format: kind, name, paths: [], holdsBlocked: false },
        ...{ holdsDone: config.close_on_done, source: { kind, path: '' } },
        ...{ sha256: sha256(JSON.stringify(tasks)), tasks, problems, lineOf: () => null },
        takenBack: [],
      };
    },
    setStatus: async (taskId, status) => {
      if (status !== 'done') return;
      const issue = expected(service.issueOf(taskId));
      if (config.comment_on_done) expected(await service.comment(issue, verdictComment(store, taskId)));
      if (config.close_on_done) expected(await service.close(issue));
    },
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

/** The comment on an issue whose task ralph has verified. */
function verdictComment(store: Store, taskId: string): string {
  const doneBy = own(store.state.tasks, taskId)?.doneBy;
  const where = doneBy?.kind === 'verdict' ? ` in iteration ${doneBy.iteration} of run ${doneBy.run}` : '';
  return `Done and verified by ralph${where}.\n`;
}

function expected<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new StoreError(answer.message);
  return answer.value;
}
