import type { TrackedStatus } from './task.ts';

/** Meaning of a status word. `given_up`: the task won't be done. */
export type Meaning = TrackedStatus | 'given_up';

/** Status words of a list. */
export type Words = {
  /** Meanings by word, without case, punctuation and kind of white space (`plainWord`). */
  readonly meanings: ReadonlyMap<string, Meaning>;
  /** The word to write for a status, if a configuration names one. */
  readonly written: Readonly<Partial<Record<TrackedStatus, string>>>;
};

/** Status words of a configuration, the preferred ones first: their meanings, and which of them are written. */
export type ConfiguredWords = {
  readonly meanings: Readonly<Record<string, Meaning>>;
  readonly written: Words['written'];
};

/** Words for each status. The first one is written. */
export const STATUS_WORDS: Readonly<Record<TrackedStatus, readonly string[]>> = {
  open: [
    ...['open', 'todo', 'to_do', 'pending', 'not_started', 'ready', 'new', 'backlog', 'planned'],
    ...['opened', 'reopened'],
  ],
  in_progress: ['in_progress', 'doing', 'started', 'active', 'wip', 'working', 'hooked'],
  done: ['done', 'completed', 'complete', 'closed', 'passed', 'finished'],
  blocked: ['blocked', 'stuck'],
  parked: ['parked', 'on_hold', 'waiting', 'awaiting_human', 'deferred', 'review', 'in_review', 'pinned'],
};

const GIVEN_UP = [
  ...['cancelled', 'canceled', 'tombstone', 'rejected', 'declined', 'removed', 'dropped', 'abandoned'],
  ...['discarded', 'obsolete', 'superseded', 'duplicate', 'invalid', 'not_planned', 'not_doing', 'wontdo'],
  ...['wont_do', 'will_not_do', 'wontfix', 'wont_fix', 'will_not_fix'],
];

/** The words that are known without configuration. */
export const BUILT_IN: Words = {
  meanings: new Map<string, Meaning>([
    ...Object.entries(STATUS_WORDS).flatMap(([status, words]) =>
      words.map((word): [string, Meaning] => [word, status as TrackedStatus]),
    ),
    ...GIVEN_UP.map((word): [string, Meaning] => [word, 'given_up']),
  ]),
  written: {},
};

/** Returns one form for all spellings of a word: `wont_do` for `Won't Do` and `wont-do`. */
function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[\s-]+/g, '_');
}

/** Returns the built-in words with those of configurations. The first configuration with a word decides. */
export function wordsWith(sources: readonly ConfiguredWords[]): Words {
  const meanings = new Map(BUILT_IN.meanings);
  let written: Words['written'] = {};
  for (const one of [...sources].reverse()) {
    for (const [word, meaning] of Object.entries(one.meanings)) meanings.set(plainWord(word), meaning);
    written = { ...written, ...one.written };
  }
  return sources.length === 0 ? BUILT_IN : { meanings, written };
}

/** Returns the meaning of a word; `null`: unknown. */
export function meaningOf(word: string, { meanings }: Words = BUILT_IN): Meaning | null {
  return meanings.get(word) ?? meanings.get(plainWord(word)) ?? null;
}

/** Returns whether a value is a word for a given-up task. */
export function isGivenUp(word: unknown, words: Words = BUILT_IN): boolean {
  return typeof word === 'string' && meaningOf(word, words) === 'given_up';
}

/**
 * Returns the words of a tool that configures an ordered list of statuses, whose last one means done. If that one is
 * known to mean something else, such as `Won't Do`, the last one before it means done.
 *
 * @param first Status of a new task; `null`: the first one.
 */
export function wordsInOrder(states: readonly string[], first: string | null): ConfiguredWords {
  const isFinal = (word: string) => (meaningOf(word) ?? 'done') === 'done';
  const done = states.findLast((word, at) => at > 0 && isFinal(word));
  const open = first !== null && states.includes(first) ? first : states[0];
  const started = states.find((word) => meaningOf(word) === 'in_progress');
  return {
    meanings: {
      ...(open === undefined ? {} : { [open]: 'open' }),
      ...(done === undefined ? {} : { [done]: 'done' }),
    },
    written: {
      ...(open === undefined ? {} : { open }),
      ...(started === undefined ? {} : { in_progress: started }),
      ...(done === undefined ? {} : { done }),
    },
  };
}

/** Words by meaning, as in `[tracker.states]`. The first word of each meaning is written. */
export type ConfiguredStates = Readonly<
  Partial<Record<'open' | 'in_progress' | 'done' | 'blocked' | 'waiting' | 'given_up', readonly string[]>>
>;

/** Returns the status words that you configured. */
export function wordsOfSettings(states: ConfiguredStates): ConfiguredWords {
  const lists = Object.entries(states).map(
    ([name, words]) => [name === 'waiting' ? 'parked' : (name as Meaning), words] as const,
  );
  return {
    meanings: Object.fromEntries(lists.flatMap(([meaning, words]) => words.map((word) => [word, meaning]))),
    written: Object.fromEntries(
      lists.flatMap(([meaning, [first]]) =>
        first === undefined || meaning === 'given_up' || meaning === 'parked' ? [] : [[meaning, first]],
      ),
    ),
  };
}
