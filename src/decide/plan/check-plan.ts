import { formatDuration } from 'ralph-kit/duration';
import { didYouMean } from 'ralph-kit/nearest';
import { shortened, stripControl } from 'ralph-kit/text';
import { checkDependencies, splitId } from 'ralph-task-lists';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { MANY_CRITERIA, type PlannedTask } from '../../domain/plan.ts';
import { hasCriteria } from '../../proof/evidence/index.ts';
import { findReference, limitsOf, type PlanWorld } from './planned-tasks.ts';

const NAMED = 12;

/**
 * Returns the problems of a plan, each as a sentence; empty: its tasks can be added to the list.
 * @param shown Whether each criterion needs evidence: a check, or something that files show.
 */
export function checkPlan(
  plan: readonly PlannedTask[],
  world: PlanWorld,
  { shown }: { readonly shown: boolean },
): string[] {
  const about = (task: PlannedTask, problems: readonly string[]) =>
    problems.map((problem) => `task ${JSON.stringify(shortened(task.id, 40))}: ${problem}`);
  return [
    ...wholeProblems(plan, world),
    ...plan.flatMap((task) =>
      about(task, [
        ...titleProblems(task, plan, world),
        ...criteriaProblems(task, shown),
        ...sizeProblems(task, world),
        ...nameProblems(task, plan, world),
      ]),
    ),
    ...cycles(plan, world),
  ];
}

export function problemsText(problems: readonly string[]): string {
  return problems.slice(0, NAMED).join('; ');
}

function wholeProblems(plan: readonly PlannedTask[], { replaces }: PlanWorld): string[] {
  if (replaces === null) return [];
  const kept = new Set(plan.flatMap(({ criteria }) => criteria.flatMap(({ check }) => check ?? [])));
  return [
    ...(plan.length < 2 ? [`${replaces.id} has to become two tasks or more`] : []),
    ...replaces.checks
      .filter((check) => !kept.has(check))
      .map((check) => `no task has the check \`${check}\` of ${replaces.id}: it has to stay`),
  ];
}

function titleProblems({ id, title }: PlannedTask, plan: readonly PlannedTask[], { tasks }: PlanWorld) {
  return [
    ...(title === '' ? ['it has no title'] : []),
    ...(splitId(title).id === null ? [] : ['its title begins with an id; the list gives it one']),
    ...(plan.filter((one) => one.id === id).length > 1 ? ['another task has this id, too'] : []),
    ...(plan.filter((one) => one.title === title).length > 1 ? ['another task has this title, too'] : []),
    ...tasks
      .filter((one) => one.title === title)
      .slice(0, 1)
      .map((one) => `${one.id} in the list has this title`),
  ];
}

function criteriaProblems({ criteria }: PlannedTask, shown: boolean): string[] {
  if (criteria.length === 0 && shown) return ['it has no criteria'];
  return criteria.flatMap(({ text, check }, at) => {
    const name = `criterion ${at + 1}`;
    if (text === '') return [`${name} is empty`];
    if (check !== null && (/[\r\n]/.test(check) || stripControl(check) !== check))
      return [`the check of ${name} isn't one line of plain text`];
    return shown && check === null && !hasCriteria({ acceptance: [text] })
      ? [`nothing shows ${name}: give it a check, or say which file exists, exports or contains what`]
      : [];
  });
}

function sizeProblems({ criteria, minutes }: PlannedTask, world: PlanWorld): string[] {
  const longest = limitsOf(world).at(-1);
  const isLong = minutes !== null && longest !== undefined && minutes * 60 > longest.seconds;
  return [
    ...(criteria.length > MANY_CRITERIA
      ? [`${criteria.length} criteria are too many for one attempt: split it`]
      : []),
    ...(isLong
      ? [
          `${minutes} minutes are more than the longest attempt may take (${formatDuration(longest.seconds * 1000)}): split it`,
        ]
      : []),
  ];
}

function nameProblems(task: PlannedTask, plan: readonly PlannedTask[], world: PlanWorld): string[] {
  const { files, gates, dependsOn } = task;
  return [
    ...files.filter((path) => !isPlain(path)).map((path) => `${path} isn't a path in the repository`),
    ...gates
      .filter((name) => !world.gates.includes(name))
      .map(
        (name) =>
          `there is no gate ${name}.${didYouMean(name, world.gates)} There are ${world.gates.join(', ') || 'none'}`,
      ),
    ...dependsOn.flatMap((reference) => {
      const found = findReference(reference, plan, world);
      if (found === null) return [`it depends on ${reference}, which is neither in the plan nor in the list`];
      if ('at' in found) return plan[found.at] === task ? ['it depends on itself'] : [];
      return found.id === world.replaces?.id ? [`it depends on ${found.id}, which is being split`] : [];
    }),
  ];
}

function isPlain(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !/[\s,\\]/.test(path) &&
    !parts.some((part) => part === '' || part === '.' || part === '..') &&
    !['.git', '.ralph'].includes(parts[0] ?? '')
  );
}

/** Returns cycles among planned tasks. Tasks of the list can't be in one, because none depends on the plan yet. */
function cycles(plan: readonly PlannedTask[], world: PlanWorld): string[] {
  const tasks = plan.map((task, at) => ({
    ...EMPTY_TASK,
    id: `${at}`,
    dependsOn: task.dependsOn.flatMap((reference) => {
      const found = findReference(reference, plan, world);
      return found !== null && 'at' in found && found.at !== at ? [`${found.at}`] : [];
    }),
  }));
  return checkDependencies(tasks).map(({ tasks: some }) => {
    const names = some === 'all' ? [] : some.map((at) => plan[Number(at)]?.id ?? '');
    return `these tasks wait for each other: ${[...names, names[0]].join(' → ')}`;
  });
}
