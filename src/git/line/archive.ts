import { parseJson } from 'ralph-kit/parse-json';
import * as z from 'zod/mini';
import { GitError } from '../../domain/ports.ts';
import type { BytePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { editedTree, revision, writeText } from '../objects/questions.ts';
import { type KeptResult, ResultData, refsOf } from './results.ts';

/** A landed result in the history, kept in a note instead of its own ref. */
export type ArchivedResult = {
  readonly result: KeptResult;
  /** Commit with which the result landed. */
  readonly landed: string;
  readonly paths: readonly string[];
};

const Note = z.object({
  /** Commit of the note before; `null` for the first. */
  before: z.nullable(z.string()),
  results: z.array(
    z.object({
      ...ResultData.shape,
      name: z.string(),
      number: z.number(),
      commit: z.string(),
      parent: z.string(),
      tree: z.string(),
      date: z.number(),
      message: z.string(),
      landed: z.string(),
      paths: z.array(z.string()),
    }),
  ),
});

const FILE = 'results.json' as BytePath;

function pastRef(tree: WorkTree): string {
  return `${refsOf(tree)}/past`;
}

/** Last notes read, by git folder. */
const cache = new Map<
  string,
  { readonly commit: string; readonly all: ReadonlyMap<string, ArchivedResult> }
>();

/** Returns the landed results that the note keeps, by name. @throws GitError */
export async function readArchive(tree: WorkTree): Promise<ReadonlyMap<string, ArchivedResult>> {
  const tip = await revision(tree, pastRef(tree));
  if (tip === null) return new Map();
  const before = cache.get(tree.gitDir);
  const fresh: ArchivedResult[][] = [];
  let at: string | null = tip;
  while (at !== null && at !== before?.commit) {
    const note = await readNote(tree, at);
    fresh.push(note.results.map(({ landed, paths, ...result }) => ({ result, landed, paths })));
    at = note.before;
  }
  if (before !== undefined && fresh.length === 0) return before.all;
  const all = new Map(at === null ? [] : before?.all);
  for (const one of fresh.reverse().flat()) all.set(one.result.name, one);
  cache.set(tree.gitDir, { commit: tip, all });
  return all;
}

async function readNote(tree: WorkTree, id: string): Promise<z.infer<typeof Note>> {
  const objects = await objectsOf(tree);
  const commit = await objects.commit(id);
  const file = commit === null ? null : await objects.entryAt(commit.tree, FILE);
  const content = file === null ? null : await objects.read(file.oid);
  const note = parseJson(content?.content.toString('utf8') ?? null, Note);
  if (note !== null) return note;
  const name = pastRef(tree);
  throw new GitError(
    `${id} of ${name} can't be read: it says which results landed. Forget them: git update-ref -d ${name}`,
  );
}

/** Keeps results as parents of a note's commit, safe from housekeeping. @returns Ref updates to apply together. */
export async function archiveResults(tree: WorkTree, all: readonly ArchivedResult[]): Promise<string[]> {
  const name = pastRef(tree);
  const before = await revision(tree, name);
  const results = all.map(({ result, landed, paths }) => ({ ...result, landed, paths }));
  const oid = await writeText(tree, JSON.stringify({ before, results }));
  const treeId = await editedTree(tree, null, new Map([[FILE, { mode: '100644', oid }]]));
  const parents = [...(before === null ? [] : [before]), ...results.map(({ commit }) => commit)];
  const commit = await makeCommit(tree, treeId, parents, 'ralph: results that landed\n', { who: 'ralph' });
  return [
    before === null ? `create ${name} ${commit}` : `update ${name} ${commit} ${before}`,
    ...results.flatMap((one) => [
      `delete ${refsOf(tree)}/results/${one.name} ${one.commit}`,
      `delete ${refsOf(tree)}/landed/${one.name} ${one.landed}`,
      `delete ${refsOf(tree)}/about/${one.name}`,
    ]),
  ];
}

export async function removeFromArchive(tree: WorkTree, { result }: ArchivedResult): Promise<string[]> {
  const about = await writeText(tree, JSON.stringify(ResultData.parse(result)));
  const refs = refsOf(tree);
  return [
    `create ${refs}/results/${result.name} ${result.commit}`,
    `create ${refs}/about/${result.name} ${about}`,
  ];
}
