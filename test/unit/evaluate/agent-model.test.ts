import { describe, expect, it } from 'vitest';
import { attempt, type View } from '../../../src/app/eval/agent-model.ts';
import { filesOf, isDone, workOf } from '../../../src/app/eval/fixture.ts';
import { randomOf } from '../../../src/app/eval/random.ts';
import { LIES, type ModelledSuite, POISONS, readSuite } from '../../../src/app/eval/suite.ts';
import { FEEDBACK_HEADING } from '../../../src/prompt/index.ts';

const MODEL = {
  writes_nothing: 0,
  claims_when_idle: 1,
  false_claim: 0,
  reacts: 1,
  breaks_test: 0,
  weakens_test: 0,
  cheats: 0,
  seconds: { median: 40, spread: 0.2, factor: { simple: [1, 1] as [number, number] } },
  orientation: [5, 10] as [number, number],
  step: 20,
  tokens_per_second: 1,
};
const CODE = {
  ...{ name: 'one', before: '() => 0', after: '() => 1' },
  ...{ keeps: [{ call: 'one(0)', gives: 0 }], tests: [], truth: [{ call: 'one()', gives: 1, gave: 0 }] },
};
const TASK = { id: 'T-1', title: 'Fix it', level: 'simple' };
const SUITE: ModelledSuite = {
  name: 'small',
  about: '',
  tasks: [TASK],
  model: MODEL,
  settings: {},
  max_iterations: 10,
};

function play(model: typeof MODEL, more: Partial<View> = {}) {
  const files = new Map(Object.entries(filesOf(SUITE, 1)));
  const read = (path: string) => files.get(path) ?? null;
  const work = workOf(model, 1, TASK);
  const steps = attempt(model, {
    ...{ prompt: 'Do it.', random: randomOf('dice'), task: TASK, work, read },
    others: [],
    ...more,
  });
  for (const step of steps) {
    if (step.kind === 'write') files.set(step.path, step.content);
    if (step.kind === 'delete') files.delete(step.path);
  }
  const text = steps.flatMap((step) => (step.kind === 'say' ? [step.text] : [])).join('\n');
  return { steps, files, text, done: isDone(read, 'T-1', work) };
}

describe('the modelled agent', () => {
  it('does the work and claims it', () => {
    const { done, text } = play(MODEL);
    expect(done).toBe(true);
    expect(text).toContain('STATUS: DONE');
  });

  it('forgets the block once, and gives a task back that cannot be done', () => {
    const forgets = { task: { ...TASK, behaviour: 'forgets_block' as const } };
    const first = play(MODEL, forgets);
    expect(first.done).toBe(true);
    expect(first.text).not.toContain('RALPH_STATUS');
    const read = (path: string) => first.files.get(path) ?? null;
    expect(play(MODEL, { ...forgets, read }).text).toContain('STATUS: DONE');
    const exit = play(MODEL, { task: { ...TASK, behaviour: 'honoured_exit' } });
    expect(exit.text).toContain('STATUS: BLOCKED');
    expect(exit.done).toBe(false);
  });

  it('continues what lies in the tree', () => {
    const seconds = (steps: ReturnType<typeof play>['steps']) =>
      steps.reduce((sum, step) => sum + (step.kind === 'work' ? step.seconds : 0), 0);
    const first = play(MODEL);
    const again = play(MODEL, { read: (path) => first.files.get(path) ?? null });
    expect(seconds(again.steps)).toBeLessThan(11);
    expect(seconds(first.steps)).toBeGreaterThan(20);
  });

  it('reacts to feedback in its prompt with r, and only to that', () => {
    const idle = { ...MODEL, writes_nothing: 1 };
    const fed = { prompt: `${FEEDBACK_HEADING}\n\nYou changed nothing.` };
    expect(play(idle).done).toBe(false);
    expect(play(idle, fed).done).toBe(true);
    expect(play({ ...idle, reacts: 0 }, fed).done).toBe(false);
  });

  it('throws the same dice whatever it is told', () => {
    const used = (prompt: string) => {
      const random = randomOf('dice');
      play(MODEL, { prompt, random });
      return random();
    };
    expect(used('')).toBe(used(FEEDBACK_HEADING));
  });

  it.each(LIES)('has not done the task when it lies by %s', (behaviour) => {
    expect(play(MODEL, { task: { ...TASK, behaviour } }).done).toBe(false);
  });

  it.each(POISONS)('breaks what others made by %s', (behaviour) => {
    const { steps } = play(MODEL, { task: { ...TASK, behaviour }, others: ['T-2'], read: () => 'test("x")' });
    expect(steps.some((step) => 'path' in step && /t-2|check\.sh/.test(step.path))).toBe(true);
  });
});

describe('a suite', () => {
  const text = (change: object) => JSON.stringify({ ...SUITE, ...change });

  it('is read', () => {
    expect(readSuite(text({}))).toMatchObject({ ok: true });
  });

  it.each([
    ['{', "it isn't JSON"],
    [text({ name: 'A b' }), 'name: expected lower-case'],
    [text({ tasks: [TASK, TASK] }), 'T-1 is used twice'],
    [text({ tasks: [{ ...TASK, level: 'huge' }] }), 'the level "huge"'],
    [text({ repository: 'repo' }), 'or "repository" alone'],
    [text({ model: undefined }), 'needs "tasks" and "model"'],
    [text({ model: { ...MODEL, reacts: 2 } }), 'model.reacts'],
    [text({ tasks: [{ ...TASK, behaviour: 'evil' }] }), 'tasks.0.behaviour'],
    [text({ tasks: [TASK, { ...TASK, id: 'T-2', code: CODE }] }), 'some have "code" and others not'],
    [text({ tasks: [{ ...TASK, behaviour: 'stub', code: CODE }] }), 'T-1 has both "code" and a "behaviour"'],
    [text({ tasks: [{ ...TASK, code: { ...CODE, truth: [] } }] }), 'tasks.0.code.truth'],
    [text({ colour: 1 }), 'colour'],
  ])('is refused with the place of the mistake', (given, message) => {
    const read = readSuite(given);
    expect(read.ok ? '' : read.problems.join('\n')).toContain(message);
  });
});
