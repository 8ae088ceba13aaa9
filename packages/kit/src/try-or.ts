/** Returns the result of `work`, or `otherwise` when it throws. */
export function tryOr<T, U>(otherwise: U, work: () => T): T | U {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
