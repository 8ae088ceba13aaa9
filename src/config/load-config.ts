import * as z from 'zod/mini';
import type { ConfigLayer, ConfigProblem } from '../domain/config.ts';
import { BUILT_IN_MODES, CONFIG_LAYERS, Config } from '../domain/config.ts';
import { checkMeaning, withoutAddress } from './check-meaning.ts';
import type { KeyIssue } from './check-shape.ts';
import { checkShape } from './check-shape.ts';
import type { KeyPath, Table } from './key-path.ts';
import { formatKey, leaves, mergeTables, nearestEntry, valueAt, withValue } from './key-path.ts';
import {
  asItIs,
  byLine,
  type Layer,
  type Place,
  readEnvLayer,
  readFlagLayer,
  readTomlLayer,
  type Translate,
  untranslated,
} from './layers.ts';
import { withoutEffect } from './no-effect.ts';

export type ConfigText = { readonly name: string; readonly text: string };

type ConfigInput = {
  /** Contents with a name for messages; `null`: no file. */
  readonly userToml: ConfigText | null;
  readonly projectToml: ConfigText | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values by dotted key: `{'loop.agent': 'codex'}`; `undefined` means not given. */
  readonly flags: Readonly<Record<string, unknown>>;
};

type Provenance = Place & { readonly layer: ConfigLayer };
type ConfigEntry = Provenance & { readonly key: string; readonly value: unknown };

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly provenance: (key: string) => Provenance;
      /** Returns the key as written: `files.agents` for `files.notes`. */
      readonly writtenAs: (key: string) => string;
      /** Returns every effective value in the schema's order. */
      readonly entries: () => readonly ConfigEntry[];
      readonly warnings: readonly ConfigProblem[];
      /** Unknown keys that were left out; nothing runs with them (docs/CONFIGURATION.md). */
      readonly unknownKeys: readonly ConfigProblem[];
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Returns a function that reads other spellings of settings, for `loadConfig`. It knows each key of ralph-gold, which
 * few files have, so it is loaded where a file has a key or value that isn't ralph's.
 */
export async function loadTranslate(): Promise<Translate> {
  return (await import('./ralph-gold.ts')).fromRalphGold;
}

/**
 * Returns the effective configuration: built-in < user < project < `RALPH_*` < flags; tables merge, lists replace
 * (docs/CONFIGURATION.md). Reports all mistakes at once. `loop` includes the current mode's settings.
 */
export function loadConfig(input: ConfigInput, translate: Translate = untranslated): LoadedConfig {
  const reads = [
    ...(input.userToml === null ? [] : [readTomlLayer('user', input.userToml, translate)]),
    ...(input.projectToml === null ? [] : [readTomlLayer('project', input.projectToml, translate)]),
    readEnvLayer(input.env),
    readFlagLayer(input.flags),
  ];
  const unknownKeys = reads.flatMap((read) => read.unknownKeys);
  if (reads.some(({ problems }) => problems.length > 0)) {
    const problems = reads.flatMap((read) => byLine([...read.problems, ...read.unknownKeys]));
    return { ok: false, problems };
  }

  const merged = applyImplied(
    applyMode(merge(reads.flatMap(({ layer }) => (layer === null ? [] : [layer])))),
  );
  const parsed = z.safeParse(Config, merged.table);
  if (!parsed.success) {
    return { ok: false, problems: [...place(merged, checkShape(merged.table)), ...unknownKeys] };
  }
  const config = parsed.data;
  const mistakes = place(merged, checkMeaning(config));
  if (mistakes.length > 0) return { ok: false, problems: [...mistakes, ...unknownKeys] };

  return {
    ok: true,
    config,
    provenance: (key) => provenanceOf(merged, key),
    writtenAs: (key) => {
      const origin = merged.origins.get(key);
      return origin === undefined ? key : formatKey(origin.layer.writtenAs(origin.path));
    },
    entries: () =>
      leaves(config).map(({ path, value }) => {
        const key = formatKey(path);
        return { key, value, ...provenanceOf(merged, key) };
      }),
    warnings: [
      ...reads.flatMap((read) => read.warnings),
      ...place(merged, [...withoutAddress(config), ...idleKeys(merged, config)]),
    ],
    unknownKeys,
  };
}

type Origin = { readonly layer: Layer; readonly path: KeyPath };
type Merged = { readonly table: Table; readonly origins: ReadonlyMap<string, Origin> };

const BUILT_IN: Layer = {
  kind: 'built-in',
  table: { modes: BUILT_IN_MODES },
  locate: () => ({ source: 'built-in', line: null }),
  writtenAs: asItIs,
};

