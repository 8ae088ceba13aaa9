import type * as z from 'zod/mini';
import { resolveDependencies } from '../dependencies.ts';
import { type Issue, serviceTask } from './issue-task.ts';
import type { Answer, Noticed, ServiceInput, ServiceTasks } from './protocol.ts';

/** A ticket outside of the list. A task that depends on it waits as long as it is open. */
type Blocker = { readonly id: string; readonly isDone: boolean };

type Ticket = Issue & {
  readonly priority: number | null;
  readonly blockers: readonly Blocker[];
};

/** Returns tasks from tickets in the service's form, in their order. */
export function tasksOf<T>(
  service: string,
  schema: z.ZodMiniType<T[]>,
  issues: unknown,
  input: ServiceInput,
  ticketOf: (issue: T) => Ticket,
): ServiceTasks {
  const read = readForm(schema, issues, `${service} answered`);
  if (!read.ok) return read;
  const noticed: Noticed = { problems: [], unread: [] };
  const tickets = read.value.map(ticketOf);
  const ids = new Set(tickets.map(({ id }) => id));
  const tasks = tickets.map(({ priority, blockers, ...ticket }) => {
    const task = serviceTask(ticket, input, noticed);
    const waits = blockers.filter((one) => ids.has(one.id) || !one.isDone).map(({ id }) => id);
    return {
      ...task,
      priority: task.priority ?? priority,
      dependsOn: [...new Set([...task.dependsOn, ...waits])],
    };
  });
  return { ok: true, tasks: resolveDependencies(tasks), ...noticed };
}

const BY_HAND = 'The tasks are issues of a service: add and change them there';

/** Members that all lists of tickets share. No account explains a closed ticket: an agent may have closed it with yours. */
export const TICKETS = { closedByOther: async () => null, byHand: BY_HAND } as const;

export function listName(service: string, key: string, label: string): string {
  return label === '' ? `${service} ${key}` : `${service} ${key} (${label})`;
}

/** Returns what a service answered, if it has the form of a schema. @param did What the service did, for the message. */
export function readForm<T>(schema: z.ZodMiniType<T>, answer: unknown, did: string): Answer<T> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the answer';
  return { ok: false, message: `${did} in a form that is not known: ${place}: ${issue?.message ?? ''}` };
}

export function withoutKey(service: string, variables: string): Answer<never> {
  return { ok: false, message: `${service} needs to know you: set ${variables} in the environment of ralph` };
}

/**
 * Returns the address without its path, and the key in it. API keys are only sent encrypted, except to this machine.
 */
export function placeOf(
  path: string,
  form: string,
): Answer<{ readonly origin: string; readonly key: string }> {
  const url = URL.canParse(path) ? new URL(path) : null;
  const key = /\/([A-Za-z][A-Za-z0-9_]*)(?:\/(?:active|all|backlog))?\/?$/.exec(url?.pathname ?? '')?.[1];
  const isLocal = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  if (url === null || key === undefined || !isSafe || url.username !== '')
    return { ok: false, message: `[tracker] path = "${path}" has to be the address of a list: ${form}` };
  return { ok: true, value: { origin: url.origin, key: key.toUpperCase() } };
}
