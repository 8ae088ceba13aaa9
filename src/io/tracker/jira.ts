import { type Answer, askService, type Service } from './ask-service.ts';
import type { TicketClient } from './ticket-client.ts';

/** More issues under one label aren't a task list. */
const MOST_PAGES = 20;
const PAGE = 100;

/** Jira's REST API, version 3. @param project The project's key. @param fields Issue fields by their search names. */
export function jiraClient(
  service: Service,
  origin: string,
  {
    project,
    label,
    fields,
  }: { readonly project: string; readonly label: string; readonly fields: readonly string[] },
): TicketClient {
  const ask = (path: string, body?: unknown) => askService(service, `${origin}/rest/api/3/${path}`, body);
  const issue = (key: string) => `issue/${encodeURIComponent(key)}`;
  const jql = [`project = ${quoted(project)}`, ...(label === '' ? [] : [`labels = ${quoted(label)}`])].join(
    ' AND ',
  );
  return {
    list: async () => {
      const found: unknown[] = [];
      let nextPageToken: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { jql: `${jql} ORDER BY created ASC`, fields, maxResults: PAGE };
        const answer = await ask(
          'search/jql',
          nextPageToken === undefined ? query : { ...query, nextPageToken },
        );
        if (!answer.ok) return answer;
        const { issues, nextPageToken: next } = answer.value as { issues?: unknown; nextPageToken?: unknown };
        if (!Array.isArray(issues)) return { ok: false, message: 'Jira answered a search without issues' };
        found.push(...issues);
        if (typeof next !== 'string') break;
        nextPageToken = next;
      }
      return { ok: true, value: found };
    },
    account: async () => {
      const answer = await ask('myself');
      if (!answer.ok) return null;
      const { accountId } = answer.value as { accountId?: unknown };
      return typeof accountId === 'string' ? accountId : null;
    },
    comment: async (key, text) => {
      const content = [{ type: 'paragraph', content: [{ type: 'text', text }] }];
      return done(await ask(`${issue(key)}/comment`, { body: { type: 'doc', version: 1, content } }));
    },
    close: async (key) => {
      const answer = await ask(`${issue(key)}/transitions`);
      if (!answer.ok) return answer;
      const { transitions } = answer.value as { transitions?: readonly Transition[] };
      const into = (transitions ?? []).find(({ to }) => to?.statusCategory?.key === 'done');
      if (into?.id === undefined)
        return {
          ok: false,
          message: `Jira has no step from where ${key} is to a status that is done: move it by hand`,
        };
      return done(await ask(`${issue(key)}/transitions`, { transition: { id: into.id } }));
    },
  };
}

type Transition = {
  readonly id?: string;
  readonly to?: { readonly statusCategory?: { readonly key?: string } };
};

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function done(answer: Answer<unknown>): Answer<null> {
  return answer.ok ? { ok: true, value: null } : answer;
}
