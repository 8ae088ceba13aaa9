import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RefsNow } from '../../../domain/ports.ts';
import { trimBlanks } from '../../../lib/text.ts';
import { plainText } from '../../files/plain-file.ts';
import { objectText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Ours: they say nothing of what an agent did. */
const OWN = 'refs/ralph/';
/** Symbolic refs that are followed: git itself stops at five. */
const MAX_LINKS = 5;
/** Bytes up to which a file is read as a ref. */
const MAX_REF = 4096;
/** The same of all packed ones. */
const MAX_PACKED = 64 * 1024 * 1024;

/**
 * Where a repository stands by now. Read from git's own files: also a git folder that an agent wrote, in which no git
 * may run. Where git keeps refs in a table, git is asked.
 */
export async function readRefs(tree: WorkTree): Promise<RefsNow> {
  if (existsSync(join(tree.commonDir, 'reftable'))) return refsOfGit(tree);
  const loose = new Map<string, string>();
  const walk = (root: string, name: string): void => {
    for (const entry of entriesIn(join(root, name))) {
      const path = `${name}/${entry.name}`;
      if (entry.isDirectory()) walk(root, path);
      else if (!path.endsWith('.lock')) loose.set(path, textIn(join(root, path), MAX_REF));
    }
  };
  for (const root of new Set([tree.commonDir, tree.gitDir])) walk(root, 'refs');
  const packed = textIn(join(tree.commonDir, 'packed-refs'), MAX_PACKED);
  const listed = packed.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^ \n]+)$/gm);
  const refs = new Map([...listed].map(([, oid = '', name = '']) => [name, oid]));
  for (const [name, value] of loose) if (OID.test(value)) refs.set(name, value);
  let at = textIn(join(tree.gitDir, 'HEAD'), MAX_REF);
  for (let links = 0; at.startsWith('ref: ') && links < MAX_LINKS; links += 1) {
    const name = trimBlanks(at.slice('ref: '.length));
    const next = loose.get(name) ?? '';
    at = next.startsWith('ref: ') ? next : (refs.get(name) ?? '');
  }
  for (const name of refs.keys()) if (name.startsWith(OWN)) refs.delete(name);
  return { head: OID.test(at) ? at : null, refs };
}

function entriesIn(folder: string) {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { withFileTypes: true })
    : [];
}

/** Empty for a file that is not there, or that can't be read: then it isn't a ref for git either. */
function textIn(path: string, maxBytes: number): string {
  return trimBlanks(plainText(path, maxBytes) ?? '');
}

async function refsOfGit(tree: WorkTree): Promise<RefsNow> {
  const lines = (await objectText(tree, ['show-ref', '--head'], { answers: [1] })).split('\n');
  const all = new Map(
    lines.map((line): [string, string] => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0] ?? '']),
  );
  const refs = [...all].filter(([name]) => name.startsWith('refs/') && !name.startsWith(OWN));
  return { head: all.get('HEAD') ?? null, refs: new Map(refs) };
}

/** Full name of the branch that is checked out; `HEAD`: it is detached. */
export async function headRef(tree: WorkTree): Promise<string> {
  return (await objectText(tree, ['symbolic-ref', '-q', 'HEAD'], { answers: [1] })) || 'HEAD';
}

/** The work tree in which a branch is checked out, by its full name; `null`: in none. */
export async function checkedOutIn(tree: WorkTree, ref: string): Promise<string | null> {
  // Of the repository itself: a view has no HEAD of its own.
  const listed = await objectText({ ...tree, view: null }, ['worktree', 'list', '--porcelain']);
  const shown = listed.split('\n\n').find((one) => one.split('\n').includes(`branch ${ref}`));
  return shown === undefined ? null : (/^worktree (.*)$/m.exec(shown)?.[1] ?? 'another place');
}
