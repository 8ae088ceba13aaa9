import type { RefValue } from '../repository/refs.ts';

export type RefChange = {
  readonly name: string;
  /** `null`: it didn't exist. */
  readonly was: RefValue | null;
  readonly now: RefValue | null;
};

export type RefFacts = {
  /** HEAD before: `ref: refs/heads/NAME`, or a commit. */
  readonly head: RefValue;
  /** Branches that other work trees have checked out. */
  readonly elsewhere: ReadonlySet<string>;
  /** Whether all that the old value had is in the new one. */
  readonly hasGained: (change: RefChange) => boolean;
};

/** With these git shows other content in the place of an object. */
const REPLACING = /^refs\/replace\//;
/** Fetching moves these. */
const MOVING = /^refs\/(?:remotes|prefetch)\//;

/**
 * Which refs come back after an attempt (decisions.md, Refs during an attempt): every one that existed and is gone or
 * moved, but for remote-tracking ones, and for a checked-out branch that only gained commits. What the agent made
 * stays, except replacements of objects, and where its name blocks one that comes back.
 */
export function planRefs(changes: readonly RefChange[], facts: RefFacts): readonly RefChange[] {
  const back = changes.filter((change) => change.was !== null && !mayStay(change, facts));
  const isInTheWay = (name: string) =>
    back.some((one) => one.name.startsWith(`${name}/`) || name.startsWith(`${one.name}/`));
  const removed = changes.filter(
    ({ name, was }) => was === null && (REPLACING.test(name) || isInTheWay(name)),
  );
  return [...removed, ...back];
}

/** Whether HEAD may stay: on a branch that the agent made, with its commit, or ahead on no branch. */
export function mayHeadStay(change: RefChange, isMade: (ref: string) => boolean, facts: RefFacts): boolean {
  const branch = branchOf(change.now);
  if (branch !== null) return isMade(branch);
  return branchOf(change.was) === null && facts.hasGained(change);
}

/** The branch that HEAD stands for; `null` where it stands for a commit, or for nothing that git would take. */
export function branchOf(head: RefValue | null): string | null {
  const name = /^ref: (refs\/heads\/.+)$/.exec(head ?? '')?.[1];
  return name !== undefined && isRefName(name) ? name : null;
}

/** What git refuses in the name of a ref. @see git-check-ref-format(1) */
const REFUSED = /\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[/.]$|[\0-\x20\x7f~^:?*[\\]/;

/** Whether git takes this as the full name of a ref. */
export function isRefName(name: string): boolean {
  return name.startsWith('refs/') && !REFUSED.test(name);
}

function mayStay(change: RefChange, { head, elsewhere, hasGained }: RefFacts): boolean {
  if (MOVING.test(change.name)) return true;
  const isCheckedOut = change.name === branchOf(head) || elsewhere.has(change.name);
  return isCheckedOut && change.now !== null && hasGained(change);
}
