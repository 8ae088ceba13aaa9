import type { FileFact } from '../../domain/claim.ts';
import type { Task } from '../../domain/task.ts';
import { leavesRepository, normalisePath, pathStrength } from '../items/path-names.ts';

type Check = { readonly path: string; readonly wants: 'present' | 'absent' };

const PATH = '(?:`[^`]{1,300}`|[^\\s`,]{1,300})';
const PATHS = `(${PATH}(?:(?:,|,? and) ${PATH}){0,19})`;
const SUBJECT = `^(?:the |a |new )*(?:files? )?${PATHS}`;
const PRESENT = new RegExp(
  `${SUBJECT} (?:(?:should |must )?exists?|(?:is|are|was|were|has been|have been) (?:created|added|present)|(?:should|must) be (?:created|added|present))`,
  'i',
);
const ABSENT = new RegExp(
  `${SUBJECT} (?:(?:is|are|was|were|has been|have been|should be|must be) (?:deleted|removed|gone)|(?:no longer|does not|do not|must not|should not) exists?)`,
  'i',
);

/**
 * What a criterion says about files, if it can be checked by looking: "`path` exists", "file `path` is created",
 * "`path` is deleted". Anything behind that ("… when the user logs in", "… from the cache") makes it a statement about
 * behaviour, which files alone can't show.
 */
export function readCriterion(criterion: string): Check[] {
  const text = criterion
    .trim()
    .slice(0, 2000)
    .replace(/^\[[ xX]\]\s+/, '');
  for (const [wants, pattern] of [
    ['present', PRESENT],
    ['absent', ABSENT],
  ] as const) {
    const match = pattern.exec(text);
    if (match === null || !/^[.!]?$/.test(text.slice(match[0].length).trim())) continue;
    const words = (match[1] ?? '').match(new RegExp(PATH, 'g')) ?? [];
    const paths = words.filter((word) => word.toLowerCase() !== 'and').map(readPath);
    return paths.includes(null) ? [] : paths.map((path) => ({ path: path ?? '', wants }));
  }
  return [];
}

/** A path that can be looked up: below the repository, no pattern, no folder written with a slash behind it. */
function readPath(word: string): string | null {
  const bare = word.replaceAll('`', '').trim();
  const path = normalisePath(bare);
  if (bare.endsWith('/') || leavesRepository(path)) return null;
  return pathStrength(path) === 'strong' ? path : null;
}

/** Acceptance criteria that the files contradict, as sentences. Paths without a fact are passed over. */
export function unmetAcceptance(task: Pick<Task, 'acceptance'>, facts: readonly FileFact[]): string[] {
  const known = new Map(facts.map((fact) => [fact.path, fact]));
  const unmet: string[] = [];
  for (const criterion of task.acceptance) {
    for (const check of readCriterion(criterion)) {
      const fact = known.get(check.path);
      if (fact === undefined) continue;
      const isThere = fact.exists || fact.ignored;
      if (isThere === (check.wants === 'present')) continue;
      const seen = isThere ? 'exists' : 'does not exist';
      unmet.push(`"${criterion.trim()}": ${check.path} ${seen}`);
    }
  }
  return unmet;
}

/** 0-based numbers of the criteria that are shown to be met: all that they say about files is so. */
export function shownCriteria(
  { acceptance }: Pick<Task, 'acceptance'>,
  exists: (path: string) => boolean,
): number[] {
  return acceptance.flatMap((criterion, index) => {
    const checks = readCriterion(criterion);
    const holds = checks.every(({ path, wants }) => exists(path) === (wants === 'present'));
    return checks.length > 0 && holds ? [index] : [];
  });
}
