import { MARKED_IN_TRACKER, selectBlocked, suggestStrategy } from '../../blocked/index.ts';
import { strategyFacts } from '../../decide/index.ts';
import type { StrategyFacts, Suggestion } from '../../domain/blocked.ts';
import { type TaskState, taskStateOf } from '../../domain/state.ts';
import type { Task } from '../../domain/task.ts';
import { secretsFromEnv } from '../../lib/redact.ts';
import { loadTasks } from '../../loop/index.ts';
import { levelsOf } from '../../timing/index.ts';
import { type CommandResult, type Failure, failure, success } from '../result.ts';
import { openWorkspace, type ProjectInput, type Workspace } from '../setup/project.ts';
import { blockedEntry } from './blocked-entry.ts';
import { waitingEntries } from './waiting-entries.ts';

export type BlockedEntry = {
  readonly task: Task;
  readonly state: TaskState;
  readonly reason: string;
  readonly facts: StrategyFacts;
  readonly suggestion: Suggestion;
};

type Tracker = Extract<Awaited<ReturnType<typeof loadTasks>>, { ok: true }>['tracker'];

export type OpenedBlocked = {
  readonly ok: true;
  readonly project: Workspace;
  readonly tracker: Tracker;
  /** With overlaid status. */
  readonly tasks: readonly Task[];
  readonly blocked: readonly BlockedEntry[];
};

/** The blocked tasks of a project, each with what can be done about it; those that ralph parked too where asked for. */
export async function openBlocked(
  input: ProjectInput,
  { parked = false }: { readonly parked?: boolean } = {},
): Promise<OpenedBlocked | Failure> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { project } = opened;
  const loaded = await loadTasks({ ports: project });
  if (!loaded.ok) return failure(loaded.message);
  const { tracker, tasks } = loaded;
  const { config, exists, store } = project;
  const options = { state: store.state, config, tracker: tracker.name, exists };
  const blocked = tasks
    .filter(({ id, status }) => status === 'blocked' || (parked && taskStateOf(store.state, id).parked))
    .map((task): BlockedEntry => {
      const state = taskStateOf(store.state, task.id);
      const facts = strategyFacts(task, options);
      const reason = state.parked ? 'parked' : (state.blocked?.reason ?? MARKED_IN_TRACKER);
      return { task, state, reason, facts, suggestion: suggestStrategy(facts) };
    });
  return { ok: true, project, tracker, tasks, blocked };
}

/** The entries that a filter names; a failure where it names none. */
export function filtered(
  { blocked, project }: OpenedBlocked,
  filter: string,
): { readonly ok: true; readonly entries: readonly BlockedEntry[] } | Failure {
  const levels = levelsOf(project.config.adaptive_timeout).map(({ name }) => name);
  const known = blocked.map(({ task, facts, reason }) => ({ id: task.id, level: facts.level, reason }));
  const ids = new Set(selectBlocked(filter, known, levels));
  if (ids.size > 0) return { ok: true, entries: blocked.filter(({ task }) => ids.has(task.id)) };
  return failure(
    `No blocked task matches ${JSON.stringify(filter)}: it is no level or reason of one, and no pattern of its id. ${blockedSaid(blocked)}`,
    'ralph blocked --suggest',
  );
}

/** Blocked ids that a message lists. */
const SHOWN = 20;

export function blockedSaid(blocked: readonly BlockedEntry[]): string {
  if (blocked.length === 0) return 'No task is blocked.';
  const named = blocked
    .slice(0, SHOWN)
    .map(({ task, reason, facts }) => `${task.id} (${reason}, ${facts.level})`);
  const more = blocked.length > SHOWN ? ` and ${blocked.length - SHOWN} more` : '';
  return `Blocked: ${named.join(', ')}${more}.`;
}

/** `ralph blocked --suggest`: the blocked tasks with their record and what to do about each. */
export async function blockedWithSuggestions(input: ProjectInput): Promise<CommandResult> {
  const opened = await openBlocked(input);
  if (!opened.ok) return opened;
  const secrets = secretsFromEnv(process.env);
  const entries = opened.blocked.map(({ task, state, facts, suggestion }) => ({
    ...blockedEntry(task, state, secrets),
    level: facts.level,
    suggestion: {
      strategy: suggestion.strategy,
      reason: suggestion.reason,
      first: suggestion.first,
      command: suggestion.command,
      timeout_seconds: suggestion.timeoutSeconds,
      agent: suggestion.agent,
    },
  }));
  return success({ blocked: entries, waiting: waitingEntries(opened.tasks) });
}
