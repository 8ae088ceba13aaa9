import { put } from './draft.ts';

/** Objects whose keys are names out of the world (task ids, gate names, …): such keys are never rewritten. */
const MAPS: ReadonlySet<string> = new Set(['tasks', 'outcomes', 'commands', 'levels', 'details']);

/** A value with the keys of its objects in snake_case, in the same order. */
export function toSnakeKeys(value: unknown): unknown {
  return renameKeys(value, snake, false);
}

/** The reverse of `toSnakeKeys`. */
export function toCamelKeys(value: unknown): unknown {
  return renameKeys(value, camel, false);
}

function renameKeys(value: unknown, rename: (key: string) => string, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename, false));
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const inMap = !isMap && MAPS.has(key);
    put(
      renamed,
      isMap ? key : rename(key),
      key === 'details' && inMap ? item : renameKeys(item, rename, inMap),
    );
  }
  return renamed;
}

const snakes = new Map<string, string>();

/** Keys repeat thousands of times in one document. */
function snake(key: string): string {
  const known = snakes.get(key);
  if (known !== undefined) return known;
  const made = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakes.set(key, made);
  return made;
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
