import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import type { Objects } from '../objects/objects.ts';
import { refsBelow, revision } from '../objects/questions.ts';
import { type ArchivedResult, readArchive } from './archive.ts';
import { type KeptResult, ResultData, refsOf } from './results.ts';

type Mark = (typeof MARKS)[number];

const MARKS = ['landed', 'withdrawn', 'superseded', 'held'] as const;
const KINDS = ['results', 'prepared', 'about', ...MARKS] as const;
type ByName = ReadonlyMap<string, string>;

/** Results in order of verification, and their marks: commits by result name. */
export type KnownLine = {
  readonly keptResults: readonly KeptResult[];
  /** Prepared results, kept once their verdicts are recorded. */
  readonly prepared: readonly KeptResult[];
  readonly marks: Readonly<Record<Mark, ByName>>;
  /** Kept results that the note of landed ones stores instead of refs, by name. */
  readonly archived: ReadonlyMap<string, ArchivedResult>;
};

/** Returns the line's refs as text; an equal text means an equal line. @param more Further values to compare. */
export async function lineState(tree: WorkTree, more: readonly (string | boolean)[]): Promise<string> {
  const folder = `${refsOf(tree)}/`;
  const names = [...KINDS, 'seen', 'standing'].map((kind) => `${folder}${kind}/`);
  const past = await revision(tree, `${folder}past`);
  return JSON.stringify([...more, past, ...(await refsBelow(tree, names))]);
}

export async function readLine(tree: WorkTree): Promise<KnownLine> {
  const folder = `${refsOf(tree)}/`;
  const listed = await refsBelow(
    tree,
    KINDS.map((kind) => `${folder}${kind}/`),
  );
  const found = Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, string>()]));
  for (const [ref, id] of listed) {
    const [kind = '', ...name] = ref.slice(folder.length).split('/');
    found[kind]?.set(name.join('/'), id);
  }
  const by = (kind: (typeof KINDS)[number]): ByName => found[kind] ?? new Map();
  const read = (kind: 'results' | 'prepared') => readResults(tree, by(kind), by('about'));
  // A result with its own ref was taken out of the note.
  const archived = new Map([...(await readArchive(tree))].filter(([name]) => !by('results').has(name)));
  const put = [...archived.values()];
  const marks = Object.fromEntries(MARKS.map((mark) => [mark, by(mark)])) as KnownLine['marks'];
  const landed = new Map([
    ...put.map(({ result, landed: at }) => [result.name, at] as const),
    ...marks.landed,
  ]);
  return {
    keptResults: [...put.map(({ result }) => result), ...(await read('results'))].sort(byOrder),
    prepared: (await read('prepared')).sort(byOrder),
    marks: { ...marks, landed },
    archived,
  };
}

/** Skips results whose objects are gone: `git gc --prune=now` removes another process's new objects. */
async function readResults(tree: WorkTree, all: ByName, abouts: ByName): Promise<KeptResult[]> {
  const objects = await objectsOf(tree);
  const found: KeptResult[] = [];
  for (const [name, id] of all) {
    const about = abouts.get(name);
    const one = about === undefined ? null : await readResult(objects, name, id, about);
    if (one !== null) found.push(one);
  }
  return found;
}

async function readResult(
  objects: Objects,
  name: string,
  id: string,
  aboutId: string,
): Promise<KeptResult | null> {
  const [commit, about] = [await objects.commit(id), await objects.read(aboutId)];
  const [parent] = commit?.parents ?? [];
  if (commit?.message == null || about === null || parent === undefined) return null;
  if (!(await objects.isThere(commit.tree)) || trailerOf(commit.message, 'Ralph-Result') !== name)
    return null;
  return {
    name,
    commit: id,
    parent,
    tree: commit.tree,
    date: commit.date,
    ...ResultData.parse(JSON.parse(about.content.toString('utf8'))),
    number: Number(name.slice(name.lastIndexOf('/') + 1)),
    message: commit.message.slice(0, commit.message.lastIndexOf('\nRalph-Task: ')).trimEnd(),
  };
}

function trailerOf(message: string, trailer: string): string | null {
  return new RegExp(`^${trailer}: (.*)$`, 'm').exec(message)?.[1] ?? null;
}

function byOrder(one: KeptResult, other: KeptResult): number {
  return one.order - other.order;
}
