import type { Task, TrackedStatus } from '../task.ts';
import { BUILT_IN, meaningOf, STATUS_WORDS, type Words } from '../words.ts';

/** A task of a JSON or YAML file as plain data. */
export type TaskEntry = Readonly<Record<string, unknown>>;

export const DONE_FLAGS = ['passes', 'completed', 'done', 'complete'] as const;
/**
 * Returns the key with an entry's status word: `status`, otherwise `state`, as in issues of GitHub and GitLab, if it has
 * a known word.
 */
function wordKey({ status, state }: TaskEntry, known: Words): 'status' | 'state' {
  const isState = typeof status !== 'string' && typeof state === 'string' && meaningOf(state, known) !== null;
  return isState ? 'state' : 'status';
}

type DoneKey = (typeof DONE_FLAGS)[number] | 'status';

/**
 * How a file writes statuses, found from all of its tasks. A task without a status key gets one in the style of the
 * others.
 */
export type StatusStyle = {
  readonly doneKey: DoneKey;
  /** Key that marks blocked tasks; `null`: the file has no such key. */
  readonly blockedKey: 'status' | 'blocked' | null;
  /**
   * Keys that a task keeps even for an ordinary value (false, or an open status): some task has the key with such a
   * value, or all tasks have the key. Other keys are removed instead, because open tasks of the file lack them.
   */
  readonly keptKeys: ReadonlySet<string>;
  /** Word for each status in the file, otherwise in its format; `null`: there is none. */
  readonly words: ReadonlyMap<TrackedStatus, string | null>;
  /** Meanings of the status words in this list. */
  readonly known: Words;
};

/** Keys of a format for statuses that no task of a file has yet. */
export type StatusDefaults = Pick<StatusStyle, 'doneKey' | 'blockedKey'> & {
  readonly words?: Readonly<Partial<Record<TrackedStatus, string | null>>>;
};

/**
 * A key of a task to set. `remove`: removes the key; if that would remove more than the key, `value` is set instead.
 */
export type KeyChange = {
  readonly kind: 'set' | 'remove';
  readonly key: string;
  readonly value: boolean | string;
};

export function readStyle(
  entries: readonly TaskEntry[],
  defaults: StatusDefaults,
  knownWords: Words,
): StatusStyle {
  const uses = new Map<string, { count: number; plain: boolean }>();
  // A configured word is written even if the list has another word for the status.
  const words = new Map<TrackedStatus, string | null>(
    Object.entries(knownWords.written) as [TrackedStatus, string][],
  );
  const use = (key: string, plain: boolean): void => {
    const before = uses.get(key) ?? { count: 0, plain: false };
    uses.set(key, { count: before.count + 1, plain: before.plain || plain });
  };
  for (const entry of entries) {
    for (const flag of [...DONE_FLAGS, 'blocked'] as const) {
      if (typeof entry[flag] === 'boolean') use(flag, entry[flag] === false);
    }
    const key = wordKey(entry, knownWords);
    const written = entry[key];
    if (typeof written !== 'string') continue;
    const status = meaningOf(written, knownWords);
    if (status !== null && status !== 'given_up' && !words.has(status)) words.set(status, written);
    use(key, status === 'open');
  }
  for (const [status, word] of Object.entries(defaults.words ?? {}))
    if (!words.has(status as TrackedStatus)) words.set(status as TrackedStatus, word);
  const keptKeys = new Set<string>();
  for (const [key, { count, plain }] of uses) {
    // A single `blocked: true` was probably added by ralph, instead of being false before.
    const everywhere = count === entries.length && (count > 1 || key !== 'blocked');
    if (plain || everywhere) keptKeys.add(key);
  }
  const doneKey =
    DONE_FLAGS.find((flag) => uses.has(flag)) ?? (uses.has('status') ? 'status' : defaults.doneKey);
  const ownBlocked = uses.has('blocked') ? 'blocked' : uses.has('status') ? 'status' : null;
  const mayAdd = uses.size === 0 || defaults.blockedKey === 'blocked';
  const blockedKey = ownBlocked ?? (mayAdd ? defaults.blockedKey : null);
  return { doneKey, blockedKey, keptKeys, words, known: knownWords };
}

/**
 * Key under which a reader keeps what an entry waits for that isn't a task. Conversions use it as a name for the loss.
 */
export const HELD_BY = 'dependencies that are not tasks';

/** Status of an entry. `left`: why the task isn't started, if that follows from its status word; otherwise `null`. */
export type ReadStatus = { readonly status: TrackedStatus | 'given_up'; readonly left: Task['left'] };

/**
 * Returns an entry's status. A flag such as `passes` overrides the word in `status`; a task with an unknown word isn't
 * started.
 */
export function readStatus(entry: TaskEntry, known: Words = BUILT_IN): ReadStatus {
  const flag = DONE_FLAGS.find((key) => typeof entry[key] === 'boolean');
  const written = entry[wordKey(entry, known)];
  const word = typeof written === 'string' ? written.trim() : '';
  const meaning = word === '' ? undefined : meaningOf(word, known);
  if (flag !== undefined && entry[flag] === true) return { status: 'done', left: null };
  if (entry.blocked === true) return { status: 'blocked', left: null };
  if (meaning === null) return { status: 'parked', left: { kind: 'unknown_word', of: word } };
  if (meaning === 'parked') return { status: 'parked', left: { kind: 'word', of: word } };
  if (typeof entry[HELD_BY] === 'string' && meaning !== 'done' && meaning !== 'blocked')
    return { status: 'parked', left: { kind: 'held', of: entry[HELD_BY] } };
  if (meaning === 'done') return { status: flag === undefined ? 'done' : 'open', left: null };
  return { status: meaning ?? 'open', left: null };
}

/** Returns the keys of a task to change for a status; `null`: neither the task nor its file can hold this status. */
export function planStatus(
  entry: TaskEntry,
  style: StatusStyle,
  status: TrackedStatus,
): readonly KeyChange[] | null {
  const ownFlags = DONE_FLAGS.filter((key) => typeof entry[key] === 'boolean');
  const wordAt = wordKey(entry, style.known);
  const hasWord = typeof entry[wordAt] === 'string';
  const hasBlocked = typeof entry.blocked === 'boolean';
  if (status === 'parked' || style.words.get(status) === null) return null;
  if (status === 'in_progress' && !hasWord && style.doneKey !== 'status') return null;
  if (status === 'blocked' && !hasWord && !hasBlocked && style.blockedKey === null) return null;

  const wanted = new Map<string, boolean | string>();
  for (const flag of ownFlags) wanted.set(flag, status === 'done');
  if (hasBlocked) wanted.set('blocked', status === 'blocked');
  const closes = wordAt === 'state' && status === 'done';
  const word = style.words.get(status) ?? (closes ? 'closed' : STATUS_WORDS[status][0]) ?? status;
  if (hasWord) wanted.set(wordAt, word);
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
    if (before === value || (key === wordAt && meaningOf(String(before), style.known) === status)) continue;
    const saysNothing = value === false || (key === wordAt && status === 'open');
    changes.push({ kind: saysNothing && !style.keptKeys.has(key) ? 'remove' : 'set', key, value });
  }
  return changes;
}
