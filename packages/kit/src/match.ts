type Of<T, Key extends keyof T, Kind> = T extends unknown ? (Kind extends T[Key] ? T : never) : never;

/** Returns the result of the case for a value's kind; a missing case doesn't compile. */
export function match<T extends { readonly [K in Key]: string }, Key extends string, R>(
  value: T,
  by: Key,
  cases: { readonly [Kind in T[Key]]: (value: Of<T, Key, Kind>) => R },
): R {
  return (cases[value[by]] as (value: T) => R)(value);
}
