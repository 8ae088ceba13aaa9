/** Replacement without the protection: a statement counts whoever made it, about whatever task. */
export function ownStatements<T>(statements: readonly T[]): {
  readonly statements: readonly T[];
  readonly otherTask: null;
} {
  return { statements, otherTask: null };
}
