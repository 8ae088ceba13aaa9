import type { Watched } from '../../../../src/app/commands/watch.ts';
import { emptyScreen, type Screen, withRepo } from '../../../../src/cli/screen/state.ts';
import { terminalWith } from '../../../../src/io/ui/index.ts';
import { wholeReport } from '../../../helpers/page/whole-report.ts';

export type TaskGiven = Watched['tasks'][number];
export type AttemptGiven = Watched['attempts'][number];

/** The moment at which these tests happen, in milliseconds since 1970. */
export const NOW = Date.parse('2030-01-31T06:00:00.000Z');
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

export function task(id: string, given: Partial<TaskGiven> = {}): TaskGiven {
  return {
    ...{ id, title: `Title of ${id}`, status: 'open', problem: null, acceptance: [], line: 3, waits_for: [] },
    ...{ tried: false, parked: false, open: null, tries: [] },
    ...{ kept: false, acceptable: false, asks: null, place: null, held: false, first: false },
    ...given,
  };
}

/** Returns the cause for which a task needs you. */
export function needs(why: string, given: Partial<NonNullable<TaskGiven['open']>> = {}): TaskGiven['open'] {
  return {
    ...{ id: '', title: '', status: 'blocked', group: 'you', why, failing: null, same_as: [] },
    ...{ work: { kind: 'none' }, next: 'ralph logs 4', waits_for: [], recovery: [] },
    ...given,
  };
}

export function attempt(task_id: string, given: Partial<AttemptGiven> = {}): AttemptGiven {
  return {
    ...{ worker: 1, task_id, iteration: 4, agent: 'claude', folder: '/x', title: `Title of ${task_id}` },
    ...{
      attempt: 1,
      max_attempts: 3,
      started_at: at(3),
      timeout_seconds: 600,
      words: null,
      calls: 0,
      phase: null,
    },
    ...{ last_calls: [], found: [] },
    ...given,
  };
}

export function request(id: string, task_id: string, given: Partial<Watched['requests'][number]> = {}) {
  return {
    id,
    task_id,
    at: at(5),
    deadline: null,
    gate: 'GATE-AP-RECOVERY' as const,
    signed: false,
    why: '2 tests removed',
    action: null,
    options: [],
    ...given,
  };
}

/** The report of a run whose process was killed. */
export const CUT_OFF: NonNullable<Watched['report']> = {
  ...wholeReport({ iterations: 1 }).report,
  ...{ ending: 'crashed', ended_with: null, headline: 'Cut off: the run was killed.' },
};

type Given = Partial<Omit<Watched, 'status'>> & { readonly status?: Partial<Watched['status']> };

/** Returns a repository as the screen reads it; `running`: a run is active. */
export function watched(tasks: readonly TaskGiven[], given: Given = {}, running = false): Watched {
  const count = (status: string) => tasks.filter((one) => one.status === status).length;
  const run = {
    ...{ run: 'r-1', agent: 'claude', mode: 'speed', started_at: at(125), iterations: 3, done: 1 },
    ...{ tokens: 41_000, cost_usd: 4.2, estimated_usd: 0, left_ms: 2 * 3_600_000 },
  };
  const { status, ...rest } = given;
  return {
    ...{ root: '/home/you/app', name: 'app', run: running ? run : null, attempts: [], requests: [] },
    ...{ incidents: [], fleet: null, report: null, list_path: '/home/you/app/.ralph/PRD.md' },
    tasks: [...tasks],
    ...rest,
    status: {
      ...{ tracker: '.ralph/PRD.md', current: null, others: [], next: null, incident: null, budget: null },
      ...{
        policy_stop: null,
        unfinished: [],
        not_committed: [],
        counts: '',
        commands: ['ralph run'],
        last_run: null,
      },
      ...{ last_attempt: null, unavailable: [], events: [], story: [], notices: [] },
      tasks: {
        ...{ total: tasks.length, done: count('done'), unverified: count('unverified') },
        ...{ blocked: count('blocked'), open: count('open') },
      },
      running: running ? { pid: 7, host: 'h', run: 'r-1', stopping: false, paused_since: null } : null,
      ...status,
    } as Watched['status'],
  };
}

/** Returns a screen that shows these repositories. */
export function screenOf(data: Watched | readonly Watched[], given: Partial<Screen> = {}): Screen {
  const all = [data].flat() as Watched[];
  const screen = emptyScreen(all.map(({ root, name }) => ({ dir: root, name })));
  const read = all.reduce((one, data, index) => withRepo(one, index, { data }), screen);
  return { ...read, columns: 100, rows: 30, now: NOW, ...given };
}

/** Terminals without colours. */
export const plain = (width: number) => terminalWith({ live: true, color: false, width });
