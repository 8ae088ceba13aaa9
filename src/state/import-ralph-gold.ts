import { counted } from 'ralph-kit/counted';
import { own } from 'ralph-kit/own';
import { firstFew } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { IMPORTED_RUN } from '../domain/records/journal.ts';
import {
  type AttemptSummary,
  type BlockReason,
  EMPTY_TASK_STATE,
  type State,
} from '../domain/records/state.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { MAX_ATTEMPTS_PER_SERIES, setOwn } from './draft.ts';

const HistoryEntry = z.looseObject({
  ts: z.optional(z.string()),
  iteration: z.optional(z.number()),
  agent: z.optional(z.string()),
  /** Id of the story; `null`: the iteration has no task. */
  story_id: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  duration_seconds: z.optional(z.nullable(z.number())),
  return_code: z.optional(z.nullable(z.number())),
  timed_out: z.optional(z.nullable(z.boolean())),
  gates_ok: z.optional(z.nullable(z.boolean())),
  exit_signal_raw: z.optional(z.nullable(z.boolean())),
  exit_signal_effective: z.optional(z.nullable(z.boolean())),
  changed_files: z.optional(z.array(z.string())),
});
type HistoryEntry = z.infer<typeof HistoryEntry>;

const AttemptCount = z.union([z.number(), z.looseObject({ count: z.number() })]);

const BlockedEntry = z.looseObject({
  reason: z.optional(z.string()),
  blocked_at: z.optional(z.string()),
});

/**
 * Imports `history`, `task_attempts` and `blocked_tasks` of ralph-gold's `state.json`. Missing or malformed parts are
 * left out.
 * @param taskIds In the order of the task file, because ralph-gold calls the third task of a Markdown list "3"
 * @returns a sentence for the screen; `null`: nothing was imported
 */
export function importRalphGoldState(
  state: State,
  data: Record<string, unknown>,
  taskIds: readonly string[],
): string | null {
  const idOf = taskNames(taskIds);
  const history = (Array.isArray(data.history) ? data.history : []).flatMap((item) => {
    const entry = HistoryEntry.safeParse(item);
    return entry.success ? [entry.data] : [];
  });
  const counts = objectEntries(data.task_attempts);
  const blocked = objectEntries(data.blocked_tasks);
  state.counters.iteration = history.reduce((max, entry) => Math.max(max, entry.iteration ?? 0), 0);

  let attempts = 0;
  for (const [id, value] of counts) {
    const parsed = AttemptCount.safeParse(value);
    if (!parsed.success) continue;
    const count = Math.trunc(typeof parsed.data === 'number' ? parsed.data : parsed.data.count);
    const series = seriesOf(id, Math.min(count, MAX_ATTEMPTS_PER_SERIES), history);
    if (series.length === 0) continue;
    attempts += series.length;
    setOwn(state.tasks, idOf(id), { ...EMPTY_TASK_STATE, attempts: series });
  }
  let blockedCount = 0;
  for (const [id, value] of blocked) {
    const parsed = BlockedEntry.safeParse(value);
    if (!parsed.success) continue;
    const task = own(state.tasks, idOf(id)) ?? EMPTY_TASK_STATE;
    const last = task.attempts.at(-1);
    setOwn(state.tasks, idOf(id), {
      ...task,
      blocked: {
        reason: blockReason(parsed.data.reason ?? '', last),
        detail: parsed.data.reason ?? 'blocked by ralph-gold',
        at: isoTime(parsed.data.blocked_at) ?? last?.startedAt ?? UNKNOWN_TIME,
        run: IMPORTED_RUN,
        iteration: last?.iteration ?? 0,
        attempts: task.attempts,
        outputTail: '',
        failedGateTail: '',
      },
    });
    blockedCount += 1;
  }
  if (attempts === 0 && blockedCount === 0 && history.length === 0) return null;
  const taken = `${counted(attempts, 'attempt')} and ${counted(blockedCount, 'blocked task')}`;
  return `${taken} taken over from ralph-gold, last iteration ${state.counters.iteration}`;
}

