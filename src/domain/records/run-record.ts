import { ReviewSummary } from 'ralph-actions/forms/record';
import * as z from 'zod/mini';
import { RunEnding } from '../exit.ts';
import { GateSpec } from '../gate.ts';
import { BlockedAction } from '../review.ts';
import { Spent } from '../spend.ts';
import { TaskCounts } from '../task.ts';
import { Role } from '../workflow/roles.ts';
import { ChoiceFacts } from './choice.ts';

/**
 * `runs/RUN/inputs-HASH.json`: input of a run's attempts beside task and state: configuration and your files. Its file
 * name is the hash of its content, so each version is written once.
 */
export const InputsDocument = z.looseObject({
  $schema: z.literal('ralph.inputs.v1'),
  /** Text of the project's own prompt template; `null`: the built-in template is used. */
  template: z.nullable(z.string()),
  templateName: z.string(),
  /** Texts of your own templates for roles beside the maker. Roles without a text use the built-in one. */
  roleTemplates: z.partialRecord(Role, z.string()),
  maxAttempts: z.number(),
  constraints: z.array(z.string()),
  boundaries: z.array(z.string()),
  goals: z.array(z.string()),
  notes: z.array(z.object({ path: z.string(), text: z.string() })),
  guidance: z.string(),
  gates: z.array(GateSpec),
  rotationDays: z.number(),
  commit: z.enum(['never', 'on_done', 'every_iteration']),
  limits: z.object({ notes: z.number(), feedback: z.number() }),
  /** Settings for rebuilding a prompt after a finding (context reinforcement). */
  reinforcement: z.object({ strength: z.enum(['light', 'medium', 'strong']), examples: z.boolean() }),
});
export type InputsDocument = z.infer<typeof InputsDocument>;

/** Reason for the end of a run, from which its result follows. */
export const EndCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choice'), facts: ChoiceFacts }),
  /** A problem that you have to fix before the next run. `message` describes it; `next`: the command that helps. */
  z.object({
    kind: z.literal('problem'),
    message: z.string(),
    next: z._default(z.nullable(z.string()), null),
  }),
  /** A shadow of the whole workflow (`SYSTEM_SHADOWS`) came back, so you have to check the work. */
  z.object({ kind: z.literal('workflow'), message: z.string() }),
]);
export type EndCause = z.infer<typeof EndCause>;
/** Reason why a run can't continue. */
export type RunStop = Exclude<EndCause, { kind: 'choice' }>;

/** Result of a run, as far as reports use it: a part of `run.json`. */
export const RunEnd = z.looseObject({
  endedAt: z.string(),
  ending: z.object({
    kind: RunEnding,
    exitCode: z.number(),
    reason: z.string(),
    /** Commands that help; `null`: the usual ones for this kind of ending. */
    next: z.nullable(z.array(z.string())),
  }),
  /** Agents whose review hook didn't work, so their actions were seen only once started. */
  gateLost: z.array(z.object({ agent: z.string(), why: z.string() })),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** `runs/RUN/run.json`: how and why a run ended. The file is written at the end. */
export const RunRecord = z.looseObject({
  $schema: z.literal('ralph.run.v1'),
  decider: z.number(),
  run: z.string(),
  agent: z.string(),
  mode: z.string(),
  version: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  cause: EndCause,
  iterations: z.number(),
  tasks: TaskCounts,
  /** Ids of tasks that this run verified; `blocked`: ids of tasks that are blocked at its end. */
  done: z.array(z.string()),
  blocked: z.array(z.string()),
  ...Spent.shape,
  /** Results of the review of agents' actions. `blocked_actions`: the blocked ones. */
  review_summary: ReviewSummary,
  blocked_actions: z.array(BlockedAction),
  ...RunEnd.shape,
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Number of digits of the content's SHA-256 in a file name. */
const NAME_DIGITS = 16;

/** Returns the file name of a document that is named for its content. */
export function documentName(kind: string, sha256: string): string {
  return `${kind}-${sha256.slice(0, NAME_DIGITS)}.json`;
}
