import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RefsNow } from '../../../domain/ports.ts';
import { trimBlanks } from '../../../lib/text.ts';
import { fileSignature, isSettledFile, lstatOrNull, readPlainFile } from '../../files/plain-file.ts';
import { objectGit, objectText } from '../call/git.ts';
import { stampOf, type WorkTree } from '../call/work-tree.ts';

/** Where a ref stands: an object id, or `ref: NAME` for one that stands for another. */
export type RefValue = string;

/** HEAD, and the refs that have files of their own. What a file holds that isn't a value is here too. */
export type LooseRefs = { readonly head: RefValue | null; readonly loose: Record<string, RefValue> };

/** @param without A folder of refs that isn't asked for. */
export type LooseReader = (without?: string) => Promise<LooseRefs>;

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Ours: they say nothing of what an agent did. */
const OWN = 'refs/ralph';
/** Symbolic refs that are followed: git itself stops at five. */
const MAX_LINKS = 5;
/** Bytes up to which a file is read as a ref. */
const MAX_REF = 4096;
/** The same of all packed ones. */
const MAX_PACKED = 64 * 1024 * 1024;

/**
 * Reads refs from git's own files, which takes a tenth of the time of a process; a file that is as it was isn't read
 * again. Where git keeps them in a table, git is asked.
 */
export function looseRefs(tree: WorkTree): LooseReader {
  const seen = new Map<string, { readonly signature: string; readonly value: RefValue }>();
  const valueIn = (path: string): RefValue | null => {
    const stat = lstatOrNull(path);
    if (stat === null || stat.isDirectory()) return null;
    const signature = fileSignature(stat);
    const before = seen.get(path);
    if (before?.signature === signature && isSettledFile(stat)) return before.value;
    const value = textIn(path, MAX_REF) ?? '';
    seen.set(path, { signature, value });
    return value;
  };
  const walk = (root: string, name: string, into: Record<string, RefValue>, without: string): void => {
    for (const entry of entriesIn(join(root, name))) {
      const path = `${name}/${entry.name}`;
      if (path === without) continue;
      if (entry.isDirectory()) walk(root, path, into, without);
      else if (!path.endsWith('.lock')) into[path] = valueIn(join(root, path)) ?? '';
    }
  };
  return async (without = '') => {
    const loose: Record<string, RefValue> = {};
    if (hasTable(tree)) await readTable(tree, loose);
    else for (const root of new Set([tree.commonDir, tree.gitDir])) walk(root, 'refs', loose, without);
    return { head: valueIn(join(tree.gitDir, 'HEAD')), loose };
  };
}

/** The refs of a `packed-refs` file. */
export function parsePacked(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^ \n]+)$/gm);
  return new Map([...found].map(([, oid = '', name = '']) => [name, oid]));
}

/** Where the repository stands by now. */
export async function readRefs(tree: WorkTree, read: LooseReader): Promise<RefsNow> {
  if (hasTable(tree)) return refsOfGit(tree);
  const others = await read(OWN);
  // There is one of ours for each attempt. HEAD or a branch can stand for one all the same.
  const leadsToOwn = [others.head, ...Object.values(others.loose)].some((value) =>
    value?.startsWith(`ref: ${OWN}/`),
  );
  const { head, loose } = leadsToOwn ? await read() : others;
  const refs = new Map(packedRefs(join(tree.commonDir, 'packed-refs')));
  for (const [name, value] of Object.entries(loose)) if (OID.test(value)) refs.set(name, value);
  let at = head ?? '';
  for (let links = 0; at.startsWith('ref: ') && links < MAX_LINKS; links += 1) {
    const name = trimBlanks(at.slice('ref: '.length));
    const next = loose[name] ?? '';
    at = next.startsWith('ref: ') ? next : (refs.get(name) ?? '');
  }
  for (const name of refs.keys()) if (name.startsWith(`${OWN}/`)) refs.delete(name);
  return { head: OID.test(at) ? at : null, refs };
}

