/** Returns the work's result, or `otherwise` if it throws, because the doctor also reads broken files. */
export function orElse<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
