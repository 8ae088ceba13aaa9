type Of<T, Key extends keyof T, Kind> = T extends unknown ? (Kind extends T[Key] ? T : never) : never;

/** What the case of a value gives, by the field that tells its kind. A kind without a case doesn't compile. */
export function match<T extends { readonly [K in Key]: string }, Key extends string, R>(
  value: T,
  by: Key,
  cases: { readonly [Kind in T[Key]]: (value: Of<T, Key, Kind>) => R },
): R {
  return (cases[value[by]] as (value: T) => R)(value);
}