/** The names of refs in a folder of refs, as git's files have them; `null` where git keeps them in a table. */
export function refNamesIn(tree: WorkTree, folder: string): readonly string[] | null {
  if (hasTable(tree)) return null;
  const loose = entriesIn(join(tree.commonDir, folder)).map(({ name }) => `${folder}${name}`);
  const all = [...loose, ...packedRefs(join(tree.commonDir, 'packed-refs')).keys()];
  return all.filter((name) => name.startsWith(folder));
}

/** Whether git keeps refs in a table, and no file for each. */
export function hasTable({ commonDir }: WorkTree): boolean {
  return existsSync(join(commonDir, 'reftable'));
}

function entriesIn(folder: string) {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { withFileTypes: true })
    : [];
}

/** `null` for a file that is not there, or that can't be read: then it isn't a ref for git either. */
function textIn(path: string, maxBytes: number): string | null {
  try {
    const file = readPlainFile(path, maxBytes);
    return file.kind === 'file' ? trimBlanks(file.bytes.toString('utf8')) : null;
  } catch {
    return null;
  }
}

/** Repositories that keep their refs in a table have no file for each. */
async function readTable(tree: WorkTree, into: Record<string, RefValue>): Promise<void> {
  const format = '--format=%(refname) %(objectname) %(symref)';
  const listed = (await objectGit(tree, ['for-each-ref', format])).stdout.toString('utf8');
  for (const [, name = '', oid = '', symbolic] of listed.matchAll(/^([^ \n]+) ([^ \n]+) ([^ \n]*)$/gm))
    into[name] = symbolic ? `ref: ${symbolic}` : oid;
}

/** Full name of the branch that is checked out; `HEAD`: it is detached. */
export async function headRef(tree: WorkTree): Promise<string> {
  return (await objectText(tree, ['symbolic-ref', '-q', 'HEAD'], { answers: [1] })) || 'HEAD';
}

async function refsOfGit(tree: WorkTree): Promise<RefsNow> {
  const lines = (await objectText(tree, ['show-ref', '--head'], { answers: [1] })).split('\n');
  const all = new Map(
    lines.map((line): [string, string] => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0] ?? '']),
  );
  const refs = [...all].filter(([name]) => name.startsWith('refs/') && !name.startsWith(`${OWN}/`));
  return { head: all.get('HEAD') ?? null, refs: new Map(refs) };
}

/** The newest reading of a `packed-refs`, with what its file looked like then. */
let packed: {
  readonly path: string;
  readonly stamp: string;
  readonly refs: ReadonlyMap<string, string>;
} | null = null;

function packedRefs(path: string): ReadonlyMap<string, string> {
  const stamp = stampOf(path);
  if (packed?.path === path && packed.stamp === stamp) return packed.refs;
  packed = { path, stamp, refs: parsePacked(textIn(path, MAX_PACKED) ?? '') };
  return packed.refs;
}

/** What your editor or a timer fetches meanwhile. */
const FETCHED = 'refs/remotes/';

/** Names what changes from now on of HEAD, branches, tags, stashes and the index. */
export async function watchGit(tree: WorkTree, read: LooseReader): Promise<() => Promise<readonly string[]>> {
  const before = await refValues(tree, read);
  return async () => {
    const now = await refValues(tree, read);
    return [...new Set([...before.keys(), ...now.keys()])].filter(
      (name) => before.get(name) !== now.get(name),
    );
  };
}

async function refValues(tree: WorkTree, read: LooseReader): Promise<ReadonlyMap<string, string>> {
  const { head, refs } = await readRefs(tree, read);
  const { stdout } = await objectGit(tree, ['ls-files', '--stage', '-z']);
  const own = [...refs].filter(([name]) => !name.startsWith(FETCHED));
  const index = createHash('sha256').update(stdout).digest('hex');
  return new Map([['HEAD', head ?? ''], ...own, ['the index', index]]);
}
