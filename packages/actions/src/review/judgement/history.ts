import { type Action, isReadKind } from 'ralph-kit/actions/action';
import { readsOnly } from '../../effects/index.ts';

/** Earlier requests for the same action. */
export type Earlier = {
  readonly times: number;
  /** Failures since something else last changed. */
  readonly failures: number;
  /** `ReviewHistory.changes` at the last request. */
  readonly at: number;
  readonly blocked: boolean;
};

/** Keeps the newest entries cheaply: `newer` fills up and replaces `older` as a whole. */
type Recent<T> = { readonly newer: ReadonlyMap<string, T>; readonly older: ReadonlyMap<string, T> };

/** The earlier actions of an attempt, as far as rulings depend on them. Bounded; the newest entries stay. */
export type ReviewHistory = {
  readonly earlier: Recent<Earlier>;
  /** Kinds of action (`signatureOf`) that were allowed before. */
  readonly kinds: ReadonlySet<string>;
  /** Number of actions so far that may have changed something. */
  readonly changes: number;
  /** Files changed since the last gate run, by the names that actions gave them. */
  readonly sinceGate: ReadonlySet<string>;
};

export const NO_HISTORY: ReviewHistory = {
  earlier: { newer: new Map(), older: new Map() },
  kinds: new Set(),
  changes: 0,
  sinceGate: new Set(),
};

const REMEMBERED = 100;

/** Characters of a text in a key; a longer one is represented by its ends and its length. */
const LONGEST_TEXT = 2000;

/** Returns the same key for equal calls. Very long texts may share a key although they differ. */
export function actionKey({ tool, kind, command, paths, content, network, cwd }: Action): string {
  const named = paths.slice(0, 20);
  const texts = content.slice(0, 5).map(shortKey);
  return JSON.stringify([tool, kind, shortKey(command?.trim() ?? ''), named, texts, network, cwd]);
}

export function isWholeKey({ command, paths, content }: Action): boolean {
  return (command?.length ?? 0) <= LONGEST_TEXT && paths.length <= 20 && content.length === 0;
}

function shortKey(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.length} ${text.slice(0, half)} ${text.slice(-half)}`;
}

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

export function withResult(history: ReviewHistory, key: string, ok: boolean): ReviewHistory {
  const before = earlierOf(history, key);
  if (before === null || (ok && before.failures === 0)) return history;
  const entry = { ...before, failures: ok ? 0 : before.failures + 1 };
  return { ...history, earlier: withEntry(history.earlier, key, entry) };
}

export function isUnchangedSince({ changes }: ReviewHistory, { at }: Earlier): boolean {
  return changes === at;
}

export function isFirst({ earlier }: ReviewHistory): boolean {
  return earlier.newer.size === 0;
}

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
