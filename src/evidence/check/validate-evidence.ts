import type { Change, ChangeSet, Hunk } from '../../domain/change-set.ts';
import type { Claim, EvidenceCheck, EvidenceItem, FileFact } from '../../domain/claim.ts';
import { counted } from '../../lib/counted.ts';
import { match } from '../../lib/match.ts';
import { leavesRepository, pathStrength } from '../items/path-names.ts';
import { matchChange } from './match-changes.ts';

type Finding = Pick<EvidenceCheck, 'standing' | 'why'>;

const confirmed = (why: string): Finding => ({ standing: 'confirmed', why });
const unconfirmed = (why: string): Finding => ({ standing: 'unconfirmed', why });
const contradicted = (why: string): Finding => ({ standing: 'contradicted', why });

/**
 * Holds every item of evidence against the change set and the files. Only what cannot be true is contradicted; a path
 * that is mentioned, given without certainty or lies outside of the repository is at worst unconfirmed. Paths that
 * earlier attempts at the same task changed (`earlierPaths`) may be named again.
 */
export function validateEvidence(
  claim: Claim,
  changes: ChangeSet,
  facts: readonly FileFact[],
  earlierPaths: readonly string[],
): EvidenceCheck[] {
  const known = new Map(facts.map((fact) => [fact.path, fact]));
  const earlier = new Set(earlierPaths);
  return claim.evidence.map((item) => ({ item, ...checkItem(item, changes, known, earlier) }));
}

function checkItem(
  item: EvidenceItem,
  changes: ChangeSet,
  facts: ReadonlyMap<string, FileFact>,
  earlier: ReadonlySet<string>,
): Finding {
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
    return contradicted(`${path} is claimed to be ${item.says}, but this attempt deleted it`);
  }
  if (item.says === 'deleted') return contradicted(`${path} is claimed to be deleted, but it exists`);
  if (item.from === null || item.to === null) return confirmed(`${path} was ${describe(change)}`);
  if (change.binary) return confirmed(`${path} was ${describe(change)}; it has no lines to compare`);

  const lines = range(item.from, item.to);
  const total = fact?.lines ?? null;
  const meets = change.hunks.some((hunk) => meetsHunk(hunk, item.from ?? 0, item.to ?? 0));
  if (total !== null && item.to > total) {
    const why = `${path} has ${counted(total, 'line')}; ${lines} goes beyond its end`;
    const partly = item.from <= total && (meets || hunksOmitted);
    return partly || item.source === 'prose' ? unconfirmed(why) : contradicted(why);
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
    return unconfirmed(`${path} is ignored by git, so what was done to it can't be told`);
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
  if (item.source === 'block' && item.from !== null && fact.lines !== null && item.from > fact.lines) {
    return contradicted(
      `${path} has ${counted(fact.lines, 'line')}; ${range(item.from, item.to ?? item.from)} is beyond its end`,
    );
  }
  return unconfirmed(`${path} exists, but this attempt did not change it`);
}

/** A hunk that only removes lines sits behind its start line; both neighbours meet it. */
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
