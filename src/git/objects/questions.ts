import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { emptyTree, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { closeDoor, type Door, doorOf, objectsOf, withObjects } from './door.ts';
import type { Objects } from './objects.ts';
import type { RawChange } from './tree-entries.ts';
import type { TreeEdit } from './trees.ts';

/** A full id or full ref name, with suffixes such as `^{tree}`. */
const NAME = /^([0-9a-f]{40}|[0-9a-f]{64}|HEAD|refs\/[^^~:@{}\s]+)((?:\^(?:\{commit\}|\{tree\})?)*)$/;

/** Returns the id that a name stands for; `null` when there is none. */
export async function revision(tree: WorkTree, name: string): Promise<string | null> {
  const known = await inProcess(tree, (door, objects) => resolve(tree, door, objects, name));
  if (known !== undefined) return known;
  return (await objectText(tree, ['rev-parse', '--verify', '--quiet', name], { answers: [1] })) || null;
}

/** Returns the tree id of a commit or tree, by any name of `git rev-parse`. @throws GitError */
export async function treeOf(tree: WorkTree, name: string): Promise<string> {
  const known = await inProcess(tree, (door, objects) => resolve(tree, door, objects, `${name}^{tree}`));
  return known ?? objectText(tree, ['rev-parse', '--verify', `${name}^{tree}`]);
}

/** Returns the object that a name stands for, `null` for none; `undefined` means that git must be asked. */
async function resolve(
  tree: WorkTree,
  { refs }: Door,
  objects: Objects,
  name: string,
): Promise<string | null | undefined> {
  const [, base = '', path = ''] = NAME.exec(name) ?? [];
  if (base === '') return undefined;
  const first = /^[0-9a-f]+$/.test(base) ? base : (refs?.resolve(base) ?? null);
  // Git can resolve refs that aren't plain files.
  if (first === null) return refs === null || isOdd(tree, base) ? undefined : null;
  let id = first;
  for (const step of path.match(/\^(?:\{\w+\})?/g) ?? []) {
    if (step === '^{tree}' && id === emptyTree(id)) continue;
    const found = await objects.read(id);
    if (found === null || found.kind === 'tag' || found.kind === 'blob') return undefined;
    if (step === '^{commit}') {
      // Callers ask this about commits that may have to be fetched.
      if (found.kind !== 'commit' || !(await objects.isThere(id))) return undefined;
    } else if (step === '^{tree}') {
      if (found.kind === 'commit') id = (await objects.commit(id))?.tree ?? id;
    } else {
      const [parent] = (await objects.parents(id)) ?? [];
      if (parent === undefined) return undefined;
      id = parent;
    }
  }
  return id;
}

function isOdd({ gitDir, commonDir }: WorkTree, ref: string): boolean {
  return [gitDir, commonDir].some((folder) => tryLstat(join(folder, ref))?.isFile() === false);
}

/** Whether `commit` is `from` or in its history; false when one of them is missing. */
export async function isReachable(tree: WorkTree, commit: string, from: string): Promise<boolean> {
  const known = await inProcess(
    tree,
    async (_, objects) => (await objects.isReachable(commit, from)) ?? undefined,
  );
  if (known !== undefined) return known;
  const args = ['merge-base', '--is-ancestor', commit, from];
  return (await objectGit(tree, args, { answers: [1, 128] })).code === 0;
}

/** Returns messages of commits that `to` has and `from` hasn't; empty when one is missing. */
export async function messagesBetween(tree: WorkTree, from: string, to: string): Promise<readonly string[]> {
  const known = await inProcess(tree, (_, objects) => messagesOnLine(objects, from, to));
  if (known !== undefined) return known;
  const args = ['log', '-z', '--format=%B', to, `^${from}`];
  const { code, stdout } = await objectGit(tree, args, { answers: [128] });
  return code === 0 ? stdout.toString('utf8').split('\0') : [];
}

/** Number of messages read here before git is asked. */
const MOST_MESSAGES = 500;

/** Returns messages of a linear history; `undefined` when there are merges or `from` isn't an ancestor. */
async function messagesOnLine(objects: Objects, from: string, to: string): Promise<string[] | undefined> {
  const messages: string[] = [];
  for (let at = to; at !== from; ) {
    const [parent, ...others] = (await objects.parents(at)) ?? [];
    const message = (await objects.commit(at))?.message ?? null;
    if (parent === undefined || others.length > 0 || message === null) return undefined;
    if (messages.push(message) > MOST_MESSAGES) return undefined;
    at = parent;
  }
  return messages;
}

export async function headRef(tree: WorkTree): Promise<string> {
  const known = await inProcess(tree, async ({ refs }) => refs?.head() ?? undefined);
  return known ?? ((await objectText(tree, ['symbolic-ref', '-q', 'HEAD'], { answers: [1] })) || 'HEAD');
}

export async function refsBelow(
  tree: WorkTree,
  folders: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = await inProcess(tree, async ({ refs }) => refs?.below(folders));
  if (known !== undefined) return known;
  const listed = await objectText(tree, ['for-each-ref', '--format=%(objectname) %(refname)', ...folders]);
  const lines = listed.split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

export function rawChanges(
  tree: WorkTree,
  from: string,
  to: string,
): Promise<readonly RawChange[] | undefined> {
  return inProcess(tree, async (door, objects) => {
    const [before, after] = [
      await resolve(tree, door, objects, `${from}^{tree}`),
      await resolve(tree, door, objects, `${to}^{tree}`),
    ];
    if (typeof before !== 'string' || typeof after !== 'string') return undefined;
    return objects.diff(before, after);
  });
}

export function writeText(tree: WorkTree, text: string): Promise<string> {
  return withObjects(tree, (objects) => objects.write('blob', Buffer.from(text)));
}

/** Returns the id of a tree with these edits. @param base `null`: the empty tree. @throws GitError */
export async function editedTree(
  tree: WorkTree,
  base: string | null,
  edits: ReadonlyMap<BytePath, TreeEdit>,
): Promise<string> {
  const from = base === null ? null : await treeOf(tree, base);
  return withObjects(tree, (objects) => objects.edit(from, edits));
}

export function editsOf(changes: readonly RawChange[]): ReadonlyMap<BytePath, TreeEdit> {
  return new Map(
    changes.map(({ status, path, newMode, newOid }) => [
      path,
      status === 'D' ? null : { mode: newMode, oid: newOid },
    ]),
  );
}

/** Asks without git; drops cached data on a missing or damaged object. `undefined`: git must be asked. */
async function inProcess<T>(
  tree: WorkTree,
  ask: (door: Door, objects: Objects) => Promise<T | undefined>,
): Promise<T | undefined> {
  const door = await doorOf(tree);
  if (door === null) return undefined;
  try {
    return await ask(door, await objectsOf(tree));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    closeDoor(tree);
    return undefined;
  }
}

/** Text in the user's reflog when a branch moves. */
const LANDED = 'ralph: landed';
/** Git locks ralph's refs for milliseconds only, so an older lock belongs to a killed git. */
const DEAD_LOCK_MS = 2000;
/** Git's messages about a full disk and similar failures of the system. */
const REFUSED_BY_SYSTEM =
  /No space left on device|Disk quota exceeded|File too large|Read-only file system|Permission denied|Input\/output error/;
const OWN_LOCK = /Unable to create '([^']*\/refs\/ralph\/[^']*\.lock)': File exists/;
/** ralph's own refs have no reflogs unless the user wants them for all refs. */
const OWN_UPDATE = /^(?:update|create|delete|verify) refs\/ralph\//;

/**
 * Moves all refs or none; locks that a killed git left on ralph's refs are removed.
 * @param updates Lines of `git update-ref --stdin`.
 * @returns false when a ref has another value or is locked by git.
 * @throws GitError when the system refuses the write.
 */
export async function moveRefs(tree: WorkTree, updates: readonly string[]): Promise<boolean> {
  if (updates.length === 0) return true;
  const door = await doorOf(tree);
  // A long-running git would write the time of its first update into every reflog.
  const byKept = door !== null && !door.format.logsAllRefs && updates.every((line) => OWN_UPDATE.test(line));
  if (byKept && (await door.moves.move(updates)).kind === 'moved') return true;
  const input = `${updates.join('\n')}\n`;
  const args = ['-c', `core.filesRefLockTimeout=${DEAD_LOCK_MS}`, 'update-ref', '--stdin', '-m', LANDED];
  for (let left = updates.length; ; left -= 1) {
    const { code, stderr } = await objectGit(tree, args, { input, answers: [1, 128] });
    if (code !== 0 && REFUSED_BY_SYSTEM.test(stderr))
      throw new GitError(`git update-ref ended with ${code}: ${stderr}`);
    const lock = OWN_LOCK.exec(stderr)?.[1];
    if (code === 0 || lock === undefined || left === 0) return code === 0;
    rmSync(lock, { force: true });
  }
}

/** Throws a GitError when `moveRefs` returns false. */
export async function updateRefs(tree: WorkTree, updates: readonly string[]): Promise<void> {
  if (await moveRefs(tree, updates)) return;
  // The repeated call fails with git's message.
  await objectGit(tree, ['update-ref', '--stdin'], { input: `${updates.join('\n')}\n` });
}
