import type { KnownResult, ResultId, ResultStatus } from '../../domain/ports.ts';
import { objectGit } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { objectsOf } from '../objects/door.ts';
import {
  isReachable,
  messagesBetween,
  moveRefs,
  revision,
  treeOf,
  updateRefs,
} from '../objects/questions.ts';
import { type ArchivedResult, archiveResults } from './archive.ts';
import { type KnownLine, readLine } from './known-line.ts';
import {
  appended,
  conflictingPaths,
  type Effect,
  effectAt,
  isIn,
  lineCommit,
  pathsBetween,
} from './replay.ts';
import { encoded, type KeptResult, refsOf } from './results.ts';

/** A result on the line that hasn't landed. */
export type Open = {
  readonly result: KeptResult;
  readonly at: string;
  readonly tree: string;
};

/** State of verified work, computed from the branch and the results. */
export type ComputedLine = {
  readonly tip: string;
  /** Commit that the checkout is compared with: the tip, or with `commit = "never"` the uncommitted one. */
  readonly checkoutBase: string;
  readonly commit: string;
  readonly tree: string;
  readonly chain: readonly Open[];
  readonly results: readonly (KnownResult & Pick<KeptResult, 'name'>)[];
  /** Results first found to be taken out. */
  readonly withdrawn: readonly ResultId[];
  readonly held: KnownLine['marks']['held'];
  /** Whether reading the line changed no refs, so that reading it again would find the same. */
  readonly isSettled: boolean;
  /** Task whose change is in a stash, with `commit = "never"`; `null`: none. */
  readonly stashed: string | null;
};

