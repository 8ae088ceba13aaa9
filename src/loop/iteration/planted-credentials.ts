import { READ_PATCH_BYTES } from '../../domain/change-set.ts';
import type { PlantedCredential } from '../../domain/observed.ts';
import type { RefsNow } from '../../domain/ports.ts';
import type { Series } from '../../domain/records/series.ts';
import { findCredentials } from '../../lib/credentials.ts';
import type { LoopContext } from '../context.ts';

type Work = {
  /** What the attempt changed. */
  readonly patch: string;
  /** What all attempts at the task changed since the tree was verified. */
  readonly whole: string;
  /** Of the task, without this attempt; `null` for the first. */
  readonly series: Series | null;
  readonly refsBefore: RefsNow;
  readonly refs: RefsNow;
};

/**
 * Credentials that the attempt wrote, or one before it that nothing judged: into files, and into commits on branches. Those
 * may hold what git ignores, and what a later one took away.
 */
export async function plantedCredentials(
  { ports: { git } }: LoopContext,
  { patch, whole, series, refsBefore, refs }: Work,
): Promise<PlantedCredential[]> {
  const unjudged = new Set(series?.unjudged);
  const earlier = unjudged.size === 0 ? [] : findCredentials(whole).filter(({ path }) => unjudged.has(path));
  const found = [...findCredentials(patch), ...earlier].map((one) => ({ ...one, commit: null }));
  const known = unjudged.size === 0 ? [refsBefore.head, ...refsBefore.refs.values()] : [series?.head ?? null];
  const committed = (await git.commitPatches(branchesOf(refs), known, READ_PATCH_BYTES)).flatMap((one) =>
    findCredentials(one.patch).map((credential) => ({ ...credential, commit: one.commit })),
  );
  const all = [...found, ...committed];
  return all.filter(
    ({ path, line, kind }, at) =>
      all.findIndex((one) => one.path === path && one.line === line && one.kind === kind) === at,
  );
}

function branchesOf({ head, refs }: RefsNow): (string | null)[] {
  return [head, ...[...refs].filter(([name]) => name.startsWith('refs/heads/')).map(([, commit]) => commit)];
}
