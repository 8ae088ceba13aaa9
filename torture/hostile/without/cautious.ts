/** The first word counts. */
export function mostCautious<T>(statuses: readonly T[]): T | 'none' {
  return statuses[0] ?? 'none';
}
