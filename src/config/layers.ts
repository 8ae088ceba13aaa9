import { nearest } from 'ralph-kit/nearest';
import type { ConfigLayer, ConfigProblem } from '../domain/config.ts';
import { checkShape, type KeyIssue } from './check-shape.ts';
import { keyPatterns } from './json-schema.ts';
import {
  formatKey,
  type KeyPath,
  nearestEntry,
  showKey,
  type Table,
  withoutValue,
  withValue,
} from './key-path.ts';
import { keyLines, parseToml, parseTomlValue } from './parse-toml.ts';

export type Place = {
  /** Name of the file, variable or flag with the value. */
  readonly source: string;
  /** Line number in the file, from 1; `null` if the source isn't a file. */
  readonly line: number | null;
};

export type Layer = {
  readonly kind: ConfigLayer;
  readonly table: Table;
  readonly locate: (path: KeyPath) => Place;
  /** Returns the path of a key as written in the source. */
  readonly writtenAs: (path: KeyPath) => KeyPath;
};

export type ReadLayer = {
  readonly layer: Layer | null;
  readonly problems: readonly ConfigProblem[];
  /** Unknown keys, which the layer leaves out. */
  readonly unknownKeys: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};

export type Translation = {
  readonly table: Table;
  readonly writtenAs: (path: KeyPath) => KeyPath;
  /** Keys read under another name, left out, or with a slightly different meaning; `path` as in the file. */
  readonly notes: readonly KeyIssue[];
};

/** Reads settings of ralph-gold projects, of earlier documents, and those that have no effect any more. */
export type Translate = (table: Table) => Translation;

/** Returns the table unchanged, for files with ralph's own spellings alone. */
export const untranslated: Translate = (table) => ({ table, writtenAs: asItIs, notes: [] });

/** Reads a settings file: parses it, translates it and checks every key. */
export function readTomlLayer(
  kind: 'user' | 'project',
  file: { name: string; text: string },
  translate: Translate,
): ReadLayer {
  const parsed = parseToml(file.name, file.text);
  if (!parsed.ok) return { layer: null, problems: [parsed.problem], unknownKeys: [], warnings: [] };
  const { table: translated, writtenAs, notes } = translate(parsed.table);
  let lines: ReadonlyMap<string, number> | undefined;
  const locate = (path: KeyPath): Place => {
    lines ??= keyLines(file.text);
    return { source: file.name, line: nearestEntry(lines, writtenAs(path))?.entry ?? null };
  };
  const reported = new Set<string>();
  const issues = checkShape(translated).filter(({ path }) => {
    // One value may have been read as several keys.
    const written = formatKey(writtenAs(path));
    return !reported.has(written) && reported.add(written);
  });
  const unknown = issues.filter((issue) => issue.unknown);
  const table = unknown.reduce((left, { path }) => withoutValue(left, path), translated);
  const layer: Layer = { kind, table, locate, writtenAs };
  const problem = ({ path, message }: KeyIssue) => {
    const written = writtenAs(path);
    const hint = written === path ? '' : ` (written as ${showKey(written)})`;
    return toProblem(layer, path, message + hint);
  };
  return {
    layer,
    problems: byLine(issues.filter((issue) => !issue.unknown).map(problem)),
    unknownKeys: byLine(unknown.map(problem)),
    warnings: byLine(notes.map(({ path, message }) => toProblem(layer, path, message))),
  };
}

