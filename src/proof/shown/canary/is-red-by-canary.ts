import type { Canary } from '../../../domain/proof.ts';
import type { TestResults } from '../../../domain/test-results.ts';

/** Whether the canary is among the failing tests, by its name or as a file that can't be loaded. */
export function isRedByCanary(
  results: Pick<TestResults, 'failing'> | null,
  { path, name }: Pick<Canary, 'path' | 'name'>,
): boolean {
  const word = name.toLowerCase();
  return (results?.failing ?? []).some(
    (failing) => failing.toLowerCase().includes(word) || failing.includes(path),
  );
}
