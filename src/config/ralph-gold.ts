import { BUILT_IN_MODES } from '../domain/config.ts';
import type { KeyIssue } from './check-shape.ts';
import type { KeyPath, Table } from './key-path.ts';
import {
  formatKey,
  isTable,
  leaves,
  nearestEntry,
  showKey,
  valueAt,
  withoutValue,
  withValue,
} from './key-path.ts';
import { parseToml } from './parse-toml.ts';
import {
  type Convert,
  IGNORED_KEYS,
  MOVED_KEYS,
  NEVER_BLOCK,
  RENAMED_VALUES,
  same,
} from './ralph-gold-keys.ts';

export type Translation = {
  readonly table: Table;
  /** The path under which a key of the new table stands in the file. */
  readonly writtenAs: (path: KeyPath) => KeyPath;
  /** What was left out or doesn't mean quite the same; `path` as in the file. */
  readonly notes: readonly KeyIssue[];
  /** Keys under their path in the file, and in the new table. */
  readonly moved: readonly { readonly from: KeyPath; readonly to: KeyPath }[];
};

/**
 * The settings of an existing ralph-gold project in the terms of this program, so that it opens as it is (spec
 * 1-loop, Tasks). Keys that neither knows stay where they are, for the check that follows.
 */
export function fromRalphGold(table: Table): Translation {
  const draft: Draft = { table, moved: new Map(), notes: [] };
  for (const { from, to, convert } of MOVED_KEYS) move(draft, from, to, convert);
  moveModes(draft);
  renameValues(draft);
  neverBlock(draft);
  dropIgnored(draft);
  return {
    table: draft.table,
    writtenAs: (path) => writtenAs(draft.moved, path),
    notes: draft.notes,
    moved: leaves(draft.table).flatMap(({ path: to }) => {
      const from = draft.moved.get(formatKey(to));
      return from === undefined ? [] : [{ from, to }];
    }),
  };
}

export type RalphGoldReport = {
  /** Each key as it is written in the file, and what it is here. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** What ralph doesn't have or what means something else, as messages. */
  readonly ignored: readonly string[];
};

/** The part of a configuration file that has ralph-gold's spelling; empty for text that isn't TOML. */
export function ralphGoldReport(text: string): RalphGoldReport {
  const parsed = parseToml('', text);
  if (!parsed.ok) return { moved: [], ignored: [] };
  const { moved, notes } = fromRalphGold(parsed.table);
  return {
    moved: moved.map(({ from, to }) => ({ from: showKey(from), to: showKey(to) })),
    ignored: notes.map(({ message }) => message),
  };
}

type Draft = { table: Table; readonly moved: Map<string, KeyPath>; readonly notes: KeyIssue[] };

function writtenAs(moved: ReadonlyMap<string, KeyPath>, path: KeyPath): KeyPath {
  const old = nearestEntry(moved, path);
  return old === null ? path : [...old.entry, ...old.rest];
}

function move(draft: Draft, from: KeyPath, to: KeyPath, convert: Convert): void {
  const value = valueAt(draft.table, from);
  if (value === undefined) return;
  const converted = convert(value, draft.table);
  draft.table = withoutValue(draft.table, from);
  if (converted === undefined) return;
  if (valueAt(draft.table, to) !== undefined) {
    draft.notes.push({ path: from, message: `${showKey(from)} is ignored, because ${showKey(to)} is set` });
    return;
  }
  draft.moved.set(formatKey(to), writtenAs(draft.moved, from));
  draft.table = withValue(draft.table, to, converted);
}

/** `[loop.modes.NAME]` is `[modes.NAME]` here, and `runner_timeout_seconds` its `timeout`. */
function moveModes(draft: Draft): void {
  const old = valueAt(draft.table, ['loop', 'modes']);
  if (isTable(old)) {
    for (const { path } of leaves(old)) move(draft, ['loop', 'modes', ...path], ['modes', ...path], same);
  }
  const modes = valueAt(draft.table, ['modes']);
  const names = isTable(modes) ? Object.keys(modes) : [];
  for (const name of names) {
    move(draft, ['modes', name, 'runner_timeout_seconds'], ['modes', name, 'timeout'], same);
  }
  spreadTimeout(draft, [...new Set([...Object.keys(BUILT_IN_MODES), ...names])]);
}

/** `[loop] runner_timeout_seconds` holds for every mode of the file that has no timeout of its own. */
function spreadTimeout(draft: Draft, modes: readonly string[]): void {
  const from = ['loop', 'runner_timeout_seconds'];
  const seconds = valueAt(draft.table, from);
  if (seconds === undefined) return;
  draft.table = withoutValue(draft.table, from);
  for (const name of modes) {
    const to = ['modes', name, 'timeout'];
    const mode = valueAt(draft.table, ['modes', name]);
    if (valueAt(draft.table, to) !== undefined || (mode !== undefined && !isTable(mode))) continue;
    draft.moved.set(formatKey(to), from);
    draft.table = withValue(draft.table, to, seconds);
  }
}

function renameValues(draft: Draft): void {
  for (const { path, from, to, note } of RENAMED_VALUES) {
    if (valueAt(draft.table, path) !== from) continue;
    draft.table = withValue(draft.table, path, to);
    if (note !== null) draft.notes.push({ path, message: `${showKey(path)}: ${note}` });
  }
}

/** `max_attempts_per_task = 0`: no number of failed attempts blocks a task. */
function neverBlock(draft: Draft): void {
  const modes = valueAt(draft.table, ['modes']);
  const names = isTable(modes) ? Object.keys(modes) : [];
  for (const above of [['loop'], ...names.map((name) => ['modes', name])]) {
    const path = [...above, 'max_attempts_per_task'];
    if (valueAt(draft.table, path) === 0) draft.table = withValue(draft.table, path, NEVER_BLOCK);
  }
}

/** One note for each section, whatever number of its keys has no effect. */
function dropIgnored(draft: Draft): void {
  const whole = draft.table;
  const dropped = new Map<string, KeyPath[]>();
  for (const rule of IGNORED_KEYS) {
    for (const path of expand(whole, rule.path)) {
      const value = valueAt(draft.table, path);
      if (value === undefined) continue;
      draft.table = withoutValue(draft.table, path);
      if (rule.harmless(value, whole)) continue;
      const section = formatKey(path.slice(0, Math.max(1, path.length - 1)));
      dropped.set(section, [...(dropped.get(section) ?? []), path]);
    }
  }
  for (const [section, paths] of dropped) {
    const [first = []] = paths;
    const keys = first.length === 1 ? '' : ` ${paths.map((path) => formatKey(path.slice(-1))).join(', ')}`;
    const what = paths.length === 1 ? 'a setting' : 'settings';
    const message = `[${section}]${keys}: ${what} of ralph-gold that ralph doesn't have, ignored`;
    draft.notes.push({ path: writtenAs(draft.moved, first), message });
  }
}

function expand(table: Table, path: KeyPath): KeyPath[] {
  const star = path.indexOf('*');
  if (star < 0) return [path];
  const names = valueAt(table, path.slice(0, star));
  if (!isTable(names)) return [];
  return Object.keys(names).map((name) => [...path.slice(0, star), name, ...path.slice(star + 1)]);
}
