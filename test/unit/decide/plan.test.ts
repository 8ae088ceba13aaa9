import fc from 'fast-check';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { checkPlan, estimateOf, listPlanOf, type PlanWorld, reviewTasks } from '../../../src/decide/index.ts';
import type { PlannedTask } from '../../../src/domain/plan.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import type { Task } from '../../../src/domain/task.ts';
import { settingsOf } from '../timing/settings.ts';

const LIST: readonly Task[] = [
  { ...EMPTY_TASK, id: 'T-1', title: 'Parse' },
  { ...EMPTY_TASK, id: 'T-2', title: 'Print', dependsOn: ['T-1'], priority: 2, boundaries: ['no package'] },
];
const WORLD: PlanWorld = {
  tasks: LIST,
  gates: ['test', 'lint'],
  mode: { name: 'speed', timeoutSeconds: 120 },
  settings: settingsOf(),
  profile: emptyProfile('mine'),
  levels: {},
  replaces: null,
};

function task(id: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    ...{ id, title: `Make ${id}`, criteria: [{ text: '`a.js` exists', check: null }], files: [] },
    ...{ dependsOn: [], gates: [], minutes: null, ...more },
  };
}
const check = (plan: readonly PlannedTask[], world: Partial<PlanWorld> = {}, shown = true) =>
  checkPlan(plan, { ...WORLD, ...world }, { shown });

