import * as z from 'zod/mini';

/** Something that an agent is about to do, in its own terms, as its gate tells it before it happens. */
export type AgentAction = {
  /** The agent's own number of the call; `null` where its gate does not tell. */
  readonly id: string | null;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Folder that the agent works in, absolute; `null`: the top of the repository. */
  readonly cwd: string | null;
};

/** The reviewer's decision on an action (spec README, Words). */
export type Ruling =
  | { readonly decision: 'allow' }
  /** `rule` is a stable name, `reason` is for the agent and for people: what was denied and what to do instead. */
  | { readonly decision: 'deny'; readonly rule: string; readonly reason: string };

/** Where an action happens, as far as a ruling goes by it. Paths are absolute and real (no links in them). */
export type ReviewPlace = {
  /** Top of the work tree. */
  readonly root: string;
  /** The person's home folder; `null` where there is none. */
  readonly home: string | null;
  /** Nothing below these is written or deleted, wherever they lie. */
  readonly protectedFolders: readonly string[];
  /** Whether what the agent types into a program that it left open reaches no reviewer. */
  readonly unseenInput: boolean;
  /** Follows links: of a path that does not exist, its deepest folder that does. Never throws. */
  readonly realPath: (path: string) => string;
};

export const REVIEW_MODES = ['gate', 'detect', 'off'] as const;
/**
 * `gate`: no action happens before it was allowed; `detect`: actions are seen when they have begun, and a denied one
 * ends the attempt; `off`: nobody looks.
 */
export const ReviewMode = z.enum(REVIEW_MODES);
export type ReviewMode = z.infer<typeof ReviewMode>;

const Described = { tool: z.string(), action: z.string() };

/** What the review of an attempt's actions saw. */
export const ReviewFacts = z.object({
  mode: ReviewMode,
  /** Why it is not a gate; empty where it is one. */
  why: z.string(),
  /** Whether the agent took notice of its gate. */
  proven: z.boolean(),
  allowed: z.number(),
  denied: z.number(),
  /** The denied actions, the first of them where there are many. */
  blocked: z.array(z.object({ ...Described, rule: z.string(), reason: z.string() })),
  /** An action that happened although nobody had allowed it. */
  unreviewed: z.nullable(z.object(Described)),
});
export type ReviewFacts = z.infer<typeof ReviewFacts>;
