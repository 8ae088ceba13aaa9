import { counted } from 'ralph-kit/counted';
import { match } from 'ralph-kit/match';
import { editDistance, nearest } from 'ralph-kit/nearest';
import { nameOf } from 'ralph-kit/paths';
import type { Change, ChangeSet, Hunk } from '../../../domain/change-set.ts';
import type { Claim, EvidenceCheck, EvidenceItem, FileFact } from '../../../domain/claim.ts';
import type { Task } from '../../../domain/task.ts';
import { pathsOfCriteria } from '../criteria/criteria-of.ts';
import { leavesRepository, pathStrength } from '../items/path-names.ts';

type Finding = Pick<EvidenceCheck, 'standing' | 'why'>;

const confirmed = (why: string): Finding => ({ standing: 'confirmed', why });
const unconfirmed = (why: string): Finding => ({ standing: 'unconfirmed', why });
const mistaken = (why: string): Finding => ({ standing: 'mistaken', why });
const contradicted = (why: string): Finding => ({ standing: 'contradicted', why });

export type EvidenceFacts = {
  /** `series` has the net changes of all attempts at the task, `attempt` those of the newest one. */
  readonly series: ChangeSet;
  readonly attempt: ChangeSet;
  readonly facts: readonly FileFact[];
  /** Paths that attempts at the task changed, even if the change is gone. */
  readonly earlierPaths: readonly string[];
};

/**
 * Checks each item of evidence against the changes of the task's attempts and the files. Only impossible claims are contradicted: a missing
 * file, one in another state than claimed, or, where nothing else is right, lines behind the end of a file that isn't changed. A wrong line
 * number or misspelt path is mistaken. Items that are only mentioned, uncertain or
 * outside of the repository are unconfirmed at worst.
 */
export function validateEvidence(
  claim: Claim,
  { series, attempt, facts, earlierPaths }: EvidenceFacts,
): EvidenceCheck[] {
  const factByPath = new Map(facts.map((fact) => [fact.path, fact]));
  const earlier = new Set(earlierPaths);
  const checks = claim.evidence.map((item) => {
    const whole = checkItem(item, { changes: series, facts: factByPath, earlier });
    const own =
      series === attempt ? whole : checkItem(item, { changes: attempt, facts: factByPath, earlier });
    const check = whole.standing !== 'confirmed' && own.standing === 'confirmed' ? own : whole;
    return {
      item,
      ...(claim.status === 'already_done' ? whereItIs(item, factByPath.get(item.path), check) : check),
    };
  });
  const isRight = checks.some(({ standing: status }) => status === 'confirmed' || status === 'mistaken');
  return checks.map((check) => {
    const nowhere = isRight ? null : placeNowhere(check, factByPath.get(check.item.path));
    if (nowhere !== null) return { ...check, ...contradicted(nowhere) };
    const meant = misspelt(check, { series, facts: factByPath, isRight });
    return meant === null
      ? check
      : { ...check, ...mistaken(`${check.item.path} does not exist; ${meant} was changed`) };
  });
}

/** Returns the check of work that already existed: its place has to exist. */
function whereItIs({ path, from, to }: EvidenceItem, fact: FileFact | undefined, check: Finding): Finding {
  if (check.standing === 'confirmed' || fact?.exists !== true) return check;
  const isBeyond = fact.lines !== null && Math.max(from ?? 0, to ?? 0) > fact.lines;
  return isBeyond ? check : confirmed(`${path} is there`);
}

/** Returns why no work can be in these lines: the file isn't changed, and has fewer of them; `null`: it can. */
function placeNowhere({ item, standing: status }: EvidenceCheck, fact: FileFact | undefined): string | null {
  const { path, from, to, source } = item;
  const lines = fact?.lines ?? null;
  if (status !== 'unconfirmed' || source !== 'block' || fact?.ignored === true) return null;
  if (lines === null || from === null || from <= lines) return null;
  return `${tooFewLines(path, lines, range(from, to ?? from))}, and was not changed`;
}

