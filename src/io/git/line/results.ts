import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import type { ResultId } from '../../../domain/ports.ts';
import { onOneLine } from '../../../lib/text.ts';
import { withTrailers } from '../../../lib/trailers.ts';
import { objectGit, objectText, writeText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';

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
  const patterns = KINDS.map((kind) => `${folder}${kind}/`);
  const listed = await objectGit(tree, ['for-each-ref', '--format=%(objectname) %(refname)', ...patterns]);
  const found = Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, string>()]));
  for (const line of listed.stdout.toString('utf8').split('\n').filter(Boolean)) {
    const [id = '', ref = ''] = line.split(' ');
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

async function readResults(tree: WorkTree, all: ByName, about: ByName): Promise<Kept[]> {
  const refs = await withObjects(tree, all);
  if (refs.size === 0) return [];
  const abouts = await readAbouts(tree, about);
  const shown = ['log', '--no-walk=unsorted', '-z', '--format=%H%x00%P%x00%T%x00%ct%x00%B', '--stdin'];
  const input = `${[...refs.values()].join('\n')}\n`;
  const fields = (await objectGit(tree, shown, { input })).stdout.toString('utf8').split('\0');
  const found: Kept[] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [commit = '', parent = '', id = '', date = '', body = ''] = fields.slice(at, at + 5);
    const value = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(body)?.[1] ?? '';
    const name = value('Ralph-Result');
    const about = abouts.get(name);
    if (refs.get(name) !== commit || about === undefined) continue;
    found.push({
      ...{ name, commit, parent, tree: id, date: Number(date), ...about },
      number: Number(name.slice(name.lastIndexOf('/') + 1)),
      message: body.slice(0, body.lastIndexOf('\nRalph-Task: ')).trimEnd(),
    });
  }
  return found.sort((one, other) => one.order - other.order);
}

/** Without those whose objects are gone: `git gc --prune=now` takes what another process has just written. */
async function withObjects(tree: WorkTree, refs: ByName): Promise<ByName> {
  if (refs.size === 0) return refs;
  const names = [...refs.values()].map((id) => `${id}^{tree}\n`).join('');
  const types = await objectText(tree, ['cat-file', '--batch-check=%(objecttype)'], { input: names });
  const lines = types.split('\n');
  return new Map([...refs].filter((_, at) => lines[at] === 'tree'));
}

async function readAbouts(tree: WorkTree, refs: ByName): Promise<ReadonlyMap<string, About>> {
  const input = `${[...refs.values()].join('\n')}\n`;
  const { stdout } = await objectGit(tree, ['cat-file', '--batch=%(objectname) %(objectsize)'], { input });
  const texts = new Map<string, About>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0x0a, at);
    const [id = '', size = '0'] = stdout.toString('latin1', at, end).split(' ');
    const text = stdout.toString('utf8', end + 1, end + 1 + Number(size));
    if (Number(size) > 0) texts.set(id, About.parse(JSON.parse(text)));
    at = end + 1 + Number(size) + 1;
  }
  return new Map(
    [...refs].flatMap(([name, id]) => {
      const about = texts.get(id);
      return about === undefined ? [] : [[name, about] as const];
    }),
  );
}
