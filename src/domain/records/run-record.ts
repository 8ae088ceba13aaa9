import * as z from 'zod/mini';
import { ReviewSummary } from '../../lib/actions/review-record.ts';
import { RunEnding } from '../exit.ts';
import { GateSpec } from '../gate.ts';
import { BlockedAction } from '../review.ts';
import { Spent } from '../spend.ts';
import { TaskCounts } from '../task.ts';
import { Role } from '../workflow/roles.ts';
import { ChoiceFacts } from './choice.ts';

/**
 * `runs/RUN/inputs-HASH.json`: what the attempts of a run use besides task and state: configuration and your
 * files. Named for its content, so written once however often it is used.
 */
export const InputsDocument = z.looseObject({
  $schema: z.literal('ralph.inputs.v1'),
  /** Text of the project's own template; `null`: the built-in one. */
  template: z.nullable(z.string()),
  templateName: z.string(),
  /** Text of your own templates of the roles beside the maker; one that isn't here is the built-in one. */
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
  /** How context reinforcement rebuilds a prompt. */
  reinforcement: z.object({ strength: z.enum(['light', 'medium', 'strong']), examples: z.boolean() }),
});
export type InputsDocument = z.infer<typeof InputsDocument>;

/** What the end of a run follows from. */
export const EndCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('choice'), facts: ChoiceFacts }),
  /** Something that you have to fix first, in its own words. */
  z.object({ kind: z.literal('problem'), message: z.string() }),
  /** Gates fail by work that isn't verified, or by what isn't in the work tree. */
  z.object({ kind: z.literal('red_tree'), message: z.string() }),
  /** A shadow of the whole workflow came back: you look at it first. */
  z.object({ kind: z.literal('workflow'), message: z.string() }),
]);
export type EndCause = z.infer<typeof EndCause>;
/** Why a run can't continue. */
export type RunStop = Exclude<EndCause, { kind: 'choice' }>;

/** How a run ended, as its `run.json` has it: what reports take of it. */
export const RunEnd = z.looseObject({
  endedAt: z.string(),
  ending: z.object({
    kind: RunEnding,
    exitCode: z.number(),
    reason: z.string(),
    /** Commands that help; `null`: the usual ones of this ending. */
    next: z.nullable(z.array(z.string())),
  }),
  /** Agents whose hook wasn't in force: their actions were seen only once started. */
  gateLost: z.array(z.object({ agent: z.string(), why: z.string() })),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** `runs/RUN/run.json`: how a run ended and why; written at its end. */
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
  /** Ids of the tasks that this run verified, and of those that it left blocked. */
  done: z.array(z.string()),
  blocked: z.array(z.string()),
  ...Spent.shape,
  /** What became of the agents' actions, and those that were blocked. */
  review_summary: ReviewSummary,
  blocked_actions: z.array(BlockedAction),
  ...RunEnd.shape,
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Digits of the content's SHA-256 in a file's name. */
const NAME_DIGITS = 16;

/** The file name of a document that is named for its content. */
export function documentName(kind: string, sha256: string): string {
  return `${kind}-${sha256.slice(0, NAME_DIGITS)}.json`;
}
