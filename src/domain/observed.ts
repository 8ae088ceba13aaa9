import * as z from 'zod/mini';
import { ActionKind } from '../lib/actions/action.ts';

/** Actions of an attempt that its record keeps, the newest. */
export const ACTIONS_KEPT = 100;
/** Different errors of tools that its record keeps. */
export const ERRORS_KEPT = 20;
/** Measurements that its record keeps: thinned out evenly over the attempt. */
export const SAMPLES_KEPT = 120;

/** One action of the agent as its stream reported it. */
export const ObservedAction = z.object({
  /** Milliseconds since the attempt began. */
  atMs: z.number(),
  tool: z.string(),
  kind: ActionKind,
  /** One short line, secrets redacted. */
  text: z.string(),
  /** Paths that it names, relative to the repository where they lie in it, otherwise absolute. */
  paths: z.array(z.string()),
  /** `null` where the stream doesn't say how it ended. */
  ok: z.nullable(z.boolean()),
});
export type ObservedAction = z.infer<typeof ObservedAction>;

/** The state of what was used, at one moment of the attempt. */
export const ResourceSample = z.object({
  atMs: z.number(),
  fileOperations: z.number(),
  tokens: z.number(),
  /** Of the process tree, in MiB. */
  memoryMb: z.number(),
});
export type ResourceSample = z.infer<typeof ResourceSample>;

/** What was seen of an attempt while it ran. */
export const Observed = z.object({
  /** The newest `ACTIONS_KEPT`, oldest first. */
  actions: z.array(ObservedAction),
  /** All of them. */
  actionCount: z.number(),
  fileOperations: z.number(),
  /** Tool errors with how often each came; the most frequent first. */
  errors: z.array(
    z.object({
      tool: z.string(),
      /** Folded (`foldError`): what the others are compared with. */
      error: z.string(),
      /** Its line as it was printed the last time, secrets redacted, and the path that it was about. */
      line: z.string(),
      path: z.nullable(z.string()),
      count: z.number(),
    }),
  ),
  /** Paths that its actions can have written, relative to the top of the work tree; `null`: anything. */
  writes: z.nullable(z.array(z.string())),
  /** Results of commands as the stream reported them, the newest: what the agent's report is checked against. */
  results: z.array(z.object({ command: z.string(), ok: z.boolean(), tail: z.string() })),
  samples: z.array(ResourceSample),
  /** Corrections that reached the running agent (`[interventions] mid_stream`). */
  corrections: z.array(z.object({ issue: z.string(), text: z.string(), atMs: z.number() })),
});
export type Observed = z.infer<typeof Observed>;

/** A credential in a line that the attempt added to a file that git doesn't ignore, or to a commit. */
export const PlantedCredential = z.object({
  path: z.string(),
  /** 1-based. */
  line: z.number(),
  /** Such as "GitHub token"; never the credential itself. */
  kind: z.string(),
  /** The commit that has it where the files don't; `null`: they do. */
  commit: z.nullable(z.string()),
});
export type PlantedCredential = z.infer<typeof PlantedCredential>;
