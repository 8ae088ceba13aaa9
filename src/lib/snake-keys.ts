type SnakeKey<K> = K extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeKey<Rest>}`
  : K;

/** A value of the domain as it stands in a result. */
export type SnakeKeys<T> = T extends readonly (infer Item)[]
  ? readonly SnakeKeys<Item>[]
  : T extends object
    ? { readonly [K in keyof T as SnakeKey<K>]: SnakeKeys<T[K]> }
    : T;

/** The same value with every key of every object in snake_case: the border between the domain and results. */
export function snakeKeys<T>(value: T): SnakeKeys<T> {
  return walk(value) as SnakeKeys<T>;
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      walk(inner),
    ]),
  );
}
