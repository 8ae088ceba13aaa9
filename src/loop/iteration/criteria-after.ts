import type { Git } from '../../domain/ports/git.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { criteriaOf, hasCriteria } from '../../proof/evidence/index.ts';
import { pathsIn } from '../proof/tree-files.ts';

/**
 * Maximum number of bytes of all files that criteria name. Files beyond the limit aren't read, so they prove no
 * criterion.
 */
const MAX_BYTES = 8_000_000;
/** Longest chain of modules that re-export from each other. */
const ROUNDS = 6;

type After = Pick<IterationFacts, 'task' | 'fileFacts'> & { readonly tree: string };

/**
 * Returns the checks of the criteria. Files that they need are read and the criteria judged again, because one file may
 * lead to others.
 */
export async function criteriaAfter(
  git: Pick<Git, 'texts'>,
  { task, tree, fileFacts }: After,
): Promise<IterationFacts['criteria']> {
  const paths = hasCriteria(task) ? await pathsIn(git, tree) : [];
  const texts = new Map<string, string>();
  const asked = new Set<string>();
  const read = (path: string) => {
    if (!texts.has(path)) asked.add(path);
    return texts.get(path) ?? null;
  };
  const decide = () => criteriaOf(task, { facts: fileFacts, paths, read });
  let criteria = decide();
  for (let round = 0; round < ROUNDS && asked.size > 0; round += 1) {
    const fresh = await git.texts(tree, (path) => asked.has(path), MAX_BYTES);
    asked.clear();
    if (fresh.length === 0) break;
    for (const { path, text } of fresh) texts.set(path, text);
    criteria = decide();
  }
  return criteria;
}
