import * as z from 'zod/mini';

/** Session id in each stream line of the scripted agent, by which its adapter distinguishes these lines from printed text. */
export const SCRIPTED_SESSION = 'ralph-scripted-agent';

const count = z.int().check(z.minimum(1));
const seconds = z.number().check(z.nonnegative());

export const SCRIPTED_HOOK = { socket: 'RALPH_HOOK_SOCKET', token: 'RALPH_HOOK_TOKEN' } as const;

/**
 * One action of the scripted agent, which is really carried out. Paths are relative to its working directory and stay
 * inside. All texts may contain `{task}` and `{attempt}`, as given by ralph, and `{nonce}`, the code that a reviewer
 * has to repeat.
 */
export const ScenarioAction = z.discriminatedUnion('action', [
  /** Writes a file, and makes missing folders. */
  z.strictObject({ action: z.literal('write'), path: z.string(), content: z.string() }),
  z.strictObject({ action: z.literal('append'), path: z.string(), content: z.string() }),
  /** Replaces the first exact match of `find`. */
  z.strictObject({ action: z.literal('edit'), path: z.string(), find: z.string(), replace: z.string() }),
  z.strictObject({ action: z.literal('delete'), path: z.string() }),
  z.strictObject({ action: z.literal('rename'), from: z.string(), to: z.string() }),
  /** Changes a file's mode. `mode` is octal, such as "755". */
  z.strictObject({
    action: z.literal('chmod'),
    path: z.string(),
    mode: z.string().check(z.regex(/^[0-7]{3,4}$/)),
  }),
  /** Makes a symbolic link. `target` is its text, and may point anywhere. */
  z.strictObject({ action: z.literal('symlink'), path: z.string(), target: z.string() }),
  z.strictObject({ action: z.literal('mkdir'), path: z.string() }),
  z.strictObject({ action: z.literal('touch'), path: z.string() }),
  z.strictObject({ action: z.literal('rewrite_same'), path: z.string() }),
  /** Runs `git commit`. Without `add` it first stages everything, except for an empty commit. */
  z.strictObject({
    action: z.literal('commit'),
    message: z.string(),
    allow_empty: z.optional(z.boolean()),
    add: z.optional(z.array(z.string())),
  }),
  z.strictObject({ action: z.literal('print'), text: z.string() }),
  /** Prints the status block that the prompt asks for. `task` is set only to report another task than the given one. */
  z.strictObject({
    action: z.literal('status'),
    status: z.enum(['DONE', 'ALREADY_DONE', 'IN_PROGRESS', 'BLOCKED']),
    exit_signal: z.boolean(),
    evidence: z.optional(z.array(z.string())),
    reason: z.optional(z.string()),
    task: z.optional(z.string()),
  }),
  /** Ticks a box in a Markdown tracker: on the line with `text` (or the task id), otherwise the first open one. */
  z.strictObject({ action: z.literal('tick'), path: z.string(), text: z.optional(z.string()) }),
  /** Reports a tool call in a claude stream without making it. With plain text output, nothing is printed. */
  z.strictObject({ action: z.literal('tool'), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  /**
   * Asks the hook, runs the command in `sh` if it is allowed, and reports both in a claude stream. `ask: false`: the
   * hook isn't asked.
   */
  z.strictObject({ action: z.literal('shell'), command: z.string(), ask: z.optional(z.boolean()) }),
  /** Reports used tokens in a claude stream. With plain text output, nothing is printed. */
  z.strictObject({
    action: z.literal('usage'),
    input_tokens: z.int().check(z.minimum(0)),
    output_tokens: z.int().check(z.minimum(0)),
  }),
  /** Runs a program. Its output goes to standard error, and its exit code is ignored. */
  z.strictObject({ action: z.literal('run'), argv: z.array(z.string()).check(z.minLength(1)) }),
  z.strictObject({ action: z.literal('sleep'), seconds }),
  /** Starts a process in a session of its own, which outlives the agent. */
  z.strictObject({ action: z.literal('spawn_background'), seconds }),
  z.strictObject({ action: z.literal('hang') }),
  z.strictObject({ action: z.literal('exit'), code: z.int().check(z.minimum(0), z.maximum(255)) }),
  z.strictObject({ action: z.literal('fail'), stderr: z.string(), code: count }),
]);
export type ScenarioAction = z.infer<typeof ScenarioAction>;

/** Conditions for a step, all of which must be true. */
export const ScenarioWhen = z.strictObject({
  /** Id of the task that this part of the scenario is for; `*` stands for any text. */
  task: z.optional(z.string()),
  attempt: z.optional(count),
  feedback: z.optional(z.boolean()),
  prompt_includes: z.optional(z.string()),
  /** `maker`, or a role beside it; `*` matches any text. */
  role: z.optional(z.string()),
});
export type ScenarioWhen = z.infer<typeof ScenarioWhen>;

/** Script of the scripted agent, which plays the first step that matches the attempt, or `otherwise`. */
export const Scenario = z.strictObject({
  $schema: z.optional(z.string()),
  output: z._default(z.enum(['text', 'claude-stream']), 'text'),
  steps: z.array(z.strictObject({ when: z.optional(ScenarioWhen), do: z.array(ScenarioAction) })),
  otherwise: z.optional(z.array(ScenarioAction)),
});
export type Scenario = z.infer<typeof Scenario>;
