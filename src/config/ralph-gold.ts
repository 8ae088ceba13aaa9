import { shellQuote } from 'ralph-kit/shell-quote';
import { BUILT_IN_MODES } from '../domain/config.ts';
import { type KeyIssue, READ_AS } from './check-shape.ts';
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
import type { Translation } from './layers.ts';
import { IGNORED_KEYS } from './ralph-gold-ignored.ts';
import {
  identity,
  MOVED_KEYS,
  MOVED_OF_EACH,
  MOVED_SECTIONS,
  type MovedKey,
  NEVER_BLOCK,
  namesAt,
  RENAMED_VALUES,
  TIMEOUTS_OF_ALL_MODES,
  USER_NAMES,
} from './ralph-gold-keys.ts';

/**
 * Translates settings of ralph-gold projects and of ralph-gold's earlier documents. Unknown keys stay for the following
 * check.
 */
export function fromRalphGold(table: Table): Translation {
  const draft: Draft = {
    written: table,
    table,
    moved: new Map(),
    quiet: new Set(),
    sections: new Map(),
    notes: [],
    ignored: [],
  };
  snakeCase(draft, []);
  for (const { from, to } of MOVED_SECTIONS) moveSection(draft, from, to);
  for (const key of MOVED_KEYS) move(draft, key);
  for (const { parent, from, to } of MOVED_OF_EACH) {
    for (const name of namesAt(draft.table, parent)) {
      move(draft, { from: [...parent, name, from], to: [...parent, name, to] });
    }
  }
  for (const { from, builtIn } of TIMEOUTS_OF_ALL_MODES) spreadTimeout(draft, from, builtIn);
  prekGate(draft);
  renameValues(draft);
  neverBlock(draft);
  dropIgnored(draft);
  return {
    table: draft.table,
    writtenAs: (path) => writtenAs(draft.moved, path),
    notes: [...draft.sections.values(), ...movedNotes(draft), ...draft.notes, ...draft.ignored],
  };
}

type Draft = {
  readonly written: Table;
  table: Table;
  /** Path of each key in ralph-gold's file, by its path in ralph.toml as a text. */
  readonly moved: Map<string, KeyPath>;
  /** Formatted new paths reported with their section, or not at all. */
  readonly quiet: Set<string>;
  /** Sections read as another, by formatted path in the file. */
  readonly sections: Map<string, KeyIssue>;
  readonly notes: KeyIssue[];
  /** Keys without effect, reported last. */
  readonly ignored: KeyIssue[];
};

function writtenAs(moved: ReadonlyMap<string, KeyPath>, path: KeyPath): KeyPath {
  const old = nearestEntry(moved, path);
  return old === null ? path : [...old.entry, ...old.rest];
}

type Move = Pick<MovedKey, 'from' | 'to'> & Partial<MovedKey>;

function move(draft: Draft, { from, to, convert = identity, usual = () => false }: Move): void {
  const value = valueAt(draft.table, from);
  if (value === undefined) return;
  const written = writtenAs(draft.moved, from);
  const converted = convert(value, draft.table);
  draft.table = withoutValue(draft.table, from);
  if (converted === undefined) return;
  if (valueAt(draft.table, to) !== undefined) {
    draft.notes.push({
      path: written,
      message: `${showKey(written)} is ignored, because ${showKey(to)} is set`,
    });
    return;
  }
  if (usual(value)) draft.quiet.add(formatKey(to));
  else draft.quiet.delete(formatKey(to));
  draft.moved.set(formatKey(to), written);
  draft.table = withValue(draft.table, to, converted);
}

/** Reports a section as one; other values stay for the new section's check. */
function moveSection(draft: Draft, from: KeyPath, to: KeyPath): void {
  const old = valueAt(draft.table, from);
  if (!isTable(old)) {
    move(draft, { from, to });
    return;
  }
  const written = writtenAs(draft.moved, from);
  const message = `[${formatKey(written)}]${READ_AS}[${formatKey(to)}]`;
  draft.sections.set(formatKey(written), { path: written, message });
  if (valueAt(draft.table, to) === undefined) draft.moved.set(formatKey(to), written);
  for (const { path } of leaves(old)) {
    move(draft, { from: [...from, ...path], to: [...to, ...path] });
    draft.quiet.add(formatKey([...to, ...path]));
  }
  draft.table = withoutValue(draft.table, from);
}

/** Converts `branchStrategy` and `branch-strategy` to `branch_strategy`; your own names stay. */
function snakeCase(draft: Draft, above: KeyPath): void {
  const areUserNames = USER_NAMES.some(
    (names) => names.length === above.length && names.every((name, at) => name === '*' || name === above[at]),
  );
  for (const name of namesAt(draft.table, above)) {
    const path = [...above, name];
    const snake = /[a-z0-9][A-Z]|-/.test(name)
      ? name
          .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
          .replaceAll('-', '_')
          .toLowerCase()
      : name;
    const to = areUserNames ? path : [...above, snake];
    if (areUserNames || snake === name) snakeCase(draft, path);
    else if (isTable(valueAt(draft.table, path))) {
      moveSection(draft, path, to);
      snakeCase(draft, to);
    } else move(draft, { from: path, to });
  }
}

