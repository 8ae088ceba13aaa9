import { ActionKind } from 'ralph-kit/actions/action';
import * as z from 'zod/mini';
import { ServiceRetries } from './service.ts';

export const ACTIONS_KEPT = 100;
export const ERRORS_KEPT = 20;
/** Maximum number of measurements in an attempt's record, spread evenly over the attempt. */
export const SAMPLES_KEPT = 120;

export const ObservedAction = z.object({
  /** Milliseconds since the attempt began. */
  atMs: z.number(),
  tool: z.string(),
  kind: ActionKind,
  /** Description on one short line, without secrets. */
  text: z.string(),
  /** Paths that the action names: relative to the repository if inside it, otherwise absolute. */
  paths: z.array(z.string()),
  /** Whether the action succeeded; `null`: the stream doesn't report that. */
  ok: z.nullable(z.boolean()),
});
export type ObservedAction = z.infer<typeof ObservedAction>;

export const ResourceSample = z.object({
  atMs: z.number(),
  fileOperations: z.number(),
  tokens: z.number(),
  /** Memory of the process tree, in MiB. */
  memoryMb: z.number(),
});
export type ResourceSample = z.infer<typeof ResourceSample>;

export const Observed = z.object({
  /** The newest `ACTIONS_KEPT` actions, oldest first. */
  actions: z.array(ObservedAction),
  actionCount: z.number(),
  fileOperations: z.number(),
  /** Errors of tools with their counts, most frequent first. */
  errors: z.array(
    z.object({
      tool: z.string(),
      /** The error as returned by `foldError`, which makes equal errors comparable. */
      error: z.string(),
      /** Line of the error as last printed, without secrets; `path` is the path in it. */
      line: z.string(),
      path: z.nullable(z.string()),
      count: z.number(),
    }),
  ),
  /** Paths that the actions may have written, relative to the top of the work tree; `null`: any path. */
  writes: z.nullable(z.array(z.string())),
  /** The newest reported results of commands, to check the agent's report against. */
  results: z.array(z.object({ command: z.string(), ok: z.boolean(), tail: z.string() })),
  samples: z.array(ResourceSample),
  /** Corrections that were sent to the running agent (`[interventions] mid_stream`). */
  corrections: z.array(z.object({ issue: z.string(), text: z.string(), atMs: z.number() })),
  /** Requests that the agent's program repeated; absent: none. */
  retries: z.optional(ServiceRetries),
});
export type Observed = z.infer<typeof Observed>;

/** A credential in a line that the attempt added, in a commit or a file that git doesn't ignore. */
export const PlantedCredential = z.object({
  path: z.string(),
  /** Line number from 1. */
  line: z.number(),
  /** Kind such as "GitHub token". The credential itself is never recorded. */
  kind: z.string(),
  /** Commit with the credential, if the current files don't have it; `null`: they have it. */
  commit: z.nullable(z.string()),
});
export type PlantedCredential = z.infer<typeof PlantedCredential>;
