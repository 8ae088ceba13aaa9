import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { emptyTree, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { closeDoor, type Door, doorOf, objectsOf, withObjects } from './door.ts';
import type { Objects } from './objects.ts';
import type { RawChange } from './raw-change.ts';
import type { TreeEdit } from './trees.ts';

/** A full id or the full name of a ref, and what is wanted of it. */
const NAME = /^([0-9a-f]{40}|[0-9a-f]{64}|HEAD|refs\/[^^~:@{}\s]+)((?:\^(?:\{commit\}|\{tree\})?)*)$/;

/** The id of the object that a name stands for; `null` when there is none. */
export async function revision(tree: WorkTree, name: string): Promise<string | null> {
  const known = await inProcess(tree, (door, objects) => resolve(tree, door, objects, name));
  if (known !== undefined) return known;
  return (await objectText(tree, ['rev-parse', '--verify', '--quiet', name], { answers: [1] })) || null;
}

/** The id of the tree of a commit or tree, by a name that `git rev-parse` takes. @throws GitError */
export async function treeOf(tree: WorkTree, name: string): Promise<string> {
  const known = await inProcess(tree, (door, objects) => resolve(tree, door, objects, `${name}^{tree}`));
  return known ?? objectText(tree, ['rev-parse', '--verify', `${name}^{tree}`]);
}

/** `undefined`: git has to be asked. */
async function resolve(
  tree: WorkTree,
  { refs }: Door,
  objects: Objects,
  name: string,
): Promise<string | null | undefined> {
  const [, base = '', path = ''] = NAME.exec(name) ?? [];
  if (base === '') return undefined;
  const first = /^[0-9a-f]+$/.test(base) ? base : (refs?.resolve(base) ?? null);
  // Git knows more of a ref that is no plain file.
  if (first === null) return refs === null || isOdd(tree, base) ? undefined : null;
  let id = first;
  for (const step of path.match(/\^(?:\{\w+\})?/g) ?? []) {
    if (step === '^{tree}' && id === emptyTree(id)) continue;
    const found = await objects.read(id);
    if (found === null || found.kind === 'tag' || found.kind === 'blob') return undefined;
    if (step === '^{commit}') {
      // This is asked of commits that may have to be fetched.
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
  return [gitDir, commonDir].some((folder) => lstatQuietly(join(folder, ref))?.isFile() === false);
}

/** Whether a commit is another one, or in its history; false where either isn't there. */
export async function isReachable(tree: WorkTree, commit: string, from: string): Promise<boolean> {
  const known = await inProcess(
    tree,
    async (_, objects) => (await objects.isReachable(commit, from)) ?? undefined,
  );
  if (known !== undefined) return known;
  const args = ['merge-base', '--is-ancestor', commit, from];
  return (await objectGit(tree, args, { answers: [1, 128] })).code === 0;
}

/** Messages of the commits that one commit has in its history and another one hasn't; none where either isn't there. */
export async function messagesBetween(tree: WorkTree, from: string, to: string): Promise<readonly string[]> {
  const known = await inProcess(tree, (_, objects) => messagesOnLine(objects, from, to));
  if (known !== undefined) return known;
  const args = ['log', '-z', '--format=%B', to, `^${from}`];
  const { code, stdout } = await objectGit(tree, args, { answers: [128] });
  return code === 0 ? stdout.toString('utf8').split('\0') : [];
}

/** How far messages are read in this process, in commits. */
const MOST_MESSAGES = 500;

/** Where one commit follows the other; `undefined`: there are merges in between, or it doesn't. */
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

/** Full name of the branch that is checked out; `HEAD`: it is detached. */
export async function headRef(tree: WorkTree): Promise<string> {
  const known = await inProcess(tree, async ({ refs }) => refs?.head() ?? undefined);
  return known ?? ((await objectText(tree, ['symbolic-ref', '-q', 'HEAD'], { answers: [1] })) || 'HEAD');
}

/** The refs whose names begin with one of these folders (`refs/ralph/`), and the objects that they lead to. */
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

/** What differs between two trees, by ids that were resolved; `undefined`: git has to be asked. */
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

/** Writes an object with this text; its id. */
export function writeText(tree: WorkTree, text: string): Promise<string> {
  return withObjects(tree, (objects) => objects.write('blob', Buffer.from(text)));
}

/** Writes a tree in which these paths are another way (`null`: the empty one); its id. @throws GitError */
export async function editedTree(
  tree: WorkTree,
  base: string | null,
  edits: ReadonlyMap<BytePath, TreeEdit>,
): Promise<string> {
  const from = base === null ? null : await treeOf(tree, base);
  return withObjects(tree, (objects) => objects.edit(from, edits));
}

/** What these changes make of their paths. */
export function editsOf(changes: readonly RawChange[]): ReadonlyMap<BytePath, TreeEdit> {
  return new Map(
    changes.map(({ status, path, newMode, newOid }) => [
      path,
      status === 'D' ? null : { mode: newMode, oid: newOid },
    ]),
  );
}

/**
 * Asks in this process. Where an object isn't there any more or is damaged, nothing that was read before counts, and git has the last word.
 *
 * @returns `undefined` where git has to be asked
 */
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

/** What the user's reflog says of a branch that moves. */
const LANDED = 'ralph: landed';
/** A git that moves refs of ours has their locks for milliseconds: one that lies there longer is that of a killed git. */
const DEAD_LOCK_MS = 2000;
/** What a full disk and the like make git say. */
const REFUSED_BY_SYSTEM =
  /No space left on device|Disk quota exceeded|File too large|Read-only file system|Permission denied|Input\/output error/;
const OWN_LOCK = /Unable to create '([^']*\/refs\/ralph\/[^']*\.lock)': File exists/;
/** Updates of ralph's own refs, of which there are no reflogs unless they are wanted of all. */
const OWN_UPDATE = /^(?:update|create|delete|verify) refs\/ralph\//;

/**
 * Moves refs, all of them or none. What a killed git left locked of ralph's own is unlocked.
 *
 * @param updates Lines of `git update-ref --stdin`.
 * @returns false where a ref isn't what the update expects, or git is at work on it.
 * @throws GitError where the system refuses it.
 */
export async function moveRefs(tree: WorkTree, updates: readonly string[]): Promise<boolean> {
  if (updates.length === 0) return true;
  const door = await doorOf(tree);
  // A git that stays would write the time of its first update into each reflog.
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

/** @throws GitError where `moveRefs` would give false. */
export async function updateRefs(tree: WorkTree, updates: readonly string[]): Promise<void> {
  if (await moveRefs(tree, updates)) return;
  // Once more for what git says.
  await objectGit(tree, ['update-ref', '--stdin'], { input: `${updates.join('\n')}\n` });
}
