import { findCredentials } from 'ralph-kit/credentials';
import type { Series } from '../../domain/change-set.ts';
import type { PlantedCredential } from '../../domain/observed.ts';
import type { CopyCommit } from '../../domain/ports.ts';

type Work = {
  readonly patch: string;
  /** Diff of all attempts at the task since the tree was last verified. */
  readonly whole: string;
  /** The task's series before this attempt; `null` for the first one. */
  readonly series: Series | null;
  readonly commits: readonly CopyCommit[];
};

/**
 * Returns credentials that the attempt added. Files of earlier, unjudged attempts are searched, too, and commits,
 * because these may have ignored or removed files.
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
