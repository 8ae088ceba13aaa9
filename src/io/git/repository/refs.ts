import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RefsNow } from '../../../domain/ports.ts';
import { readFileBytes } from '../../store/files/plain-file.ts';
import { objectText } from '../call/git.ts';
import { stampOf, type WorkTree } from './work-tree.ts';

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Ours: they say nothing of what an agent did. */
const OWN = 'refs/ralph';
/** Symbolic refs that are followed: git itself stops at five. */
const MAX_LINKS = 5;

/**
 * HEAD and all refs, read from their files: that takes a tenth of the time of a process, and it is asked for with every
 * attempt. Where git keeps them in another form, git is asked.
 */
export async function readRefs(tree: WorkTree): Promise<RefsNow> {
  if (existsSync(join(tree.commonDir, 'reftable'))) return refsOfGit(tree);
  const refs = new Map(packedRefs(join(tree.commonDir, 'packed-refs')));
  const symbolic = new Map<string, string>();
  readLoose(tree.commonDir, 'refs', (name, text) => {
    if (OID.test(text)) refs.set(name, text);
    else if (text.startsWith('ref: ')) symbolic.set(name, text.slice('ref: '.length).trim());
  });
  let at = fileText(join(tree.gitDir, 'HEAD')) ?? '';
  for (let links = 0; at.startsWith('ref: ') && links < MAX_LINKS; links += 1) {
    const name = at.slice('ref: '.length).trim();
    const next = symbolic.get(name);
    at = next === undefined ? (refs.get(name) ?? '') : `ref: ${next}`;
  }
  return { head: OID.test(at) ? at : null, refs };
}

/** A file system's clock may lag behind this process's by so much, in milliseconds. */
const LAG_MS = 2000;

/**
 * Commits at refs whose files changed since. That can't be hidden: no program can set the change time back. Where many
 * refs share a file all of them count.
 */
export async function tipsSince(tree: WorkTree, time: string): Promise<readonly string[]> {
  const since = Date.parse(time) - LAG_MS;
  const { refs } = await readRefs(tree);
  const changed = (name: string) => {
    const file = lstatSync(join(tree.commonDir, name), { throwIfNoEntry: false });
    return file !== undefined && file.ctimeMs >= since;
  };
  const together = existsSync(join(tree.commonDir, 'reftable')) || changed('packed-refs');
  return [...new Set([...refs].filter(([name]) => together || changed(name)).map(([, oid]) => oid))];
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
let packed: { readonly path: string; readonly stamp: string; readonly refs: [string, string][] } | null =
  null;

function packedRefs(path: string): readonly [string, string][] {
  const stamp = stampOf(path);
  if (packed?.path === path && packed.stamp === stamp) return packed.refs;
  const refs = (fileText(path) ?? '').split('\n').flatMap((line): [string, string][] => {
    const [oid = '', name = ''] = line.split(' ');
    return OID.test(oid) && !name.startsWith(`${OWN}/`) ? [[name, oid]] : [];
  });
  packed = { path, stamp, refs };
  return refs;
}

function readLoose(commonDir: string, folder: string, found: (name: string, text: string) => void): void {
  if (folder === OWN) return;
  for (const entry of readdirSync(join(commonDir, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) readLoose(commonDir, name, found);
    else if (entry.isFile()) found(name, fileText(join(commonDir, name)) ?? '');
  }
}

/** `null` for a file that is not there, or that can't be read: then it is no ref for git either. */
function fileText(path: string): string | null {
  try {
    return readFileBytes(path).toString('latin1').trim();
  } catch {
    return null;
  }
}
