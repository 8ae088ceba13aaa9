import { type Action, isReadKind } from '../../../lib/actions/action.ts';
import { readsOnly } from '../../effects/index.ts';

/** What is known of one action that was asked for before, whatever its number. */
export type Earlier = {
  readonly times: number;
  /** How often it failed since something else changed. */
  readonly failures: number;
  /** `ReviewHistory.changes` when it was last asked for. */
  readonly at: number;
  readonly blocked: boolean;
};

/** The newest of many entries: `newer` fills up and becomes `older`, so that an entry more costs little. */
type Recent<T> = { readonly newer: ReadonlyMap<string, T>; readonly older: ReadonlyMap<string, T> };

/** What an attempt did so far, as far as rulings depend on it. Bounded; the newest stays. */
export type ReviewHistory = {
  readonly earlier: Recent<Earlier>;
  /** Kinds of action (`signatureOf`) that were allowed before. */
  readonly kinds: ReadonlySet<string>;
  /** Actions so far that may have changed something. */
  readonly changes: number;
  /** Files that were changed since a gate ran, by the names that actions gave them. */
  readonly sinceGate: ReadonlySet<string>;
};

export const NO_HISTORY: ReviewHistory = {
  earlier: { newer: new Map(), older: new Map() },
  kinds: new Set(),
  changes: 0,
  sinceGate: new Set(),
};

/** Different actions, kinds and files that are remembered at least. */
const REMEMBERED = 100;

/** Of longer texts both ends and the length count. */
const LONGEST_TEXT = 2000;

/** The same for equal calls, whatever their number. Of very long texts not every difference is seen. */
export function actionKey({ tool, kind, command, paths, content, network, cwd }: Action): string {
  const named = paths.slice(0, 20);
  const texts = content.slice(0, 5).map(shortKey);
  return JSON.stringify([tool, kind, shortKey(command?.trim() ?? ''), named, texts, network, cwd]);
}

/** Whether `actionKey` holds all of an action. */
export function isWholeKey({ command, paths, content }: Action): boolean {
  return (command?.length ?? 0) <= LONGEST_TEXT && paths.length <= 20 && content.length === 0;
}

function shortKey(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.length} ${text.slice(0, half)} ${text.slice(-half)}`;
}

/** Whether an action surely changes nothing. */
export function isReadOnly(action: Action): boolean {
  if (action.kind === 'system_command') return action.command !== null && readsOnly(action.command);
  return isReadKind(action);
}

type Judged = {
  readonly action: Action;
  readonly key: string;
  readonly signature: string;
  readonly blocked: boolean;
  readonly gates: readonly string[];
};

/** The history with an action that was ruled on. */
export function withAction(history: ReviewHistory, judged: Judged): ReviewHistory {
  const { action, key, signature, blocked, gates } = judged;
  const changes = history.changes + (blocked || isReadOnly(action) ? 0 : 1);
  const before = earlierOf(history, key);
  const same = before !== null && isUnchangedSince(history, before);
  const entry: Earlier = {
    times: (before?.times ?? 0) + 1,
    failures: same ? before.failures : 0,
    at: changes,
    blocked,
  };
  const isGate = action.command !== null && gates.includes(action.command.trim());
  const changed = blocked
    ? []
    : action.paths.flatMap(({ path, change }) => (change === 'read' ? [] : [path]));
  return {
    earlier: withEntry(history.earlier, key, entry),
    kinds: blocked || history.kinds.has(signature) ? history.kinds : added(history.kinds, [signature]),
    changes,
    sinceGate: isGate ? NO_HISTORY.sinceGate : added(history.sinceGate, changed),
  };
}

/** The history with how an action ended. */
export function withResult(history: ReviewHistory, key: string, ok: boolean): ReviewHistory {
  const before = earlierOf(history, key);
  if (before === null || (ok && before.failures === 0)) return history;
  const entry = { ...before, failures: ok ? 0 : before.failures + 1 };
  return { ...history, earlier: withEntry(history.earlier, key, entry) };
}

/** Whether nothing but the action itself was done since. */
export function isUnchangedSince({ changes }: ReviewHistory, { at }: Earlier): boolean {
  return changes === at;
}

/** Whether nothing was asked for before. */
export function isFirst({ earlier }: ReviewHistory): boolean {
  return earlier.newer.size === 0;
}

/** What is known of an action from before. */
export function earlierOf({ earlier: { newer, older } }: ReviewHistory, key: string): Earlier | null {
  return newer.get(key) ?? older.get(key) ?? null;
}

function withEntry({ newer, older }: Recent<Earlier>, key: string, entry: Earlier): Recent<Earlier> {
  if (newer.size < REMEMBERED || newer.has(key)) return { newer: new Map(newer).set(key, entry), older };
  return { newer: new Map([[key, entry]]), older: newer };
}

function added(set: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
  const missing = names.filter((name) => !set.has(name));
  if (missing.length === 0) return set;
  return new Set([...set, ...missing].slice(-REMEMBERED));
}
