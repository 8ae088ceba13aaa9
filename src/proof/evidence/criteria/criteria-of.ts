import { match } from 'ralph-kit/match';
import type { CriterionCheck } from '../../../domain/claim.ts';
import type { Task } from '../../../domain/task.ts';
import { checkName } from './check-name.ts';
import { checkNowhere, checkText } from './check-text.ts';
import { readCriterion, type Statement } from './read-criterion.ts';
import { type CriteriaWorld, contradicted, locate, notChecked, type Seen, shown } from './world.ts';

export function pathsOfCriteria({ acceptance }: Pick<Task, 'acceptance'>): string[] {
  const statements = acceptance.flatMap(readCriterion);
  return [...new Set(statements.flatMap((one) => (one.kind === 'nowhere' ? [] : [one.path])))];
}

export function saysSomething({ acceptance }: Pick<Task, 'acceptance'>): boolean {
  return acceptance.some((criterion) => readCriterion(criterion).length > 0);
}

/** Returns each criterion's status by the files: shown if all is true, contradicted if part is certainly false. */
export function criteriaOf({ acceptance }: Pick<Task, 'acceptance'>, world: CriteriaWorld): CriterionCheck[] {
  return acceptance.map((sentence, criterion) => {
    const seen = readCriterion(sentence).map((statement) => check(statement, sentence, world));
    return { criterion, ...together(seen) };
  });
}

function together(seen: readonly Seen[]): Seen {
  if (seen.length === 0) return notChecked('it says nothing that reading files can tell');
  const whys = (some: readonly Seen[]) => some.map(({ why }) => why).join('; ');
  const against = seen.filter(({ standing: status }) => status === 'contradicted');
  if (against.length > 0) return contradicted(whys(against));
  const open = seen.filter(({ standing: status }) => status === 'not_checked');
  return open.length > 0 ? notChecked(whys(open)) : shown(whys(seen));
}

function check(statement: Statement, sentence: string, world: CriteriaWorld): Seen {
  return match(statement, 'kind', {
    file: (one) => checkFile(one, world),
    name: (one) => checkName(one, world),
    text: (one) => checkText(one, world),
    nowhere: (one) => checkNowhere(one, sentence.trim(), world),
  });
}

function checkFile({ path, wants }: Extract<Statement, { kind: 'file' }>, world: CriteriaWorld): Seen {
  const fact = world.facts.find((one) => one.path === path);
  if (fact === undefined) return notChecked(`${path} was not looked for`);
  const isThere = fact.exists || fact.ignored;
  if (isThere) return (wants === 'present' ? shown : contradicted)(`${path} exists`);
  const place = path.includes('/') ? null : locate(path, world);
  if (place?.kind === 'found' && wants === 'present') return shown(`${place.path} exists`);
  const mayBeMeant =
    place?.kind === 'found' ||
    (place?.kind === 'unclear' && world.paths.some((one) => one.endsWith(`/${path}`)));
  if (mayBeMeant) return notChecked(`${path} is not there, but a file of this name is in a folder`);
  return (wants === 'present' ? contradicted : shown)(`${path} does not exist`);
}