function tooFewLines(path: string, lines: number, wanted: string): string {
  return `${path} has ${counted(lines, 'line')}, so no ${wanted}`;
}

/** Edits between a path and the meant one, when nothing else shows a typo. */
const TYPO = 2;
/** Characters of a name too short to count as a typo of another. */
const SHORT_NAME = 3;

function misspelt(
  { item, standing: status }: EvidenceCheck,
  { series, facts, isRight }: { series: ChangeSet; facts: ReadonlyMap<string, FileFact>; isRight: boolean },
): string | null {
  const { path, says } = item;
  if (status !== 'contradicted' || says === 'deleted' || facts.get(path)?.exists !== false) return null;
  const name = nameOf(path);
  if (name.replace(/\..*$/, '').length < SHORT_NAME) return null;
  const paths = series.changes.map((change) => change.path);
  const typo = paths.find(
    (one) => Math.abs(one.length - path.length) <= TYPO && editDistance(one, path) <= TYPO,
  );
  if (typo !== undefined || !isRight) return typo ?? null;
  const near = nearest(name, paths.map(nameOf));
  return paths.find((one) => nameOf(one) === near) ?? null;
}

type Known = {
  readonly changes: ChangeSet;
  readonly facts: ReadonlyMap<string, FileFact>;
  readonly earlier: ReadonlySet<string>;
};

function checkItem(item: EvidenceItem, { changes, facts, earlier }: Known): Finding {
  if (item.path === '.ralph' || item.path.startsWith('.ralph/')) {
    return unconfirmed(`${item.path} belongs to ralph and counts as no work`);
  }
  const fact = facts.get(item.path);
  const found = matchChange(item.path, changes, fact?.exists ?? false);
  return match(found, 'kind', {
    change: (found) =>
      found.moved
        ? confirmed(`${item.path} was renamed to ${found.change.path}`)
        : checkChanged(item, found.change, facts.get(found.change.path), changes.hunksOmitted),
    folder: (found) =>
      item.says === 'deleted' && found.changes.some((change) => change.kind !== 'deleted')
        ? unconfirmed(`not all of ${item.path}/ was deleted`)
        : confirmed(`${found.changes.length} changed below ${item.path}/`),
    ambiguous: (found) => unconfirmed(`${found.paths.length} changed files end in ${item.path}`),
    none: () => checkUnchanged(item, fact, earlier.has(item.path)),
  });
}

function checkChanged(
  item: EvidenceItem,
  change: Change,
  fact: FileFact | undefined,
  hunksOmitted: boolean,
): Finding {
  const { path } = change;
  if (change.kind === 'deleted') {
    if (item.says === 'deleted' || item.says === 'touched') return confirmed(`${path} was deleted`);
    return unconfirmed(`${path} is claimed to be ${item.says}, but it was deleted`);
  }
  if (item.says === 'deleted') return contradicted(`${path} is claimed to be deleted, but it exists`);
  if (item.from === null || item.to === null) return confirmed(`${path} was ${describe(change)}`);
  if (change.binary) return confirmed(`${path} was ${describe(change)}; it has no lines to compare`);

  const lines = range(item.from, item.to);
  const total = fact?.lines ?? null;
  const meets = change.hunks.some((hunk) => meetsHunk(hunk, item.from ?? 0, item.to ?? 0));
  if (total !== null && item.to > total) {
    const why = tooFewLines(path, total, lines);
    const isPartly = item.from <= total && (meets || hunksOmitted);
    return isPartly || item.source === 'prose' ? unconfirmed(why) : mistaken(why);
  }
  if (meets) return confirmed(`${lines} of ${path} meets a change`);
  if (hunksOmitted) return confirmed(`${path} was ${describe(change)}; its lines were not compared`);
  return unconfirmed(`${path} was ${describe(change)}, but not in ${lines}`);
}

