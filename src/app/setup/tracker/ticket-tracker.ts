import {
  JIRA_FIELDS,
  type Service,
  type ServiceInput,
  type ServiceTasks,
  tasksFromJira,
  tasksFromLinear,
} from 'ralph-task-lists';

import type { Config } from '../../../domain/config.ts';
import type { Store, Tracker } from '../../../domain/ports.ts';
import type { Answer } from '../../../io/tracker/ask-service.ts';
import { jiraClient } from '../../../io/tracker/jira.ts';
import { linearClient } from '../../../io/tracker/linear.ts';
import type { TicketClient } from '../../../io/tracker/ticket-client.ts';
import { type IssueService, openServiceTracker } from './service-tracker.ts';

type Kind = Exclude<Service, 'github'>;

type Opened = {
  readonly client: TicketClient;
  readonly name: string;
  readonly read: (issues: readonly unknown[], input: ServiceInput) => ServiceTasks;
};

/** Opens a tracker whose tasks are issues of Jira or Linear (ADR 80). */
export function openTicketTracker(kind: Kind, store: Store, config: Config['tracker']): Tracker {
  const opened = kind === 'jira' ? openJira(config, process.env) : openLinear(config, process.env);
  const service: IssueService<string> = {
    kind,
    name: opened.ok ? opened.value.name : '',
    list: async () => (opened.ok ? opened.value.client.list() : opened),
    read: (listed, input) => (opened.ok ? opened.value.read(listed as readonly unknown[], input) : opened),
    account: async () => (opened.ok ? opened.value.client.account() : null),
    issueOf: (taskId) => (opened.ok ? { ok: true, value: taskId } : opened),
    comment: async (key, text) => (opened.ok ? opened.value.client.comment(key, text) : opened),
    close: async (key) => (opened.ok ? opened.value.client.close(key) : opened),
    // An agent may have closed the issue with your account, so a closed issue waits for a verdict or your acceptance.
    explain: async () => [],
    byHand: 'The tasks are issues of a service: add and change them there',
  };
  return openServiceTracker(service, store, config);
}

/** Opens Jira. `[tracker] path` is the address of the project: `https://SITE.atlassian.net/browse/KEY`. */
function openJira({ path, label }: Config['tracker'], env: NodeJS.ProcessEnv): Answer<Opened> {
  const place = placeOf(path, 'https://SITE.atlassian.net/browse/KEY');
  if (!place.ok) return place;
  const { JIRA_TOKEN: token = '', JIRA_EMAIL: email = '' } = env;
  if (token === '') return missing('Jira', 'JIRA_TOKEN (and JIRA_EMAIL, for a site of Atlassian)');
  const { origin, key: project } = place.value;
  const pair = Buffer.from(`${email}:${token}`).toString('base64');
  const authorization = email === '' ? `Bearer ${token}` : `Basic ${pair}`;
  const service = { name: 'Jira', authorization, variables: 'JIRA_EMAIL and JIRA_TOKEN' };
  const client = jiraClient(service, origin, { project, label, fields: JIRA_FIELDS });
  return { ok: true, value: { client, name: named('Jira', project, label), read: tasksFromJira } };
}

/** Opens Linear. `[tracker] path` is the address of the team: `https://linear.app/WORKSPACE/team/KEY`. */
function openLinear({ path, label }: Config['tracker'], env: NodeJS.ProcessEnv): Answer<Opened> {
  const place = placeOf(path, 'https://linear.app/WORKSPACE/team/KEY');
  if (!place.ok) return place;
  const { LINEAR_API_KEY: authorization = '' } = env;
  if (authorization === '') return missing('Linear', 'LINEAR_API_KEY');
  const { origin, key: team } = place.value;
  const address = `${origin === 'https://linear.app' ? 'https://api.linear.app' : origin}/graphql`;
  const client = linearClient({ name: 'Linear', authorization, variables: 'LINEAR_API_KEY' }, address, {
    team,
    label,
  });
  return { ok: true, value: { client, name: named('Linear', team, label), read: tasksFromLinear } };
}

function named(service: string, key: string, label: string): string {
  return label === '' ? `${service} ${key}` : `${service} ${key} (${label})`;
}

function missing(service: string, variables: string): Answer<never> {
  return { ok: false, message: `${service} needs to know you: set ${variables} in the environment of ralph` };
}

/**
 * Returns the address without its path, and the key in it. API keys are only sent encrypted, except to this machine.
 */
function placeOf(path: string, form: string): Answer<{ readonly origin: string; readonly key: string }> {
  const url = URL.canParse(path) ? new URL(path) : null;
  const key = /\/([A-Za-z][A-Za-z0-9_]*)(?:\/(?:active|all|backlog))?\/?$/.exec(url?.pathname ?? '')?.[1];
  const isLocal = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  if (url === null || key === undefined || !isSafe || url.username !== '')
    return { ok: false, message: `[tracker] path = "${path}" has to be the address of a list: ${form}` };
  return { ok: true, value: { origin: url.origin, key: key.toUpperCase() } };
}