export function byLine(problems: ConfigProblem[]): ConfigProblem[] {
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Spelling in sources without older names. */
export const asItIs = (path: KeyPath): KeyPath => path;

function toProblem(layer: Layer, path: KeyPath, message: string): ConfigProblem {
  return { ...layer.locate(path), key: formatKey(path), message };
}

/** Variables that are flags or that ralph sets for its agents, and so aren't settings. */
const RESERVED = [
  'RALPH_TRUST',
  'RALPH_FORMAT',
  'RALPH_VERBOSITY',
  'RALPH_RUN',
  'RALPH_ITERATION',
  'RALPH_TASK_ID',
  'RALPH_ATTEMPT',
  'RALPH_SUPERVISOR',
  'RALPH_LAYERS',
  'RALPH_PATIENCE',
  'RALPH_AGENT',
  'RALPH_FLEET_URL',
  'RALPH_TELEGRAM_TOKEN',
  'RALPH_TELEGRAM_SERVER',
  'RALPH_NTFY_TOPIC',
  'RALPH_NTFY_TOKEN',
];

/**
 * Reads settings from the environment: `RALPH_LOOP_MAX_ITERATIONS=5` is `[loop] max_iterations = 5`. A value is TOML
 * if the key accepts that, else plain text; an empty one counts as unset. An unknown name is only a warning, as other
 * programs may use it.
 */
export function readEnvLayer(env: Readonly<Record<string, string | undefined>>): ReadLayer {
  const settings: Setting[] = [];
  const warnings: ConfigProblem[] = [];
  for (const name of Object.keys(env).sort()) {
    const text = env[name] ?? '';
    if (!name.startsWith('RALPH_') || RESERVED.includes(name) || text.trim() === '') continue;
    const path = keyOf(name);
    if (path === null) warnings.push({ source: name, line: null, key: '', message: unknownVariable(name) });
    else settings.push({ source: name, path, candidates: [...fromToml(text), text] });
  }
  return { ...settingsLayer('environment', settings), unknownKeys: [], warnings };
}

/** Reads settings from the command line by dotted key; text stays text when the key accepts it. */
export function readFlagLayer(flags: Readonly<Record<string, unknown>>): ReadLayer {
  const settings = Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): Setting => {
      const path = key.split('.');
      const candidates = typeof value === 'string' ? [value, ...fromToml(value)] : [value];
      return { source: `--${(path.at(-1) ?? key).replaceAll('_', '-')}`, path, candidates };
    });
  return { ...settingsLayer('flag', settings), unknownKeys: [], warnings: [] };
}

type Setting = { readonly source: string; readonly path: KeyPath; readonly candidates: readonly unknown[] };

function fromToml(text: string): unknown[] {
  const parsed = parseTomlValue(text);
  return parsed === null ? [] : [parsed.value];
}

/** Uses the first reading that a key accepts; if none, the first is reported. */
function settingsLayer(kind: 'environment' | 'flag', settings: readonly Setting[]) {
  const problems: ConfigProblem[] = [];
  const sources = new Map<string, string>();
  let table: Table = {};
  for (const { source, path, candidates } of settings) {
    const readings = candidates.map((value) => ({ value, issues: checkShape(withValue({}, path, value)) }));
    const reading = readings.find(({ issues }) => issues.length === 0) ?? readings[0];
    if (reading === undefined) continue;
    for (const { message } of reading.issues) {
      problems.push({ source, line: null, key: formatKey(path), message });
    }
    table = withValue(table, path, reading.value);
    sources.set(formatKey(path), source);
  }
  const locate = (path: KeyPath): Place => ({
    source: nearestEntry(sources, path)?.entry ?? kind,
    line: null,
  });
  return { layer: { kind, table, locate, writtenAs: asItIs }, problems };
}

/** `RALPH_ADAPTIVE_TIMEOUT_MAX_TIMEOUT` → `adaptive_timeout.max_timeout`; `null` for an unknown name. */
function keyOf(name: string): KeyPath | null {
  // The most literal pattern comes first: `modes.*.max_iterations` before a shorter ending.
  const patterns = keyPatterns().sort((a, b) => literal(b) - literal(a));
  for (const pattern of patterns) {
    const [before = '', after] = variableName(pattern).split('*');
    if (after === undefined) {
      if (name === before) return pattern.split('.');
    } else if (
      name.length > before.length + after.length &&
      name.startsWith(before) &&
      name.endsWith(after)
    ) {
      const own = name.slice(before.length, name.length - after.length).toLowerCase();
      return pattern.split('.').map((part) => (part === '*' ? own : part));
    }
  }
  return null;
}

function literal(pattern: string): number {
  return pattern.includes('*') ? pattern.length : Number.POSITIVE_INFINITY;
}

function variableName(pattern: string): string {
  return `RALPH_${pattern.replaceAll('.', '_').toUpperCase()}`;
}

function unknownVariable(name: string): string {
  const keys = keyPatterns().filter((pattern) => !pattern.includes('*'));
  // The common prefix would make any two names similar.
  const short = (variable: string): string => variable.slice('RALPH_'.length);
  const meant = nearest(short(name), [...keys.map(variableName), ...RESERVED].map(short));
  const hint = meant === null ? '' : `; did you mean RALPH_${meant}?`;
  return `${name} isn't a setting and has no effect${hint}`;
}
