/** What `work` gives, or `otherwise` where it throws: for questions whose failure is an answer. */
export function tryOr<T, U>(otherwise: U, work: () => T): T | U {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