function merge(layers: readonly Layer[]): Merged {
  const origins = new Map<string, Origin>();
  let table = BUILT_IN.table;
  for (const layer of layers) {
    table = mergeTables(table, layer.table);
    for (const { path } of leaves(layer.table)) origins.set(formatKey(path), { layer, path });
  }
  return { table, origins };
}

const MODE_KEYS = ['agent', 'max_iterations', 'max_attempts_per_task', 'no_progress_limit'];

/**
 * A mode's loop settings replace `[loop]` unless a stronger layer set those: `--max-iterations 5` wins over the mode.
 */
function applyMode({ table, origins }: Merged): Merged {
  const mode = valueAt(table, ['loop', 'mode']) ?? 'speed';
  if (typeof mode !== 'string') return { table, origins };
  const effective = new Map(origins);
  let result = table;
  for (const key of MODE_KEYS) {
    const origin = origins.get(formatKey(['modes', mode, key]));
    const loopKey = formatKey(['loop', key]);
    if (origin === undefined || rank(origins.get(loopKey)?.layer) > rank(origin.layer)) continue;
    result = withValue(result, ['loop', key], valueAt(table, ['modes', mode, key]));
    effective.set(loopKey, origin);
  }
  return { table: result, origins: effective };
}

type Implied = {
  readonly key: KeyPath;
  readonly sets: KeyPath;
  readonly to: unknown;
  /** Whether an own setting always wins; otherwise only one from a stronger layer. */
  readonly yields: boolean;
};

/** Keys that only make sense with another, which setting them implies. */
const IMPLIED: readonly Implied[] = [
  {
    key: ['unblock', 'max_auto_unblock_attempts'],
    sets: ['unblock', 'auto'],
    to: true,
    yields: true,
  },
  {
    key: ['interventions', 'preserve_incident_data_days'],
    sets: ['interventions', 'auto_cleanup'],
    to: true,
    yields: true,
  },
  // `mode = "blocking"` with a threshold for not waiting contradicts itself; the threshold wins.
  { key: ['review', 'async_threshold'], sets: ['review', 'mode'], to: 'async', yields: false },
];

function applyImplied({ table, origins }: Merged): Merged {
  const effective = new Map(origins);
  let result = table;
  for (const { key, sets, to, yields } of IMPLIED) {
    const origin = origins.get(formatKey(key));
    const own = origins.get(formatKey(sets));
    if (origin === undefined || (own !== undefined && (yields || rank(own.layer) > rank(origin.layer))))
      continue;
    result = withValue(result, sets, to);
    effective.set(formatKey(sets), origin);
  }
  return { table: result, origins: effective };
}

function idleKeys(merged: Merged, config: Config): KeyIssue[] {
  const written = [...merged.origins.values()].map(({ path }) => path);
  return withoutEffect(config, written, (key) => {
    const kind = merged.origins.get(key)?.layer.kind;
    return kind === 'flag' || kind === 'environment';
  });
}

function rank(layer: Layer | undefined): number {
  return CONFIG_LAYERS.indexOf(layer?.kind ?? 'built-in');
}

function provenanceOf({ origins }: Merged, key: string): Provenance {
  const origin = origins.get(key);
  if (origin === undefined) return { layer: 'built-in', ...BUILT_IN.locate([]) };
  return { layer: origin.layer.kind, ...origin.layer.locate(origin.path) };
}

function place(merged: Merged, issues: readonly KeyIssue[]): ConfigProblem[] {
  return issues.map((issue) => {
    const { path, message } = issue;
    const place =
      placeOf(merged, path) ?? (issue.with && placeOf(merged, issue.with)) ?? BUILT_IN.locate(path);
    return { ...place, key: formatKey(path), message };
  });
}

/** Returns the place of a key, else of the nearest table or list around it, else of something inside it. */
function placeOf({ origins }: Merged, path: KeyPath): Place | null {
  const near = nearestEntry(origins, path);
  if (near !== null) return near.entry.layer.locate([...near.entry.path, ...near.rest]);
  const inside = [...origins].find(([key]) => key.startsWith(`${formatKey(path)}.`))?.[1];
  return inside === undefined ? null : inside.layer.locate(path);
}

/** Returns the current mode and its timeout in seconds; `null`: the level's base applies (docs/ADAPTIVE_TIMEOUT.md). */
export function modeSettings(config: Config): { name: string; timeoutSeconds: number | null } {
  const name = config.loop.mode;
  const own = Object.hasOwn(config.modes, name) ? config.modes[name]?.timeout : undefined;
  const builtIn = Object.hasOwn(BUILT_IN_MODES, name) ? BUILT_IN_MODES[name]?.timeout : undefined;
  return { name, timeoutSeconds: own ?? builtIn ?? null };
}
