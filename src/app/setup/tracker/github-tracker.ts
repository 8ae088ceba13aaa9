import { GITHUB_FIELDS, issueNumber, tasksFromGithub } from 'ralph-task-lists';
import type { Config } from '../../../domain/config.ts';
import type { Store, Tracker } from '../../../domain/ports.ts';
import type { Explained } from '../../../domain/records/marks.ts';
import type { Answer } from '../../../io/tracker/ask-service.ts';
import {
  accountInUse,
  closeIssue,
  closerOf,
  commentOnIssue,
  type GhOutcome,
  listIssues,
} from '../../../io/tracker/gh.ts';
import { type IssueService, openServiceTracker } from './service-tracker.ts';

/** Opens a tracker whose tasks are GitHub issues. */
export function openGithubTracker(
  root: string,
  store: Store,
  config: Config['tracker'],
  now: () => string,
): Tracker {
  const { label } = config;
  /** Issues closed by the account in use. GitHub is asked once for each, not before every attempt. */
  const unexplained = new Set<string>();
  const service: IssueService<number> = {
    kind: 'github',
    name: label === '' ? 'GitHub issues' : `GitHub issues (${label})`,
    list: async () => answerOf(await listIssues(root, label, GITHUB_FIELDS)),
    read: tasksFromGithub,
    account: async () => {
      const account = await accountInUse(root);
      return account.kind === 'ok' ? account.value : null;
    },
    issueOf: (taskId) => {
      const number = issueNumber(taskId);
      if (number !== null) return { ok: true, value: number };
      return { ok: false, message: `${taskId} isn't a GitHub issue: expected an id such as #12` };
    },
    comment: async (issue, text) => answerOf(await commentOnIssue(root, issue, text)),
    close: async (issue) => answerOf(await closeIssue(root, issue)),
    explain: async (tasks) => {
      const asked = tasks.filter(({ id }) => !unexplained.has(id));
      if (asked.length === 0) return [];
      const account = await accountInUse(root);
      const explained: Explained[] = [];
      for (const { id, title } of asked) {
        const number = issueNumber(id);
        const closer = number === null ? null : await closerOf(root, number);
        // An agent may have closed the issue with the account of `gh`, so only other accounts count.
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
    byHand: 'The tasks are issues on GitHub: use gh issue create, gh issue edit or gh issue close',
  };
  return openServiceTracker(service, store, config);
}

function answerOf<T>(outcome: GhOutcome<T>): Answer<T> {
  return outcome.kind === 'ok' ? { ok: true, value: outcome.value } : { ok: false, message: outcome.message };
}
