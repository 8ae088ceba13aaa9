import type { ConfigLayer, ConfigProblem } from '../domain/config.ts';
import { checkShape } from './check-shape.ts';
import { keyLines, lineOf } from './key-lines.ts';
import type { KeyPath, Table } from './key-path.ts';
import { formatKey, showKey } from './key-path.ts';
import { parseToml } from './parse-toml.ts';
import { fromRalphGold } from './ralph-gold.ts';

export type Place = {
  /** File, variable or flag. */
  readonly source: string;
  /** 1-based; `null` outside of files. */
  readonly line: number | null;
};

/** One source of settings, already checked key by key. */
export type Layer = {
  readonly kind: ConfigLayer;
  readonly table: Table;
  readonly locate: (path: KeyPath) => Place;
};

export type ReadLayer = {
  readonly layer: Layer | null;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};

/** A file of settings: parsed, ralph-gold's spellings translated, every key checked. */
export function readTomlLayer(kind: 'user' | 'project', file: { name: string; text: string }): ReadLayer {
  const parsed = parseToml(file.name, file.text);
  if (!parsed.ok) return { layer: null, problems: [parsed.problem], warnings: [] };
  const { table, writtenAs, notes } = fromRalphGold(parsed.table);
  let lines: ReadonlyMap<string, number> | undefined;
  const locate = (path: KeyPath): Place => {
    lines ??= keyLines(file.text);
    return { source: file.name, line: lineOf(lines, writtenAs(path)) };
  };
  const layer: Layer = { kind, table, locate };
  const warnings = notes.map(({ path, message }) => toProblem(layer, path, message));
  const problems = checkShape(table).map(({ path, message }) => {
    const written = writtenAs(path);
    const hint = written === path ? '' : ` (written as ${showKey(written)})`;
    return toProblem(layer, path, message + hint);
  });
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { layer, problems, warnings };
}

function toProblem(layer: Layer, path: KeyPath, message: string): ConfigProblem {
  return { ...layer.locate(path), key: formatKey(path), message };
}