function checkUnchanged(item: EvidenceItem, fact: FileFact | undefined, changedEarlier: boolean): Finding {
  const { path } = item;
  if (leavesRepository(path)) return unconfirmed(`${path} is not below the repository`);
  if (pathStrength(path) !== 'strong') return unconfirmed(`${path} wasn't changed and may not be a file`);
  if (fact === undefined) return unconfirmed(`${path} wasn't changed and wasn't checked`);
  if (fact.ignored && item.says !== 'deleted') {
    return unconfirmed(`${path} is ignored by git, so what was done to it isn't known`);
  }
  if (item.says === 'deleted') {
    return fact.exists || fact.ignored
      ? contradicted(`${path} is claimed to be deleted, but it exists`)
      : unconfirmed(`${path} does not exist, but this attempt did not delete it`);
  }
  if (!fact.exists) {
    const why = `${path} does not exist, and no changed file has this name`;
    return item.source === 'block' || item.says !== 'touched' ? contradicted(why) : unconfirmed(why);
  }
  if (item.says !== 'touched') {
    return changedEarlier
      ? unconfirmed(`${path} was changed by an earlier attempt, not by this one`)
      : contradicted(`${path} is claimed to be ${item.says}, but this attempt did not change it`);
  }
  return unconfirmed(`${path} exists, but this attempt did not change it`);
}

/** Returns whether lines touch a hunk. One that only removes lines lies after its start line, so it touches both neighbours. */
function meetsHunk(hunk: Hunk, from: number, to: number): boolean {
  const last = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart + hunk.newLines - 1;
  return from <= last && to >= hunk.newStart;
}

function range(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}

function describe(change: Change): string {
  return change.kind === 'renamed' ? `renamed from ${change.oldPath}` : change.kind.replace('_', ' ');
}

export type Match =
  /** `moved`: the path is the old one of a renamed file. */
  | { readonly kind: 'change'; readonly change: Change; readonly moved: boolean }
  | { readonly kind: 'folder'; readonly changes: readonly Change[] }
  | { readonly kind: 'ambiguous'; readonly paths: readonly string[] }
  | { readonly kind: 'none' };

/**
 * Returns the changed files that a path means: exactly, as a folder, as the unique end of a path (`parser.ts`), or with surplus leading
 * folders (absolute paths, `a/` and `b/` of diffs). With `existsItself` a file has this very path, so shortened readings are wrong.
 */
export function matchChange(path: string, changes: ChangeSet, existsItself: boolean): Match {
  const list = changes.changes;
  const exact = list.find((change) => change.path === path);
  if (exact !== undefined) return { kind: 'change', change: exact, moved: false };
  const moved = list.find((change) => change.oldPath === path);
  if (moved !== undefined) return { kind: 'change', change: moved, moved: true };
  const inside = list.filter((change) => change.path.startsWith(`${path}/`));
  if (inside.length > 0) return { kind: 'folder', changes: inside };
  if (existsItself) return { kind: 'none' };

  const shortened = list.filter((change) => change.path.endsWith(`/${path}`));
  const [only, ...more] = shortened;
  if (only !== undefined && more.length === 0) return { kind: 'change', change: only, moved: false };
  if (more.length > 0) return { kind: 'ambiguous', paths: shortened.map((change) => change.path) };

  if (!path.startsWith('/') && !/^(?:[ab]|[A-Za-z]:)\//.test(path)) return { kind: 'none' };
  const within = list
    .filter((change) => path.endsWith(`/${change.path}`))
    .sort((one, other) => other.path.length - one.path.length)[0];
  return within === undefined ? { kind: 'none' } : { kind: 'change', change: within, moved: false };
}

/**
 * Returns each path that checks need facts about: paths in the claim, files meant by shortened ones, and paths in acceptance criteria.
 * Paths outside of the repository are left out.
 */
export function pathsOfInterest(claim: Claim, task: Pick<Task, 'acceptance'>, changes: ChangeSet): string[] {
  const paths = new Set<string>();
  for (const { path } of claim.evidence) {
    if (!leavesRepository(path)) paths.add(path);
    const match = matchChange(path, changes, false);
    if (match.kind === 'change') paths.add(match.change.path);
  }
  for (const path of pathsOfCriteria(task)) paths.add(path);
  return [...paths];
}
