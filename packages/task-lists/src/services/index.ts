import type { Service } from '../formats.ts';
import { openGithub } from './github.ts';
import { openJira } from './jira.ts';
import { openLinear } from './linear.ts';
import type { Answer, IssueList, ListPlace, OpenList, ServiceTasks, World } from './protocol.ts';

export type { Answer } from './protocol.ts';

const SERVICES: Readonly<Record<Service, OpenList>> = {
  github: openGithub,
  jira: openJira,
  linear: openLinear,
};

export type OpenedList = Omit<IssueList, 'list' | 'read' | 'account'> & {
  /** Asks the service for its issues. */
  readonly load: () => Promise<ServiceTasks>;
};

/**
 * Opens the list of a service, and asks for nothing yet.
 *
 * @param programs Names of programs that begin a command (`ReaderInput`).
 */
export function openService(
  kind: Service,
  place: ListPlace,
  world: World,
  programs: readonly string[],
): Answer<OpenedList> {
  const opened = SERVICES[kind](place, world);
  if (!opened.ok) return opened;
  const { list, read, account, ...others } = opened.value;
  let asked: Promise<string | null> | null = null;
  const load = async (): Promise<ServiceTasks> => {
    const listed = await list();
    if (!listed.ok) return listed;
    const tasks = read(listed.value, { me: null, programs });
    if (!tasks.ok || !tasks.tasks.some(({ assignee, status }) => assignee !== null && status !== 'done'))
      return tasks;
    // The account in use is asked for once, and only if an issue has an assignee.
    asked ??= account();
    const me = await asked;
    return me === null ? tasks : read(listed.value, { me, programs });
  };
  return { ok: true, value: { ...others, load } };
}
