import { counted } from 'ralph-kit/counted';
import { match } from 'ralph-kit/match';
import { editDistance, nearest } from 'ralph-kit/nearest';
import { nameOf } from 'ralph-kit/paths';
import type { Change, ChangeSet, Hunk } from '../../../domain/change-set.ts';
import type { Claim, EvidenceCheck, EvidenceItem, FileFact } from '../../../domain/claim.ts';
import { leavesRepository, pathStrength } from '../items/path-names.ts';
import { matchChange } from './match-changes.ts';

type Finding = Pick<EvidenceCheck, 'standing' | 'why'>;

const confirmed = (why: string): Finding => ({ standing: 'confirmed', why });
const unconfirmed = (why: string): Finding => ({ standing: 'unconfirmed', why });
const mistaken = (why: string): Finding => ({ standing: 'mistaken', why });
const contradicted = (why: string): Finding => ({ standing: 'contradicted', why });

export type Seen = {
  /** `series` has the net changes of all attempts at the task, `attempt` those of the newest one. */
  readonly series: ChangeSet;
  readonly attempt: ChangeSet;
  readonly facts: readonly FileFact[];
  /** Paths that attempts at the task changed, even if the change is gone. */
  readonly earlierPaths: readonly string[];
};

/**
 * Checks each item of evidence against the changes of the task's attempts and the files. Only impossible claims are contradicted: a missing
 * file, or one in another state than claimed. A wrong line number or misspelt path is mistaken. Items that are only mentioned, uncertain or
 * outside of the repository are unconfirmed at worst.
 */
export function validateEvidence(
  claim: Claim,
  { series, attempt, facts, earlierPaths }: Seen,
): EvidenceCheck[] {
  const known = new Map(facts.map((fact) => [fact.path, fact]));
  const earlier = new Set(earlierPaths);
  const checks = claim.evidence.map((item) => {
    const whole = checkItem(item, { changes: series, facts: known, earlier });
    const own = series === attempt ? whole : checkItem(item, { changes: attempt, facts: known, earlier });
    const check = whole.standing !== 'confirmed' && own.standing === 'confirmed' ? own : whole;
    return {
      item,
      ...(claim.status === 'already_done' ? whereItIs(item, known.get(item.path), check) : check),
    };
  });
  const isRight = checks.some(({ standing: status }) => status === 'confirmed' || status === 'mistaken');
  return checks.map((check) => {
    const meant = misspelt(check, { series, facts: known, isRight });
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

/** Edits between a path and the meant one, when nothing else shows a typo. */
const TYPO = 2;
/** Characters of a name too short to be taken for a typo of another. */
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
    const why = `${path} has ${counted(total, 'line')}, so no ${lines}`;
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
