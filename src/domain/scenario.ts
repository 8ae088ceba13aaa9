import * as z from 'zod/mini';

/** Session id on every stream line of the scripted agent, by which its adapter tells them from printed text. */
export const SCRIPTED_SESSION = 'ralph-scripted-agent';

const count = z.int().check(z.minimum(1));
const seconds = z.number().check(z.nonnegative());

/** Where the scripted agent finds its gate: variables with the socket and its token. */
export const SCRIPTED_HOOK = { socket: 'RALPH_HOOK_SOCKET', token: 'RALPH_HOOK_TOKEN' } as const;

/**
 * One thing the scripted agent does, with real effects in its working directory. Paths are relative to it and stay
 * inside. `{task}`, `{attempt}` and `{nonce}` in any text stand for the task and the attempt that ralph gave, and for what the
 * prompt asks a reviewer to repeat.
 */
export const ScenarioAction = z.discriminatedUnion('action', [
  /** Folders are made as needed. */
  z.strictObject({ action: z.literal('write'), path: z.string(), content: z.string() }),
  z.strictObject({ action: z.literal('append'), path: z.string(), content: z.string() }),
  /** Replaces the first place that holds exactly `find`. */
  z.strictObject({ action: z.literal('edit'), path: z.string(), find: z.string(), replace: z.string() }),
  /** A file, or a folder with all in it. */
  z.strictObject({ action: z.literal('delete'), path: z.string() }),
  z.strictObject({ action: z.literal('rename'), from: z.string(), to: z.string() }),
  /** `mode` in octal, such as "755". */
  z.strictObject({
    action: z.literal('chmod'),
    path: z.string(),
    mode: z.string().check(z.regex(/^[0-7]{3,4}$/)),
  }),
  /** `target` is the text of the link and may point anywhere. */
  z.strictObject({ action: z.literal('symlink'), path: z.string(), target: z.string() }),
  z.strictObject({ action: z.literal('mkdir'), path: z.string() }),
  /** A new modification time and nothing else. */
  z.strictObject({ action: z.literal('touch'), path: z.string() }),
  /** Writes the bytes that are there already. */
  z.strictObject({ action: z.literal('rewrite_same'), path: z.string() }),
  /** `git commit`; without `add` everything is staged, except for an empty commit. */
  z.strictObject({
    action: z.literal('commit'),
    message: z.string(),
    allow_empty: z.optional(z.boolean()),
    add: z.optional(z.array(z.string())),
  }),
  z.strictObject({ action: z.literal('print'), text: z.string() }),
  /** The status block that the prompt asks for. `task` is the given one unless the agent lies about it. */
  z.strictObject({
    action: z.literal('status'),
    status: z.enum(['DONE', 'ALREADY_DONE', 'IN_PROGRESS', 'BLOCKED']),
    exit_signal: z.boolean(),
    evidence: z.optional(z.array(z.string())),
    reason: z.optional(z.string()),
    task: z.optional(z.string()),
  }),
  /** Ticks a box of a Markdown tracker: on the line that holds `text` (else the task id), else the first open one. */
  z.strictObject({ action: z.literal('tick'), path: z.string(), text: z.optional(z.string()) }),
  /** Says in a claude stream that a tool is called, without calling it; plain text shows nothing. */
  z.strictObject({ action: z.literal('tool'), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  /**
   * A command of its shell, as a real agent runs one: it asks its gate where it has one, runs the command in `sh` when
   * it is allowed, and tells call and result in a claude stream. `ask: false` leaves the hook out.
   */
  z.strictObject({ action: z.literal('shell'), command: z.string(), ask: z.optional(z.boolean()) }),
  /** Says in a claude stream that so many tokens more were used; plain text shows nothing. */
  z.strictObject({
    action: z.literal('usage'),
    input_tokens: z.int().check(z.minimum(0)),
    output_tokens: z.int().check(z.minimum(0)),
  }),
  /** A real program; its output goes to standard error, its exit code is ignored. */
  z.strictObject({ action: z.literal('run'), argv: z.array(z.string()).check(z.minLength(1)) }),
  z.strictObject({ action: z.literal('sleep'), seconds }),
  /** A process in a session of its own that outlives the agent. */
  z.strictObject({ action: z.literal('spawn_background'), seconds }),
  /** Waits until it is killed. */
  z.strictObject({ action: z.literal('hang') }),
  z.strictObject({ action: z.literal('exit'), code: z.int().check(z.minimum(0), z.maximum(255)) }),
  z.strictObject({ action: z.literal('fail'), stderr: z.string(), code: count }),
]);
export type ScenarioAction = z.infer<typeof ScenarioAction>;

/** All that are given must hold. */
export const ScenarioWhen = z.strictObject({
  /** Task id; `*` stands for any text. */
  task: z.optional(z.string()),
  attempt: z.optional(count),
  /** Whether the prompt holds feedback on an earlier iteration. */
  feedback: z.optional(z.boolean()),
  prompt_includes: z.optional(z.string()),
  /** `maker`, or one of the roles beside it; `*` stands for any text. */
  role: z.optional(z.string()),
});
export type ScenarioWhen = z.infer<typeof ScenarioWhen>;

/** What the scripted agent plays: the first step that fits the attempt, else `otherwise`. */
export const Scenario = z.strictObject({
  $schema: z.optional(z.string()),
  output: z._default(z.enum(['text', 'claude-stream']), 'text'),
  steps: z.array(z.strictObject({ when: z.optional(ScenarioWhen), do: z.array(ScenarioAction) })),
  otherwise: z.optional(z.array(ScenarioAction)),
});
export type Scenario = z.infer<typeof Scenario>;