const Permissions = z.looseObject({
  permissions: z.array(z.looseObject({ pattern: z.string(), allow_write: z.optional(z.boolean()) })),
});

/** Returns a note about ralph-gold's `permissions.json`, which has no equivalent here; `null`: it has no pattern. */
export function unusedPermissions(data: Record<string, unknown>): string | null {
  const read = Permissions.safeParse(data);
  if (!read.success || read.data.permissions.length === 0) return null;
  const { permissions } = read.data;
  const forbidden = permissions.filter((one) => one.allow_write === false).map(({ pattern }) => pattern);
  const count = counted(permissions.length, 'pattern');
  if (forbidden.length === 0) return `not used; it has ${count}, none of them forbids writing`;
  const verb = forbidden.length === 1 ? 'forbids' : 'forbid';
  return `not used; it has ${count}, ${forbidden.length} of them ${verb} writing (${firstFew(forbidden)}). Forbid it by a rule of yours: [review.rules] custom_rules_path, docs/REVIEW_RULES.md`;
}

/**
 * Returns a function that turns ralph-gold's names into ids. An id in the task file stays; a number is a position in
 * the file.
 */
function taskNames(taskIds: readonly string[]): (id: string) => string {
  const known = new Set(taskIds);
  return (id) => (known.has(id) || !/^\d{1,9}$/.test(id) ? id : (taskIds[Number(id) - 1] ?? id));
}

const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

function objectEntries(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value);
}

/** Returns the attempts of a task. Attempts that the history no longer has count, too. */
function seriesOf(id: string, count: number, history: readonly HistoryEntry[]): AttemptSummary[] {
  if (!(count > 0)) return [];
  const known = history
    .filter((entry) => entry.story_id != null && String(entry.story_id) === id)
    .slice(-count);
  const forgotten = Array.from({ length: count - known.length }, () => attemptOf({ story_id: id }));
  return [...forgotten, ...known.map(attemptOf)];
}

function attemptOf(entry: HistoryEntry): AttemptSummary {
  return {
    run: IMPORTED_RUN,
    iteration: entry.iteration ?? 0,
    agent: entry.agent ?? '',
    mode: '',
    startedAt: isoTime(entry.ts) ?? UNKNOWN_TIME,
    durationMs: Math.max(0, (entry.duration_seconds ?? 0) * 1000),
    timeoutSeconds: 0,
    verdict: verdictOf(entry),
    cause: 'taken over from ralph-gold',
    filesChanged: entry.changed_files?.length ?? 0,
    active: false,
    failedGates: [],
    missingTools: [],
    failing: null,
    tree: '',
    before: '',
    findings: [],
    bent: false,
    resources: null,
    model: null,
    session: null,
  };
}

function verdictOf(entry: HistoryEntry): VerdictKind {
  if (entry.timed_out === true) return 'timed_out';
  if ((entry.return_code ?? 1) !== 0) return 'agent_error';
  if (entry.gates_ok === false) return 'gates_failed';
  if (entry.exit_signal_raw === true && entry.exit_signal_effective === false) return 'false_completion';
  if (entry.changed_files?.length === 0) return 'no_files';
  return 'progress';
}

const REASONS: Readonly<Partial<Record<VerdictKind, BlockReason>>> = {
  timed_out: 'timeout',
  no_files: 'no_files',
  gates_failed: 'gate_failed',
  false_completion: 'false_completion',
};

function blockReason(text: string, last: AttemptSummary | undefined): BlockReason {
  const lower = text.toLowerCase();
  if (/time[d_ -]*out/.test(lower)) return 'timeout';
  if (/no[_ -]files/.test(lower)) return 'no_files';
  if (lower.includes('gate')) return 'gate_failed';
  if (lower.includes('depend')) return 'dependency_blocked';
  return REASONS[last?.verdict ?? 'agent_error'] ?? 'agent_error';
}

/** Reads `20260115T234513Z` and ISO 8601, and returns ISO 8601 UTC; `null` for other text. */
function isoTime(text: string | undefined): string | null {
  if (text === undefined) return null;
  const compact = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  if (compact) {
    const [, year, month, day, hour, minute, second] = compact;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  }
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
