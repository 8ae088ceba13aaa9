import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Restored } from '../../../domain/records/iteration.ts';
import { missingOf } from '../repository/missing-objects.ts';
import type { RefValue } from '../repository/refs.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { isRefName } from './plan-refs.ts';
import { isCommitId, isValue, type RefReader, type Refs } from './refs.ts';

type Place = {
  readonly tree: WorkTree;
  readonly reader: RefReader;
  /** Refs that this process wrote since. */
  readonly ours: ReadonlyMap<string, RefValue | null>;
};

/**
 * Removes what is new and leads nowhere: what isn't a ref, a name that git refuses, an object that isn't here. Git would end
 * with an error wherever it reads all refs.
 *
 * @throws GitError, or the Node error.
 */
export async function removeBrokenRefs(
  { tree, reader, ours }: Place,
  before: Refs,
  now: Refs,
): Promise<Restored[]> {
  const changes = reader.changes(before, now);
  const fresh = changes.filter(({ name, was, now }) => was === null && now !== null && !ours.has(name));
  const missing = await missingOf(
    tree,
    fresh.flatMap(({ now }) => (isCommitId(now) ? [now] : [])),
  );
  const broken = fresh.filter(({ name, now }) => !isValue(now) || !isRefName(name) || missing.has(now));
  for (const { name } of broken)
    for (const top of [tree.commonDir, tree.gitDir]) rmSync(join(top, name), { force: true });
  return broken.map(({ name }) => ({ kind: 'ref', path: name, change: 'created', setAside: null }));
}
