import * as z from 'zod/mini';

const share = z.number().check(z.minimum(0), z.maximum(1));
const positive = z.number().check(z.positive());
const range = z.tuple([positive, positive]);

/** The stochastic agent (docs/internals/evaluation.md). */
export const AgentModel = z.strictObject({
  /** p: it writes nothing; with `claims_when_idle` it says that it is done. */
  writes_nothing: share,
  claims_when_idle: share,
  /** q: it claims completion with other files than the task's. */
  false_claim: share,
  /** r: with feedback in its prompt it does the work properly. */
  reacts: share,
  /** s: beside its work it breaks what an earlier task made. */
  breaks_test: share,
  /** t: it does half of the work and skips the test. */
  weakens_test: share,
  /** At a task with `code`: one of the cheats in place of the work. */
  cheats: z._default(share, 0),
  /** Seconds of work at a task: a median, the spread of its logarithm, and a factor by level. */
  seconds: z.strictObject({
    median: positive,
    spread: z.number().check(z.nonnegative()),
    factor: z.record(z.string(), range),
  }),
  /** Seconds until it begins to write, in each attempt. */
  orientation: range,
  /** Seconds between two files that it writes. */
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

/** Honest agents that a check could take for something else. */
export const MISJUDGED = ['forgets_block', 'honoured_exit'] as const;

/** Ways to pass tests without the work, at tasks with `code`. */
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

/** What the agent does at a task in every attempt, in place of the model's choice. */
export const Behaviour = z.enum(['honest', ...MISJUDGED, ...POISONS, ...LIES]);
export type Behaviour = z.infer<typeof Behaviour>;

const Case = z.strictObject({
  /** A call of the function, in JavaScript: `clamp(10, 0, 5)`. */
  call: z.string().check(z.minLength(1)),
  gives: z.json(),
  /** What it gave before the work. */
  gave: z.optional(z.json()),
});
const cases = z.array(Case);

/** A function to be fixed, with real tests. */
const CodeWork = z.strictObject({
  name: z.string().check(z.regex(/^[a-z]\w*$/i, 'expected the name of a function')),
  /** The function as an expression, before the work and after it. */
  before: z.string(),
  after: z.string(),
  /** Visible tests that pass before the work. */
  keeps: cases.check(z.minLength(1)),
  /** Visible tests that fail before it. */
  tests: cases,
  /** What else is true once the work is done; only who judges sees it. The first one is the task's `Check:` where an arm has checks. */
  truth: cases.check(z.minLength(1)),
});
export type CodeWork = z.infer<typeof CodeWork>;

const SuiteTask = z.strictObject({
  id: z.string().check(z.regex(/^[A-Z]+-\d+$/, 'expected an id such as "T-1"')),
  title: z.string().check(z.minLength(1)),
  /** How much work it is: a name of `seconds.factor`. What ralph takes it for is ralph's to find out. */
  level: z.string(),
  behaviour: z.optional(Behaviour),
  /** Each task of the suite has it, or none. */
  code: z.optional(CodeWork),
});
export type SuiteTask = z.infer<typeof SuiteTask>;

/** `suite.json` */
export const Suite = z
  .strictObject({
    name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and dashes')),
    about: z.string(),
    /** For a modelled agent: a repository is made for these. */
    tasks: z.optional(z.array(SuiteTask).check(z.minLength(1))),
    model: z.optional(AgentModel),
    /** In place of both: a folder beside the file, a repository or plain files, with its own task list. */
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

/** A suite whose agent is the model. */
export type ModelledSuite = Suite & { readonly tasks: readonly SuiteTask[]; readonly model: AgentModel };

export type SuiteRead =
  | { readonly ok: true; readonly suite: Suite }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads `suite.json`; what is wrong is named by its place. */
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
