import { remembered } from './remembered.ts';

type SnakeKey<K> = K extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeKey<Rest>}`
  : K;

/** A domain value in the form of results and documents. */
export type SnakeKeys<T> = T extends readonly (infer Item)[]
  ? readonly SnakeKeys<Item>[]
  : T extends object
    ? { readonly [K in keyof T as SnakeKey<K>]: SnakeKeys<T[K]> }
    : T;

/** Objects whose keys are outside names (task ids, gate names, …), which are never rewritten. */
const MAPS: ReadonlySet<string> = new Set([
  'tasks',
  'spend',
  'outcomes',
  'commands',
  'sources',
  'levels',
  'details',
]);

/** Converts all keys to snake_case, for results. */
export function snakeKeys<T>(value: T): SnakeKeys<T> {
  return renamed(value, snakeKey, false) as SnakeKeys<T>;
}

export function camelKeys(value: unknown): unknown {
  return renamed(value, camelKey, false);
}

function renamed(value: unknown, rename: (key: string) => string, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const inMap = !isMap && MAPS.has(key);
      const same = inMap && key === 'details';
      return [isMap ? key : rename(key), same ? inner : renamed(inner, rename, inMap)];
    }),
  );
}

export const snakeKey = remembered((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const camelKey = remembered((key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
