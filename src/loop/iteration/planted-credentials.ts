import type { Series } from '../../domain/change-set.ts';
import type { PlantedCredential } from '../../domain/observed.ts';
import type { CopyCommit } from '../../domain/ports.ts';
import { findCredentials } from '../../lib/credentials.ts';

type Work = {
  /** What the attempt changed. */
  readonly patch: string;
  /** What all attempts at the task changed since the tree was verified. */
  readonly whole: string;
  /** Of the task, without this attempt; `null` for the first. */
  readonly series: Series | null;
  readonly commits: readonly CopyCommit[];
};

/**
 * Credentials that the attempt wrote, or one before it that nothing judged: into files, and into commits of its copy. Those
 * may hold what git ignores, and what a later one took away.
 */
export function plantedCredentials({ patch, whole, series, commits }: Work): PlantedCredential[] {
  const unjudged = new Set(series?.unjudged);
  const earlier = unjudged.size === 0 ? [] : findCredentials(whole).filter(({ path }) => unjudged.has(path));
  const found = [...findCredentials(patch), ...earlier].map((one) => ({ ...one, commit: null }));
  const committed = commits.flatMap((one) =>
    findCredentials(one.patch).map((credential) => ({ ...credential, commit: one.id })),
  );
  const all = [...found, ...committed];
  return all.filter(
    ({ path, line, kind }, at) =>
      all.findIndex((one) => one.path === path && one.line === line && one.kind === kind) === at,
  );
}
