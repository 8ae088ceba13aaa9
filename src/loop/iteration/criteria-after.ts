import type { Git } from '../../domain/ports/git.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { criteriaOf, saysSomething } from '../../proof/evidence/index.ts';
import { pathsIn } from '../proof/tree-files.ts';

/** Of all files that the criteria ask for together; what doesn't fit isn't read, so nothing is shown by it. */
const MAX_BYTES = 8_000_000;
/** Modules that pass on what others export, one behind the other. */
const ROUNDS = 6;

type After = Pick<IterationFacts, 'task' | 'fileFacts'> & { readonly tree: string };

/**
 * How the task's criteria stand by the files of a tree. What a criterion asks for is read, then asked again, as a file
 * may lead to others.
 */
export async function criteriaAfter(
  git: Pick<Git, 'texts'>,
  { task, tree, fileFacts }: After,
): Promise<IterationFacts['criteria']> {
  const paths = saysSomething(task) ? await pathsIn(git, tree) : [];
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