/** `[gates.prek]`, the checks of `.pre-commit-config.yaml`, becomes a gate. */
function prekGate(draft: Draft): void {
  const path = ['gates', 'prek'];
  const prek = valueAt(draft.table, path);
  const commands = valueAt(draft.table, ['gates', 'commands']) ?? [];
  if (!isTable(prek) || !Array.isArray(commands)) return;
  draft.table = withoutValue(draft.table, path);
  const { enabled = false, argv = ['prek', 'run', '--all-files'] } = prek;
  if (enabled === false) return;
  const run = Array.isArray(argv) ? argv.map((word) => shellQuote(String(word))).join(' ') : '';
  draft.moved.set(formatKey(['gates', 'commands', commands.length]), path);
  draft.table = withValue(draft.table, ['gates', 'commands'], [...commands, { name: 'prek', run }]);
  draft.notes.push({ path, message: `[gates.prek]${READ_AS}a gate of [gates] commands` });
}

/** Applies a timeout to every mode in the file without its own. */
function spreadTimeout(draft: Draft, from: KeyPath, builtIn: boolean): void {
  const seconds = valueAt(draft.table, from);
  if (seconds === undefined) return;
  const modes = [
    ...new Set([...(builtIn ? Object.keys(BUILT_IN_MODES) : []), ...namesAt(draft.table, ['modes'])]),
  ];
  const free = modes.filter((name) => {
    const mode = valueAt(draft.table, ['modes', name]) ?? (builtIn ? {} : (BUILT_IN_MODES[name] ?? {}));
    return isTable(mode) && mode.timeout === undefined && (builtIn || !Object.hasOwn(BUILT_IN_MODES, name));
  });
  if (free.length === 0 && !builtIn) return;
  const written = writtenAs(draft.moved, from);
  draft.table = withoutValue(draft.table, from);
  if (free.length === 0) {
    const message = `${showKey(written)} is ignored, because every mode has a timeout of its own`;
    draft.notes.push({ path: written, message });
  }
  for (const name of free) {
    draft.moved.set(formatKey(['modes', name, 'timeout']), written);
    draft.table = withValue(draft.table, ['modes', name, 'timeout'], seconds);
  }
}

/** Returns one line per section of the file with its keys' new names. */
function movedNotes(draft: Draft): KeyIssue[] {
  const sections = new Map<string, { path: KeyPath; renamed: Map<string, string> }>();
  for (const { path: to } of leaves(draft.table)) {
    const from = draft.moved.get(formatKey(to));
    if (from === undefined || draft.quiet.has(formatKey(to))) continue;
    const [section, key] = [formatKey(from.slice(0, -1)), formatKey(from.slice(-1))];
    const entry = sections.get(section) ?? { path: from, renamed: new Map<string, string>() };
    sections.set(section, entry);
    const [old, value] = [valueAt(draft.written, from), valueAt(draft.table, to)];
    const now = JSON.stringify(old) === JSON.stringify(value) ? '' : ` = ${JSON.stringify(value)}`;
    const target = entry.renamed.has(key) ? '[modes.*] timeout' : showKey(to);
    entry.renamed.set(key, `${target}${now}`);
  }
  return [...sections].map(([section, { path, renamed }]) => {
    const [first = ['', ''], ...rest] = renamed;
    const others = rest.map(([key, to]) => `, ${key} as ${to}`).join('');
    const where = section === '' ? '' : `[${section}] `;
    return { path, message: `${where}${first[0]}${READ_AS}${first[1]}${others}` };
  });
}

function renameValues(draft: Draft): void {
  for (const { path, from, to, note } of RENAMED_VALUES) {
    if (valueAt(draft.table, path) !== from) continue;
    draft.table = withValue(draft.table, path, to);
    if (note !== null) draft.notes.push({ path, message: `${showKey(path)}: ${note}` });
  }
}

/** `max_attempts_per_task = 0` means that failed attempts never block a task. */
function neverBlock(draft: Draft): void {
  const modes = valueAt(draft.table, ['modes']);
  const names = isTable(modes) ? Object.keys(modes) : [];
  for (const above of [['loop'], ...names.map((name) => ['modes', name])]) {
    const path = [...above, 'max_attempts_per_task'];
    if (valueAt(draft.table, path) === 0) draft.table = withValue(draft.table, path, NEVER_BLOCK);
  }
}

/** Returns one line per section and reason, for any number of keys. */
function dropIgnored(draft: Draft): void {
  const whole = draft.table;
  const dropped = new Map<string, { section: string; paths: KeyPath[]; why: string }>();
  for (const rule of IGNORED_KEYS) {
    for (const path of expand(whole, rule.path)) {
      const value = valueAt(draft.table, path);
      if (value === undefined) continue;
      draft.table = withoutValue(draft.table, path);
      if (rule.harmless(value, whole)) continue;
      const written = writtenAs(draft.moved, path);
      const section = formatKey(written.slice(0, Math.max(1, written.length - 1)));
      const id = `${section} ${rule.why}`;
      const group = dropped.get(id) ?? { section, paths: [], why: rule.why };
      dropped.set(id, { ...group, paths: [...group.paths, written] });
    }
  }
  for (const { section, paths, why } of dropped.values()) {
    const [first = []] = paths;
    const keys = first.length === 1 ? '' : ` ${paths.map((path) => formatKey(path.slice(-1))).join(', ')}`;
    const verb = paths.length === 1 ? 'has' : 'have';
    draft.ignored.push({ path: first, message: `[${section}]${keys} ${verb} no effect: ${why}` });
  }
}

function expand(table: Table, path: KeyPath): KeyPath[] {
  const star = path.indexOf('*');
  if (star < 0) return [path];
  const names = valueAt(table, path.slice(0, star));
  if (!isTable(names)) return [];
  return Object.keys(names).map((name) => [...path.slice(0, star), name, ...path.slice(star + 1)]);
}
