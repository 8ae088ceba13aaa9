import type { TrackedStatus } from '../../domain/task.ts';
import { readStatusWord, STATUS_WORDS, shown } from '../task-fields.ts';

/** A task of a JSON or YAML file as plain data. */
export type TaskEntry = Readonly<Record<string, unknown>>;

export const DONE_FLAGS = ['passes', 'completed', 'done', 'complete'] as const;
type DoneKey = (typeof DONE_FLAGS)[number] | 'status';

/** How a file says statuses, from all of its tasks; what one task lacks is added in the way of the others. */
export type StatusStyle = {
  readonly doneKey: DoneKey;
  /** `null`: nothing in the file can say blocked. */
  readonly blockedKey: 'status' | 'blocked' | null;
  /**
   * Keys that a task keeps when their value is nothing special (false, or an open status): some task has such a value, or
   * no task is without the key. Others are taken out, as they are missing from the tasks that are merely open.
   */
  readonly keptKeys: ReadonlySet<string>;
  /** The word that the file uses for a status, else its format; `null`: it has none. */
  readonly words: ReadonlyMap<TrackedStatus, string | null>;
};

/** How a format says what no task of a file says. */
export type StatusDefaults = Pick<StatusStyle, 'doneKey' | 'blockedKey'> & {
  readonly words?: Readonly<Partial<Record<TrackedStatus, string | null>>>;
};

/** One key of a task to set. `remove` takes it out again, or sets `value` where that would take more than the key. */
export type KeyChange = {
  readonly kind: 'set' | 'remove';
  readonly key: string;
  readonly value: boolean | string;
};

export function readStyle(entries: readonly TaskEntry[], defaults: StatusDefaults): StatusStyle {
  const uses = new Map<string, { count: number; plain: boolean }>();
  const words = new Map<TrackedStatus, string | null>();
  const use = (key: string, plain: boolean): void => {
    const known = uses.get(key) ?? { count: 0, plain: false };
    uses.set(key, { count: known.count + 1, plain: known.plain || plain });
  };
  for (const entry of entries) {
    for (const flag of [...DONE_FLAGS, 'blocked'] as const) {
      if (typeof entry[flag] === 'boolean') use(flag, entry[flag] === false);
    }
    const written = entry.status;
    if (typeof written !== 'string') continue;
    const status = readStatusWord(written);
    if (status !== null && !words.has(status)) words.set(status, written);
    use('status', status === 'open');
  }
  for (const [status, word] of Object.entries(defaults.words ?? {}))
    if (!words.has(status as TrackedStatus)) words.set(status as TrackedStatus, word);
  const keptKeys = new Set<string>();
  for (const [key, { count, plain }] of uses) {
    // A lone `blocked: true` is more likely one that ralph added than one that was false before.
    const everywhere = count === entries.length && (count > 1 || key !== 'blocked');
    if (plain || everywhere) keptKeys.add(key);
  }
  const doneKey =
    DONE_FLAGS.find((flag) => uses.has(flag)) ?? (uses.has('status') ? 'status' : defaults.doneKey);
  const ownBlocked = uses.has('blocked') ? 'blocked' : uses.has('status') ? 'status' : null;
  const mayAdd = uses.size === 0 || defaults.blockedKey === 'blocked';
  return { doneKey, blockedKey: ownBlocked ?? (mayAdd ? defaults.blockedKey : null), keptKeys, words };
}

/** A flag such as `passes` decides over the word in `status`; an unknown word leaves the task alone. */
export function readStatus(entry: TaskEntry): { status: TrackedStatus; problem: string | null } {
  const flag = DONE_FLAGS.find((key) => typeof entry[key] === 'boolean');
  const written = entry.status;
  const word = typeof written === 'string' && written.trim() !== '' ? readStatusWord(written) : undefined;
  const problem = word === null ? unknownWord(written) : null;
  if (flag !== undefined && entry[flag] === true) return { status: 'done', problem };
  if (entry.blocked === true || word === null) return { status: 'blocked', problem };
  if (word === 'done') return { status: flag === undefined ? 'done' : 'open', problem };
  return { status: word ?? 'open', problem };
}

function unknownWord(written: unknown): string {
  const known = Object.values(STATUS_WORDS).map(([first]) => first);
  return `status ${shown(written)} isn't known, so the task isn't worked on; use one of ${known.join(', ')}`;
}

/** Which keys of a task must change for a status; `null` when neither it nor its file can say it. */
export function planStatus(
  entry: TaskEntry,
  style: StatusStyle,
  status: TrackedStatus,
): readonly KeyChange[] | null {
  const ownFlags = DONE_FLAGS.filter((key) => typeof entry[key] === 'boolean');
  const hasWord = typeof entry.status === 'string';
  const hasBlocked = typeof entry.blocked === 'boolean';
  if (status === 'parked' || style.words.get(status) === null) return null;
  if (status === 'in_progress' && !hasWord && style.doneKey !== 'status') return null;
  if (status === 'blocked' && !hasWord && !hasBlocked && style.blockedKey === null) return null;

  const wanted = new Map<string, boolean | string>();
  for (const flag of ownFlags) wanted.set(flag, status === 'done');
  if (hasBlocked) wanted.set('blocked', status === 'blocked');
  const word = style.words.get(status) ?? STATUS_WORDS[status][0] ?? status;
  if (hasWord) wanted.set('status', word);
  else if (status === 'in_progress') wanted.set('status', word);
  if (status === 'done' && !hasWord && ownFlags.length === 0) {
    wanted.set(style.doneKey, style.doneKey === 'status' ? word : true);
  }
  if (status === 'blocked' && !hasWord && !hasBlocked) {
    const key = style.blockedKey ?? 'status';
    wanted.set(key, key === 'status' ? word : true);
  }

  const changes: KeyChange[] = [];
  for (const [key, value] of wanted) {
    const before = entry[key];
    if (before === value || (key === 'status' && readStatusWord(String(before)) === status)) continue;
    const saysNothing = value === false || (key === 'status' && status === 'open');
    changes.push({ kind: saysNothing && !style.keptKeys.has(key) ? 'remove' : 'set', key, value });
  }
  return changes;
}