export type LineOptions = {
  /** Full name of the ref where results land; `HEAD` when detached. */
  readonly ref: string;
  readonly tip: string;
  readonly commits: boolean;
  readonly isAsIn: (commit: string, paths: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** Ref of the tip at the last look. */
export function seenRef(tree: WorkTree, ref: string): string {
  return `${refsOf(tree)}/seen/${encoded(ref)}`;
}

/** Ref of the line's commit that is in the checkout uncommitted. */
export function uncommittedRef(tree: WorkTree, ref: string): string {
  return `${refsOf(tree)}/standing/${encoded(ref)}`;
}

/** Applies the rules of ralph's line. @see docs/adr/0061-work-copies.md, Landing */
export async function computeLine(tree: WorkTree, options: LineOptions): Promise<ComputedLine> {
  const { ref, tip, commits } = options;
  const refs = refsOf(tree);
  const line = await readLine(tree);
  const { keptResults, marks } = line;
  const { landed, withdrawn, superseded } = marks;
  const all = behindNeeds(
    keptResults.filter((one) => one.ref === ref),
    superseded,
  );
  const lastTip = (await revision(tree, seenRef(tree, ref))) ?? tip;
  const moved = all.length > 0 && lastTip !== tip;
  const brought = moved ? await resultsBetween(tree, lastTip, tip) : new Set<string>();
  const reverted = moved ? await revertedBetween(tree, lastTip, tip) : new Set<string>();
  const touched = moved ? await touchedBetween(tree, lastTip, tip, all, line.archived) : null;
  const updates: string[] = [];
  const set = (kind: string, name: string, commit: string) =>
    updates.push(`update ${refs}/${kind}/${name} ${commit}`);
  const statuses = new Map<string, ResultStatus>();
  const out: KeptResult[] = [];
  const say = (one: KeptResult, status: ResultStatus) => void statuses.set(one.name, status);
  const chain: Open[] = [];
  let [acc, checkoutBase, stashed] = [tip, tip, null as string | null];

  const withdraw = (one: KeptResult) => {
    if (!landed.has(one.name)) set('landed', one.name, tip);
    set('withdrawn', one.name, one.commit);
    say(one, { kind: 'withdrawn' });
    out.push(one);
  };

  const inFilesOnly = commits ? new Map<string, Effect>() : await uncommitted(tree, tip, all, line);
  const lacked = new Set([...inFilesOnly.values()].flatMap(({ lacks }) => lacks));
  // The files are read once for all results, since each time starts processes.
  const back = await options.isAsIn(tip, [...lacked]);

  for (const one of all) {
    const { name } = one;
    const at = landed.get(name) ?? null;
    if (superseded.has(name)) {
      say(one, { kind: 'superseded' });
      continue;
    }
    const stands = inFilesOnly.get(name);
    if (at !== null && stands === undefined) {
      const before: ResultStatus = withdrawn.has(name)
        ? { kind: 'withdrawn' }
        : { kind: 'landed', commit: at };
      say(one, before);
      if (!moved || !(touched?.has(name) ?? true)) continue;
      const now = (await effectAt(tree, one, tip)).kind;
      const reachable = await isReachable(tree, at, tip);
      const known = reachable || brought.has(name) || (await resultsBetween(tree, at, tip)).has(name);
      if (!reachable && (known || now === 'there')) set('landed', name, tip);
      const isOut = !known && now !== 'there';
      const isUndone = now !== 'there' && reverted.has(name);
      const isGone = now === 'gone' && (await effectAt(tree, one, lastTip)).kind !== 'gone';
      if (before.kind === 'landed' && (isOut || isUndone || isGone)) withdraw(one);
      else if (before.kind === 'withdrawn' && now === 'there') {
        updates.push(`delete ${refs}/withdrawn/${name}`);
        say(one, { kind: 'landed', commit: tip });
      }
      continue;
    }
    const effect = stands ?? (moved ? await effectAt(tree, one, tip) : null);
    const here = effect?.kind ?? null;
    if (stands === undefined && brought.has(name) && here !== 'there') {
      withdraw(one);
      continue;
    }
    if (here === 'there' || (here === null && (await isIn(tree, one, tip)))) {
      set('landed', name, tip);
      say(one, { kind: 'landed', commit: tip });
      continue;
    }
    if (stands !== undefined) {
      const { lacks: paths } = stands;
      if (paths.some((path) => back.has(path))) {
        if (withdrawn.has(name)) say(one, { kind: 'withdrawn' });
        else withdraw(one);
        if (await isStashed(tree, paths, at ?? tip)) stashed = one.taskId;
        continue;
      }
      if (withdrawn.has(name)) updates.push(`delete ${refs}/withdrawn/${name}`);
    }
    const missing = one.needs.find((id) => isMissing(all, statuses, id));
    const made = missing === undefined || stands !== undefined ? await appended(tree, one, acc) : null;
    if (made === null) {
      if (stands !== undefined) {
        set('landed', name, tip);
        say(one, { kind: 'landed', commit: tip });
      } else {
        const { paths } = await conflictingPaths(tree, one.parent, one.commit, acc);
        say(one, { kind: 'conflicting', paths, needs: missing ?? null });
      }
      continue;
    }
    acc = await lineCommit(tree, one, acc, made, commits);
    if (stands !== undefined) {
      checkoutBase = acc;
      say(one, { kind: 'landed', commit: acc });
    } else {
      chain.push({ result: one, at: acc, tree: made });
      say(one, { kind: 'open' });
    }
  }
  if (!commits && all.length > 0) updates.push(`update ${uncommittedRef(tree, ref)} ${checkoutBase}`);
  if (all.length > 0 && (lastTip !== tip || (await revision(tree, seenRef(tree, ref))) === null))
    updates.push(`update ${seenRef(tree, ref)} ${tip}`);
  const isSettled = updates.length === 0;
  await updateRefs(tree, updates);
  // Another process may do the same at this moment.
  if (isSettled && commits) await moveRefs(tree, await updatesOfPast(tree, line, all, tip));
  const results = all.map(({ taskId, number, commit, name }) => ({
    taskId,
    number,
    commit,
    name,
    status: statuses.get(name) ?? ({ kind: 'open' } as const),
  }));
  return {
    tip,
    checkoutBase,
    commit: acc,
    tree: await treeOf(tree, acc),
    chain,
    results,
    stashed,
    withdrawn: out.map(({ taskId, number }) => ({ taskId, number })),
    held: marks.held,
    isSettled,
  };
}

/**
 * Returns what the branch has of the landed results that aren't in its history, by name: with `commit = "never"` they are
 * in files only.
 */
async function uncommitted(
  tree: WorkTree,
  tip: string,
  all: readonly KeptResult[],
  { marks: { landed, superseded } }: KnownLine,
): Promise<ReadonlyMap<string, Effect>> {
  const found = new Map<string, Effect>();
  for (const one of all) {
    const at = landed.get(one.name);
    if (at === undefined || superseded.has(one.name) || (await isReachable(tree, at, tip))) continue;
    found.set(one.name, await effectAt(tree, one, tip));
  }
  return found;
}

/** Number of landed results that are put away together. */
const PUT_AWAY_AT = 8;

/** Returns ref updates that put away landed results, so that later looks read few refs. */
async function updatesOfPast(
  tree: WorkTree,
  { marks, archived }: KnownLine,
  all: readonly KeptResult[],
  tip: string,
): Promise<readonly string[]> {
  const { landed, withdrawn, superseded, held } = marks;
  const candidates = all.filter(
    ({ name }) =>
      landed.has(name) &&
      !archived.has(name) &&
      ![withdrawn, superseded, held].some((mark) => mark.has(name)),
  );
  if (candidates.length < PUT_AWAY_AT) return [];
  const found: ArchivedResult[] = [];
  for (const result of candidates) {
    const at = landed.get(result.name) ?? '';
    if (!(await isReachable(tree, at, tip))) continue;
    found.push({ result, landed: at, paths: await pathsBetween(tree, result.parent, result.commit) });
  }
  return found.length < PUT_AWAY_AT ? [] : archiveResults(tree, found);
}

/** Returns results in order, each after those it needs; a redone task counts by its latest result. */
function behindNeeds(all: readonly KeptResult[], superseded: ReadonlyMap<string, string>): KeptResult[] {
  const newest = new Map(all.filter(({ name }) => !superseded.has(name)).map((one) => [one.taskId, one]));
  const placeOf = ({ taskId, order, needs }: KeptResult, above: readonly string[]): number => {
    const relied = needs.flatMap((id) => (above.includes(id) ? [] : (newest.get(id) ?? [])));
    return Math.max(order, ...relied.map((one) => placeOf(one, [...above, taskId]) + 0.001));
  };
  const places = new Map(
    all.map((one) => [one.name, superseded.has(one.name) ? one.order : placeOf(one, [])]),
  );
  return all.toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0));
}

