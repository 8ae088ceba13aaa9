import type { Config } from '../../../domain/config.ts';
import { type Store, StoreError, type Tracker } from '../../../domain/ports.ts';
import type { Explained } from '../../../domain/records/marks.ts';
import { sha256 } from '../../../io/ids.ts';
import {
  accountInUse,
  closeIssue,
  closerOf,
  commentOnIssue,
  type GhOutcome,
  listIssues,
} from '../../../io/tracker/gh.ts';
import { GITHUB_FIELDS, issueNumber, tasksFromGithub } from '../../../tasks/index.ts';
import { verdictComment } from './verdict-comment.ts';

/**
 * GitHub issues as the tracker. They hold no status but open and closed, so the others live in ralph's state. A task
 * that ralph has verified is done although its issue stays open, unless `close_on_done` closes it:
 * then opening the issue again brings the task back.
 */
export function openGithubTracker(
  root: string,
  store: Store,
  config: Config['tracker'],
  now: () => string,
): Tracker {
  const { label } = config;
  /** Closed by the account in use: asked once, not before every attempt. */
  const unexplained = new Set<string>();
  return {
    load: async () => {
      const listed = await listIssues(root, label, GITHUB_FIELDS);
      if (listed.kind !== 'ok') return { ok: false, message: listed.message };
      const read = tasksFromGithub(listed.value);
      if (!read.ok) return read;
      return {
        ok: true,
        format: 'github',
        name: label === '' ? 'GitHub issues' : `GitHub issues (${label})`,
        paths: [],
        holdsBlocked: false,
        holdsDone: config.close_on_done,
        source: { kind: 'github', path: '' },
        sha256: sha256(JSON.stringify(read.tasks)),
        tasks: read.tasks,
        problems: read.problems,
        lineOf: () => null,
      };
    },
    setStatus: async (taskId, status) => {
      if (status !== 'done') return;
      const number = issueNumber(taskId);
      if (number === null) throw new StoreError(`${taskId} isn't a GitHub issue: expected an id such as #12`);
      if (config.comment_on_done)
        expectDone(await commentOnIssue(root, number, verdictComment(store, taskId)));
      if (config.close_on_done) expectDone(await closeIssue(root, number));
    },
    comment: async (taskId, text) => {
      const number = issueNumber(taskId);
      if (number === null) throw new StoreError(`${taskId} isn't a GitHub issue: expected an id such as #12`);
      expectDone(await commentOnIssue(root, number, text));
    },
    edit: editByHand,
    addPlan: editByHand,
    marks: async () => [],
    explain: async (tasks) => {
      const asked = tasks.filter(({ id }) => !unexplained.has(id));
      if (asked.length === 0) return [];
      const account = await accountInUse(root);
      const explained: Explained[] = [];
      for (const { id, title } of asked) {
        const number = issueNumber(id);
        const closer = number === null ? null : await closerOf(root, number);
        // An agent could close it with the account that `gh` uses here, too.
        const isByOther =
          closer?.kind === 'ok' &&
          account.kind === 'ok' &&
          closer.value.toLowerCase() !== account.value.toLowerCase();
        if (!isByOther) {
          unexplained.add(id);
        } else {
          const doneBy = { kind: 'issue' as const, by: closer.value, title, at: now() };
          explained.push({ taskId: id, doneBy });
        }
      }
      return explained;
    },
    others: async () => [],
  };
}

async function editByHand(): Promise<never> {
  throw new StoreError(
    'The tasks are issues on GitHub: use gh issue create, gh issue edit or gh issue close',
  );
}

function expectDone(outcome: GhOutcome<null>): void {
  if (outcome.kind !== 'ok') throw new StoreError(outcome.message);
}
