import { ModelUsage } from 'ralph-agents/event';
import * as z from 'zod/mini';
import { LimitKind } from './intervention.ts';

/**
 * A session of an agent that a later attempt can continue. `usage`: the session's usage at the end, as reported by the
 * agent.
 */
export const AgentSession = z.object({ id: z.string(), usage: z.array(ModelUsage) });
export type AgentSession = z.infer<typeof AgentSession>;

/**
 * Why ralph ended an attempt: an action that was denied or not permitted, a crossed limit, a critical finding,
 * repetition without end, or a spent budget.
 */
export const HaltReason = z.enum([
  'unreviewed_action',
  'denied_action',
  'limit_crossed',
  'critical_finding',
  'endless',
  'budget_spent',
]);

/** How the agent's process ended. If several causes apply, the first one counts. */
export const AgentEnd = z.discriminatedUnion('kind', [
  /**
   * The process ended. `lingered`: ralph ended the process and its children, because they continued for some time after
   * the agent's final report.
   */
  z.object({ kind: z.literal('exited'), code: z.number(), lingered: z.optional(z.literal(true)) }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  /** You stopped ralph. `forced`: you asked twice. */
  z.object({ kind: z.literal('interrupted'), signal: z.string(), forced: z.boolean() }),
  z.object({ kind: z.literal('spawn_failed'), code: z.string(), message: z.string() }),
  /** ralph ended the attempt (`HaltReason`). `message` is for the screen. */
  z.object({
    kind: z.literal('halted'),
    why: HaltReason,
    message: z.string(),
    /** The crossed limit, in its own unit: the allowed value and the value seen. Only for `limit_crossed`. */
    crossed: z.optional(z.object({ limit: LimitKind, allowed: z.number(), seen: z.number() })),
  }),
]);
export type AgentEnd = z.infer<typeof AgentEnd>;
