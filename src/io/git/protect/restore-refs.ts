import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Restored } from '../../../domain/records/iteration.ts';
import { trimBlanks } from '../../../lib/text.ts';
import { changeOf, putBack } from '../../protect/kept-file.ts';
import type { Vault } from '../../protect/vault.ts';
import { replaceFile } from '../../store/files/atomic-file.ts';
import { readPlainFile } from '../../store/files/plain-file.ts';
import { objectGit } from '../call/git.ts';
import type { RefValue } from '../repository/refs.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { removeBrokenRefs } from './broken-refs.ts';
import { mayHeadStay, planRefs, type RefChange } from './plan-refs.ts';
import { isCommitId, isPackedWhole, isValue, type RefReader, type Refs } from './refs.ts';

export type RestoredRefs = {
  readonly found: readonly Restored[];
  /** All refs as they were found, as far as git can read them, and as they are by now. */
  readonly left: Refs;
  readonly now: Refs;
};

type Place = {
  readonly tree: WorkTree;
  readonly reader: RefReader;
  readonly vault: Vault;
  /** Refs that this process wrote since, with their values; `null`: removed. */
  readonly ours: ReadonlyMap<string, RefValue | null>;
  /** Below which name what is replaced stays reachable: `RUN/ITERATION`. */
  readonly keepUnder: string;
};

/**
 * Puts refs and HEAD back. Objects and settings must be right by now.
 *
 * @throws GitError, or the Node error.
 */
export async function restoreRefs(place: Place, before: Refs): Promise<RestoredRefs> {
  const { tree, reader } = place;
  const found = makeReadable(place, before);
  const left = await reader.read();
  const broken = await removeBrokenRefs(place, before, left);
  found.push(...broken);
  const now = broken.length > 0 ? await reader.read() : left;
  const changes = changesOf(place, before, now);
  const head = { name: 'HEAD', was: before.head, now: now.head };
  const moved = head.was !== head.now && isValue(head.was);
  if (changes.length === 0 && !moved) return { found, left, now };
  const gained = new Set<RefChange>();
  for (const change of moved ? [...changes, head] : changes)
    if ((await lacks(tree, change.was, change.now)) === false) gained.add(change);
  const facts = {
    head: before.head ?? '',
    elsewhere: new Set(before.elsewhere),
    hasGained: (change: RefChange) => gained.has(change),
  };
  const plan = [...planRefs(changes, facts)];
  const isMade = (ref: string) => reader.valueOf(before, ref) === null && reader.valueOf(now, ref) !== null;
  const isHeadBack = moved && !mayHeadStay(head, isMade, facts);
  const kept = new Map<RefChange, string>();
  for (const change of isHeadBack ? [...plan, head] : plan) {
    const name = await keptName(place, change);
    if (name !== null) kept.set(change, name);
  }
  if (isHeadBack) replaceFile(join(tree.gitDir, 'HEAD'), `${head.was}\n`);
  await setRefs(place, before, plan, kept);
  for (const change of isHeadBack ? [...plan, head] : plan)
    found.push(restored(change, kept.get(change) ?? null));
  return { found, left, now: await reader.read() };
}

/** Without a HEAD, or with packed refs that it can't read, git does nothing at all. */
function makeReadable({ tree, vault }: Place, before: Refs): Restored[] {
  const path = join(tree.gitDir, 'HEAD');
  const found: Restored[] = [];
  const now = readPlainFile(path, 4096);
  const value = now.kind === 'file' ? trimBlanks(now.bytes.toString('utf8')) : null;
  if (isValue(before.head) && !isValue(value)) {
    rmSync(path, { recursive: true, force: true });
    replaceFile(path, `${before.head}\n`);
    found.push(restored({ name: 'HEAD', was: before.head, now: now.kind === 'absent' ? null : '' }, null));
  }
  const { packed } = before;
  if (packed.was.kind !== 'file' || changeOf(packed) === null) return found;
  const file = readPlainFile(packed.path);
  if (file.kind !== 'file' || !isPackedWhole(file.bytes.toString('utf8'))) putBack(packed, vault);
  return found;
}

function changesOf({ reader, ours }: Place, before: Refs, now: Refs): RefChange[] {
  const others = reader.changes(before, now).filter(({ name }) => !ours.has(name));
  const own = [...ours].map(([name, was]) => ({ name, was, now: reader.valueOf(now, name) }));
  return [...others, ...own.filter((change) => change.was !== change.now)];
}

/** Whether `one` has commits that `other` lacks; `null` where one of them has none. */
async function lacks(tree: WorkTree, one: RefValue | null, other: RefValue | null): Promise<boolean | null> {
  if (one === null || other === null || !isCommitId(one) || !isCommitId(other)) return null;
  const listed = await objectGit(tree, ['rev-list', '--max-count=1', one, `^${other}`], { answers: [128] });
  return listed.code === 0 ? listed.stdout.length > 0 : null;
}

/** The name under which what stands at a ref stays reachable; `null` where nothing would be lost. */
async function keptName({ tree, keepUnder }: Place, { name, was, now }: RefChange): Promise<string | null> {
  if (now === null || !isCommitId(now) || (await lacks(tree, now, was)) === false) return null;
  const { code } = await objectGit(tree, ['cat-file', '-e', now], { answers: [1, 128] });
  const short = name.replace(/^refs\//, '').replaceAll('/', '-');
  return code === 0 ? `refs/ralph/kept/${keepUnder}/${short}-${now.slice(0, 8)}` : null;
}

/** What is kept and what blocks first: git refuses both in one step with what they make room for. */
async function setRefs(
  place: Place,
  before: Refs,
  plan: readonly RefChange[],
  kept: ReadonlyMap<RefChange, string>,
): Promise<void> {
  const { tree } = place;
  const first = [
    ...[...kept].map(([{ now }, name]) => `update ${name} ${now}`),
    ...plan.filter(({ was }) => was === null).map(({ name }) => `delete ${name}`),
  ];
  await updateRefs(tree, first);
  const back = plan.filter(({ was }) => was !== null);
  if (Object.keys(before.loose).length > 0) for (const change of back) clearWay(tree, change);
  await updateRefs(
    tree,
    back.filter(({ was }) => !was?.startsWith('ref: ')).map(({ name, was }) => `update ${name} ${was}`),
  );
  for (const { name, was } of back)
    if (was?.startsWith('ref: ')) await objectGit(tree, ['symbolic-ref', name, was.slice('ref: '.length)]);
}

async function updateRefs(tree: WorkTree, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const input = lines.map((line) => `option no-deref\n${line}\n`).join('');
  await objectGit(tree, ['update-ref', '-m', 'ralph: restored', '--stdin'], { input });
}

/** Removes what keeps git from writing a ref: a link or file in the place of a folder, a broken ref, a lock. */
function clearWay(tree: WorkTree, { name, now }: RefChange): void {
  const path = join(tree.commonDir, name);
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = join(tree.commonDir, ...parts.slice(0, depth));
    const stat = lstatSync(above, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) rmSync(above, { force: true });
  }
  mkdirSync(dirname(path), { recursive: true });
  rmSync(`${path}.lock`, { recursive: true, force: true });
  const isBroken = now === null || !isCommitId(now) || !lstatSync(path, { throwIfNoEntry: false })?.isFile();
  if (isBroken) rmSync(path, { recursive: true, force: true });
}

function restored({ name, now }: RefChange, kept: string | null): Restored {
  return { kind: 'ref', path: name, change: now === null ? 'deleted' : 'modified', setAside: kept };
}
