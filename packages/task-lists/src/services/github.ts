import * as z from 'zod/mini';
import { resolveDependencies } from '../dependencies.ts';
import type { Task } from '../task.ts';
import { accountInUse, closeIssue, closerOf, commentOnIssue, listIssues } from './gh.ts';
import { serviceTask } from './issue-task.ts';
import type { Answer, IssueList, Noticed, OpenList, ServiceInput, ServiceTasks } from './protocol.ts';
import { listName, readForm } from './ticket.ts';

/** Fields to request from `gh issue list --json`. */
const GITHUB_FIELDS = ['number', 'title', 'body', 'labels', 'state', 'assignees'] as const;

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.nullish(z.string()),
  labels: z._default(z.array(z.object({ name: z.string() })), []),
  state: z._default(z.string(), 'OPEN'),
  assignees: z._default(z.array(z.object({ login: z.string() })), []),
});

/**
 * Returns tasks from the issues of `gh issue list --json`, oldest first. The id is `#12`. Check boxes in the body are
 * acceptance criteria; attribute lines (`Depends on #3`, `Timeout: 30m`) are read as in Markdown, except for two that
 * only the repository's developers may set. Labels give priority (`P1`, `priority: high`), kind (`kind: research`),
 * complexity (`complexity: ui_heavy`) and `blocked`. A closed issue is done. An open issue assigned to others is in
 * progress, because GitHub has no other status for that.
 */
export function tasksFromGithub(json: unknown, input: ServiceInput): ServiceTasks {
  const read = readForm(z.array(Issue), json, 'gh listed issues');
  if (!read.ok) return read;
  const issues = read.value.toSorted((a, b) => a.number - b.number);
  const noticed: Noticed = { problems: [], unread: [] };
  const tasks = issues.map((issue) => toTask(issue, input, noticed));
  return { ok: true, tasks: resolveDependencies(tasks), ...noticed };
}

/** Opens the issues of the repository at `cwd`, by `gh`. */
export const openGithub: OpenList = ({ cwd, label }) => {
  let me: string | null = null;
  const account = async (): Promise<string | null> => {
    if (me !== null) return me;
    const answer = await accountInUse(cwd);
    me = answer.ok ? answer.value : null;
    return me;
  };
  const value: IssueList = {
    name: listName('GitHub', 'issues', label),
    list: () => listIssues(cwd, label, GITHUB_FIELDS),
    read: tasksFromGithub,
    account,
    comment: (taskId, text) => onIssue(taskId, (issue) => commentOnIssue(cwd, issue, text)),
    close: (taskId) => onIssue(taskId, (issue) => closeIssue(cwd, issue)),
    closedByOther: async (taskId) => {
      const number = issueNumber(taskId);
      const own = await account();
      if (number === null || own === null) return null;
      const closer = await closerOf(cwd, number);
      // An agent may have closed the issue with the account of `gh`, so only other accounts count.
      return closer.ok && closer.value.toLowerCase() !== own.toLowerCase() ? closer.value : null;
    },
    byHand: 'The tasks are issues on GitHub: use gh issue create, gh issue edit or gh issue close',
  };
  return { ok: true, value };
};

async function onIssue(taskId: string, ask: (issue: number) => Promise<Answer<null>>): Promise<Answer<null>> {
  const number = issueNumber(taskId);
  if (number !== null) return ask(number);
  return { ok: false, message: `${taskId} isn't a GitHub issue: expected an id such as #12` };
}

/** Returns the issue's number in a task id such as `#12`; `null` for other ids. */
export function issueNumber(taskId: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(taskId)?.[1];
  return digits === undefined ? null : Number(digits);
}

function toTask(
  { number, title, body, labels, state, assignees }: z.infer<typeof Issue>,
  input: ServiceInput,
  noticed: Noticed,
): Task {
  const logins = assignees.map(({ login }) => login);
  const { me } = input;
  const isMine = me !== null && logins.some((login) => login.toLowerCase() === me.toLowerCase());
  return serviceTask(
    {
      id: `#${number}`,
      title: title.trim() === '' ? `Issue ${number}` : title,
      body: body ?? '',
      labels: labels.map((label) => label.name),
      isDone: state.toUpperCase() === 'CLOSED',
      assignee: isMine || logins.length === 0 ? null : logins.join(', '),
      isStarted: true,
    },
    input,
    noticed,
  );
}
