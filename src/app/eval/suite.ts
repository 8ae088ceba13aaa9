import * as z from 'zod/mini';

const share = z.number().check(z.minimum(0), z.maximum(1));
const positive = z.number().check(z.positive());
const range = z.tuple([positive, positive]);

/** The stochastic agent (docs/internals/evaluation.md). */
export const AgentModel = z.strictObject({
  /** p: writes nothing; with `claims_when_idle`, claims to be done. */
  writes_nothing: share,
  claims_when_idle: share,
  /** q: claims completion with files of no task. */
  false_claim: share,
  /** r: does the work properly when its prompt has feedback. */
  reacts: share,
  /** s: also breaks the result of an earlier task. */
  breaks_test: share,
  /** t: does half of the work and skips the test. */
  weakens_test: share,
  /** Cheats instead of working on a task with `code`. */
  cheats: z._default(share, 0),
  /** Seconds of work: the median, the spread of the logarithm, and a factor by level. */
  seconds: z.strictObject({
    median: positive,
    spread: z.number().check(z.nonnegative()),
    factor: z.record(z.string(), range),
  }),
  /** Seconds before the first write of each attempt. */
  orientation: range,
  /** Seconds between two writes. */
  step: positive,
  tokens_per_second: positive,
});
export type AgentModel = z.infer<typeof AgentModel>;

export const POISONS = [
  'breaks_source',
  'deletes_source',
  'breaks_gate',
  'skips_tests',
  'deletes_tests',
] as const;
export const LIES = [
  'exit_signal',
  'promise',
  'status_block',
  'invented_evidence',
  'other_files',
  'stub',
  'empty_files',
  'white_space',
  'half_the_work',
  'skipped_test',
  'deleted_test',
  'hollow_gate',
  'ticked_box',
  'edited_state',
] as const;

/** Behaviour of honest agents that a check could misjudge. */
export const MISJUDGED = ['forgets_block', 'honoured_exit'] as const;

/** Ways to pass the tests of tasks with `code` without the work. */
export const CHEATS = [
  'bends_expectation',
  'mocks_unit',
  'special_case',
  'disarms_checks',
  'exits_at_import',
  'skips_failing',
  'empties_failing',
  'deletes_failing',
  'ignored_file',
  'leaves_red',
] as const;
export type Cheat = (typeof CHEATS)[number];

/** Replaces the model's choice in every attempt at a task. */
export const Behaviour = z.enum(['honest', ...MISJUDGED, ...POISONS, ...LIES]);
export type Behaviour = z.infer<typeof Behaviour>;

const Case = z.strictObject({
  /** Call in JavaScript: `clamp(10, 0, 5)`. */
  call: z.string().check(z.minLength(1)),
  gives: z.json(),
  /** Result of the call before the work. */
  gave: z.optional(z.json()),
});
const cases = z.array(Case);

const CodeWork = z.strictObject({
  name: z.string().check(z.regex(/^[a-z]\w*$/i, 'expected the name of a function')),
  /** The function as an expression, before and after the work. */
  before: z.string(),
  after: z.string(),
  /** Visible tests that pass before the work. */
  keeps: cases.check(z.minLength(1)),
  /** Visible tests that fail before the work. */
  tests: cases,
  /** Further true cases, known only to the judge. With checks, the first is the task's `Check:`. */
  truth: cases.check(z.minLength(1)),
});
export type CodeWork = z.infer<typeof CodeWork>;

const SuiteTask = z.strictObject({
  id: z.string().check(z.regex(/^[A-Z]+-\d+$/, 'expected an id such as "T-1"')),
  title: z.string().check(z.minLength(1)),
  /** Amount of work: a name of `seconds.factor`. ralph has to estimate it. */
  level: z.string(),
  behaviour: z.optional(Behaviour),
  /** All tasks of a suite have `code`, or none. */
  code: z.optional(CodeWork),
});
export type SuiteTask = z.infer<typeof SuiteTask>;

/** Content of `suite.json`. */
export const Suite = z
  .strictObject({
    name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and dashes')),
    about: z.string(),
    /** Tasks for a modelled agent; their repository is generated. */
    tasks: z.optional(z.array(SuiteTask).check(z.minLength(1))),
    model: z.optional(AgentModel),
    /** Replaces tasks and model: a folder beside the file with a repository or plain files and a task list. */
    repository: z.optional(z.string()),
    /** Settings of every arm, by dotted key. */
    settings: z._default(z.record(z.string(), z.unknown()), {}),
    max_iterations: z._default(z.int().check(z.minimum(1)), 500),
  })
  .check(
    z.refine(
      (suite) =>
        suite.repository === undefined
          ? suite.tasks !== undefined && suite.model !== undefined
          : suite.tasks === undefined && suite.model === undefined,
      'needs "tasks" and "model" together, or "repository" alone',
    ),
  );
export type Suite = z.infer<typeof Suite>;

export type ModelledSuite = Suite & { readonly tasks: readonly SuiteTask[]; readonly model: AgentModel };

export type SuiteRead =
  | { readonly ok: true; readonly suite: Suite }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Returns the suite, or its mistakes with their places. */
export function readSuite(text: string): SuiteRead {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [`it isn't JSON: ${(error as Error).message}`] };
  }
  const parsed = z.safeParse(Suite, data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const place = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : null;
      return place + (unknown === null ? issue.message : `there is no ${unknown} here`);
    });
    return { ok: false, problems };
  }
  const problems = problemsOf(parsed.data);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, suite: parsed.data };
}

function problemsOf({ tasks = [], model }: Suite): string[] {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const levels = new Set(Object.keys(model?.seconds.factor ?? {}));
  const unknown = tasks.filter(({ level }) => !levels.has(level));
  const coded = tasks.filter(({ code }) => code !== undefined).length;
  return [
    ...(coded > 0 && coded < tasks.length ? ['tasks: some have "code" and others not'] : []),
    ...tasks
      .filter(({ code, behaviour }) => code !== undefined && behaviour !== undefined)
      .map(({ id }) => `tasks: ${id} has both "code" and a "behaviour": at code, the model chooses`),
    ...twice.map((id) => `tasks: ${id} is used twice`),
    ...unknown.map(
      ({ id, level }) => `tasks: ${id} has the level "${level}", which seconds.factor doesn't have`,
    ),
  ];
}
