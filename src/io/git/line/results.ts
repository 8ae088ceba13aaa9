import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import type { ResultId } from '../../../domain/ports.ts';
import { onOneLine } from '../../../lib/text.ts';
import { withTrailers } from '../../../lib/trailers.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import type { Objects } from '../objects/objects.ts';
import { refsBelow, writeText } from '../objects/questions.ts';

/** A verified result as it is kept. */
export type Kept = ResultId & {
  /** `TASK/N`, as refs name it. */
  readonly name: string;
  readonly commit: string;
  /** The line's commit that it was made on. */
  readonly parent: string;
  readonly tree: string;
  /** Seconds since 1970. */
  readonly date: number;
  /** Without the trailers. */
  readonly message: string;
} & About;

export type Mark = (typeof MARKS)[number];

/** Where what is verified is kept of one work tree. */
export function refsOf({ gitDir, commonDir }: WorkTree): string {
  return gitDir === commonDir ? 'refs/ralph' : `refs/ralph/worktrees/${encoded(basename(gitDir))}`;
}

/** Longer names are cut: file systems end at 255 bytes. */
const LONGEST = 120;

/** A part of a ref's name, whatever characters are in it; different ones for different texts. */
export function encoded(text: string): string {
  const name = [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (name !== '' && name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST)}=${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

const MARKS = ['landed', 'withdrawn', 'superseded', 'held'] as const;
const KINDS = ['results', 'prepared', 'about', ...MARKS] as const;
type ByName = ReadonlyMap<string, string>;

/** All results that are kept, in the order in which they were verified, and what is marked of them: commits by their names. */
export type KnownLine = {
  readonly kept: readonly Kept[];
  /** Ready to be kept, once their verdicts are on record. */
  readonly prepared: readonly Kept[];
  readonly marks: Readonly<Record<Mark, ByName>>;
};

/** What refs say of the line, by one look at them. */
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
  const marks = Object.fromEntries(MARKS.map((mark) => [mark, by(mark)])) as KnownLine['marks'];
  const read = (kind: 'results' | 'prepared') => readResults(tree, by(kind), by('about'));
  return { kept: await read('results'), prepared: await read('prepared'), marks };
}

/** What is kept of a result beside its commit: of no use to who reads that. */
const About = z.object({
  /** Exactly: a trailer is one line, and shows what it holds. */
  taskId: z.string(),
  /** Results in the order in which they were verified. */
  order: z.number(),
  /** Full name of the ref that it lands on; `HEAD`: none was checked out. */
  ref: z.string(),
  needs: z.array(z.string()),
  /** Why it waits while `held/T/N` is there; `null`: it never did. */
  held: z.nullable(z.string()),
});
export type About = z.infer<typeof About>;

export function messageOf({ taskId, name }: Pick<Kept, 'taskId' | 'name'>, message: string): string {
  return `${withTrailers(message, `Ralph-Task: ${onOneLine(taskId)}`, `Ralph-Result: ${name}`)}\n`;
}

/** Keeps what is to be known of a result; the object of it. */
export async function keepAbout(tree: WorkTree, about: About): Promise<string> {
  return writeText(tree, JSON.stringify(about));
}

/** Without those whose objects are gone: `git gc --prune=now` takes what another process has just written. */
async function readResults(tree: WorkTree, all: ByName, abouts: ByName): Promise<Kept[]> {
  const objects = await objectsOf(tree);
  const found: Kept[] = [];
  for (const [name, id] of all) {
    const about = abouts.get(name);
    const one = about === undefined ? null : await readResult(objects, name, id, about);
    if (one !== null) found.push(one);
  }
  return found.sort((one, other) => one.order - other.order);
}

async function readResult(objects: Objects, name: string, id: string, aboutId: string): Promise<Kept | null> {
  const [commit, about] = [await objects.commit(id), await objects.read(aboutId)];
  const [parent] = commit?.parents ?? [];
  if (commit?.message == null || about === null || parent === undefined) return null;
  if (!(await objects.isThere(commit.tree)) || trailerOf(commit.message, 'Ralph-Result') !== name)
    return null;
  return {
    ...{ name, commit: id, parent, tree: commit.tree, date: commit.date },
    ...About.parse(JSON.parse(about.content.toString('utf8'))),
    number: Number(name.slice(name.lastIndexOf('/') + 1)),
    message: commit.message.slice(0, commit.message.lastIndexOf('\nRalph-Task: ')).trimEnd(),
  };
}

function trailerOf(message: string, trailer: string): string | null {
  return new RegExp(`^${trailer}: (.*)$`, 'm').exec(message)?.[1] ?? null;
}