function isMissing(
  all: readonly KeptResult[],
  statuses: ReadonlyMap<string, ResultStatus>,
  id: string,
): boolean {
  const last = all.findLast(({ taskId, name }) => taskId === id && statuses.get(name)?.kind !== 'superseded');
  if (last === undefined) return false;
  const kind = statuses.get(last.name)?.kind;
  return kind === 'conflicting' || kind === 'withdrawn';
}

async function resultsBetween(tree: WorkTree, from: string, to: string): Promise<Set<string>> {
  return new Set((await messagesBetween(tree, from, to)).flatMap(resultsIn));
}

/** Returns result names in the last paragraph of a commit message. */
function resultsIn(message: string): string[] {
  const last =
    message
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? '';
  return [...last.matchAll(/^Ralph-Result: (.*)$/gm)].map(([, name = '']) => name);
}

/** Returns results with a path changed between two commits; `null` when the branch was rewritten, so any may be. */
async function touchedBetween(
  tree: WorkTree,
  from: string,
  to: string,
  results: readonly KeptResult[],
  past: KnownLine['archived'],
): Promise<ReadonlySet<string> | null> {
  if (!(await isReachable(tree, from, to))) return null;
  const changed = new Set<string>(await pathsBetween(tree, from, to));
  const touched = new Set<string>();
  for (const one of results) {
    const paths = past.get(one.name)?.paths ?? (await pathsBetween(tree, one.parent, one.commit));
    if (paths.some((path) => changed.has(path))) touched.add(one.name);
  }
  return touched;
}

async function revertedBetween(tree: WorkTree, from: string, to: string): Promise<Set<string>> {
  const messages = (await messagesBetween(tree, from, to)).join('\n');
  const objects = await objectsOf(tree);
  const names = new Set<string>();
  for (const [, id = ''] of messages.matchAll(/This reverts commit ([0-9a-f]{40,64})/g)) {
    const commit = await objects.commit(id).catch(() => null);
    for (const name of resultsIn(commit?.message ?? '')) names.add(name);
  }
  return names;
}

async function isStashed(tree: WorkTree, paths: readonly BytePath[], commit: string): Promise<boolean> {
  const listed = await objectGit(tree, ['stash', 'list', '--format=%H'], { answers: [1, 128] });
  const stashes = listed.stdout.toString('utf8').split('\n').filter(Boolean);
  for (const stash of stashes) {
    const differ = new Set(await pathsBetween(tree, stash, commit));
    if (paths.some((path) => !differ.has(path))) return true;
  }
  return false;
}