describe('a plan is checked', () => {
  it.each<[string, readonly PlannedTask[], readonly (string | RegExp)[]]>([
    ['nothing is wrong', [task('a'), task('b', { dependsOn: ['a', 'T-1', '1'] })], []],
    ['a check shows a criterion', [task('a', { criteria: [{ text: 'nice', check: 'true' }] })], []],
    [
      'nothing shows it',
      [task('a', { criteria: [{ text: 'nice', check: null }] })],
      [/^task "a": nothing shows criterion 1/],
    ],
    ['no criteria', [task('a', { criteria: [] })], ['task "a": it has no criteria']],
    [
      'six criteria',
      [task('a', { criteria: Array(6).fill({ text: '`a.js` exists', check: null }) })],
      [/6 criteria/],
    ],
    ['a check of two lines', [task('a', { criteria: [{ text: 'x', check: 'a\nb' }] })], [/isn't one line/]],
    [
      'a check with a hidden letter',
      [task('a', { criteria: [{ text: 'x', check: 'a\u202eb' }] })],
      [/isn't one line/],
    ],
    ['ids twice', [task('a'), task('a', { title: 'Other' })], [/this id, too/, /this id, too/]],
    [
      'titles twice',
      [task('a', { title: 'X' }), task('b', { title: 'X' })],
      [/this title, too/, /this title, too/],
    ],
    ['a title of the list', [task('a', { title: 'Parse' })], ['task "a": T-1 in the list has this title']],
    ['an id in a title', [task('a', { title: 'T-9: X' })], [/begins with an id/]],
    ['an unknown gate', [task('a', { gates: ['tset'] })], [/no gate tset\. Did you mean test\?/]],
    ['itself', [task('a', { dependsOn: ['a'] })], ['task "a": it depends on itself']],
    [
      'a circle',
      [task('a', { dependsOn: ['c'] }), task('b', { dependsOn: ['a'] }), task('c', { dependsOn: ['b'] })],
      [/wait for each other: a → c → b → a/],
    ],
    ['what there is not', [task('a', { dependsOn: ['9'] })], [/neither in the plan nor in the list/]],
    ...['/etc/x', '../x', 'a/../x', '.git/config', '.ralph/x', 'a b', 'a,b', 'a\\b', ''].map(
      (path): [string, PlannedTask[], RegExp[]] => [
        `the path ${path}`,
        [task('a', { files: [path] })],
        [/isn't a path/],
      ],
    ),
    ['a task of ten hours', [task('a', { minutes: 600 })], [/600 minutes are more than the longest attempt/]],
  ])('%s', (_, plan, expected) => {
    expect(check(plan)).toEqual(
      expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    );
  });

  it('what an agent proposes beside its work needs no proof of its criteria', () => {
    expect(
      check(
        [task('a', { criteria: [] }), task('b', { criteria: [{ text: 'nice', check: null }] })],
        {},
        false,
      ),
    ).toEqual([]);
  });

  it('in the place of a task it keeps the checks, and is more than one', () => {
    const replaces = { ...(LIST[1] as Task), checks: ['npm test'] };
    expect(check([task('a')], { replaces })).toEqual([
      'T-2 has to become two tasks or more',
      'no task has the check `npm test` of T-2: it has to stay',
    ]);
    const kept = task('b', { criteria: [{ text: 'x', check: 'npm test' }], dependsOn: ['a'] });
    expect(check([task('a'), kept], { replaces })).toEqual([]);
  });

  it('what passes has an order, and each task comes behind those that it waits for', () => {
    const graph = fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(graph, (edges) => {
        const plan = edges.map((to, at) =>
          task(`n${at}`, { dependsOn: [...new Set(to.map((one) => `n${one % edges.length}`))] }),
        );
        if (check(plan).length > 0) return;
        const { tasks } = listPlanOf(plan, WORLD);
        expect(tasks).toHaveLength(plan.length);
        tasks.forEach(({ after, title }, at) => {
          expect(after.every((one) => one >= 0 && one < at)).toBe(true);
          const waits = plan.find((one) => one.title === title)?.dependsOn ?? [];
          expect(after.map((one) => tasks[one]?.title).toSorted()).toEqual(
            waits.map((one) => `Make ${one}`).toSorted(),
          );
        });
      }),
    );
  });
});

describe('a plan in a list', () => {
  it('has what the task had that it stands in for', () => {
    const replaces = LIST[1] as Task;
    const plan = listPlanOf([task('a'), task('b', { dependsOn: ['a'] })], { ...WORLD, replaces });
    expect(plan).toMatchObject({
      replaces: 'T-2',
      tasks: [
        { dependsOn: ['T-1'], after: [], priority: 2, boundaries: ['no package'] },
        { dependsOn: [], after: [0], priority: 2 },
      ],
    });
  });

  it('says a level where the planner expects more time than its words give', () => {
    const usual = estimateOf(task('a'), WORLD);
    expect(usual).toMatchObject({ raised: false, ms: null, attempts: 0, cost: null });
    const minutes = usual.limitSeconds / 60 + 0.5;
    const more = estimateOf(task('a', { minutes }), WORLD);
    expect(more.raised).toBe(true);
    expect(more.limitSeconds).toBeGreaterThanOrEqual(minutes * 60);
    expect(listPlanOf([task('a', { minutes })], WORLD).tasks[0]?.complexity).toBe(more.level);
  });

  it('is estimated by what is on record', () => {
    const { level } = estimateOf(task('a'), WORLD);
    const durationsMs = [1000, 9000, 3000];
    const profile = { ...WORLD.profile, levels: { [level]: { attempts: 3, done: 3, durationsMs } } };
    const cost = { usd: 1, tokens: 300, iterations: 4, ms: 5 };
    const known = estimateOf(task('a'), { ...WORLD, profile, levels: { [level]: { tasks: 2, cost } } });
    expect(known).toMatchObject({ ms: 3000, attempts: 3, cost: { usd: 0.5, tokens: 150 } });
  });
});

it.each<[string, Partial<Task>, readonly RegExp[]]>([
  ['nothing', { acceptance: ['`a.js` exports `b`'] }, []],
  ['a vague criterion', { acceptance: ['it works properly'] }, [/^vague: "it works properly"/, /no check/]],
  ['one that is measured', { acceptance: ['`npm test` works'] }, [/no check, and no criterion/]],
  ['a check', { acceptance: ['it works properly'], checks: ['npm test'] }, []],
  ['none at all', {}, [/no criteria and no check: the gates alone decide/]],
  ['research', { kind: 'research' }, []],
  ['many criteria', { acceptance: Array(6).fill('`a.js` exists') }, [/^large: 6 criteria/]],
  ['a long timeout', { checks: ['x'], timeoutSeconds: 86_400 }, [/^large: it asks for 24 h/]],
  ['done', { status: 'done' }, []],
])('the review of a list finds %s', (_, more, expected) => {
  const reviewed = { ...EMPTY_TASK, id: 'T-1', title: 'A', ...more };
  const found = reviewTasks({ ...WORLD, tasks: [reviewed] }, EMPTY_STATE);
  expect(found.flatMap(({ findings }) => findings)).toEqual(
    expected.map((one) => expect.stringMatching(one)),
  );
});
