/** What the work gives, or this value where it throws: the doctor reads broken things, too. */
export function orElse<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
