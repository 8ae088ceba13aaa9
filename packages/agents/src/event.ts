import type { Action } from 'ralph-kit/actions/action';
import * as z from 'zod/mini';

/**
 * Failures of a model's service, which are never the task's fault. `rate_limited`: the account's share is used up;
 * `throttled`: too many requests at once, over in seconds; `credit`: paid credit is used up; `auth`: the key is
 * missing, wrong or expired; `model`: the model is unknown or retired; `context`: the request is too long; `refused`:
 * the request is against the service's rules.
 */
export const SERVICE_KINDS = [
  'rate_limited',
  'throttled',
  'credit',
  'auth',
  'model',
  'outage',
  'context',
  'refused',
] as const;
export const ServiceKind = z.enum(SERVICE_KINDS);
export type ServiceKind = z.infer<typeof ServiceKind>;

/** Returns whether the cause ends without your help, at a time that the service may report. */
export function isLimit(kind: string | undefined): kind is 'rate_limited' | 'throttled' {
  return kind === 'rate_limited' || kind === 'throttled';
}

/**
 * A failed request that the agent's program sends again without ralph. `null`: the program doesn't report the value.
 */
export type Retry = {
  /** HTTP status of the failed request. */
  readonly status: number | null;
  /** Number of the coming try, from 1; `of` is the number of all tries. */
  readonly attempt: number | null;
  readonly of: number | null;
  /** Milliseconds that the program waits before the coming try. */
  readonly inMs: number | null;
};

/** An event that an adapter reads from the agent's output. */
export type AgentEvent =
  /** Text of the agent itself. `delta` continues the text before it; otherwise a new message begins. */
  | { readonly kind: 'text'; readonly text: string; readonly delta: boolean }
  | { readonly kind: 'tool_call'; readonly action: Action }
  | {
      readonly kind: 'tool_result';
      readonly id: string | null;
      /** False: the tool failed, or the agent didn't carry the call out, as far as the agent reports. */
      readonly ok: boolean;
      readonly output: string;
      /** Exit code of a command; absent if the agent reports only `ok`. */
      readonly exitCode?: number;
      /** The agent itself refused the call before its tool began, so no action happened. */
      readonly refused?: true;
    }
  /**
   * Usage that the agent reports, with an entry for each model. `total` replaces the known usage, `add` is added to it,
   * and `message` counts for one message until a report with another scope comes.
   */
  | {
      readonly kind: 'usage';
      readonly scope: 'total' | 'add';
      readonly usage: readonly ModelUsage[];
    }
  | {
      readonly kind: 'usage';
      readonly scope: 'message';
      readonly id: string;
      readonly usage: readonly ModelUsage[];
    }
  /** The model that answers from now on. */
  | { readonly kind: 'model'; readonly model: string }
  /**
   * The agent reached a usage limit. `resetsAt` is ISO 8601 UTC, `null` without a time or a time zone. `inWords`: the
   * time comes from the text of the message, which is less exact than a field.
   */
  | {
      readonly kind: 'limit';
      readonly message: string;
      readonly resetsAt: string | null;
      readonly inWords: boolean;
    }
  /** An error of the agent. `fatal` ends the attempt; the agent recovers from other errors. */
  | {
      readonly kind: 'error';
      readonly cause: AgentErrorCause;
      readonly message: string;
      readonly fatal: boolean;
      /**
       * Set for errors that the agent may repeat without end: a few of them in a row end the attempt. The number is how
       * many reports of usage may lie between two of them.
       */
      readonly endless?: number;
      readonly retry?: Retry;
      /** The agent's program stopped because it reached `costLimitUsd`. */
      readonly costLimit?: true;
    }
  | { readonly kind: 'session'; readonly id: string }
  /** Whether the agent (`who` is ''), a helper that the agent started, or a program in the background works. */
  | {
      readonly kind: 'busy';
      readonly what: 'agent' | 'helper' | 'program';
      readonly who: string;
      readonly busy: boolean;
    }
  /** The agent's final report. `text` is its final message; `null` if the report has none. */
  | { readonly kind: 'result'; readonly ok: boolean; readonly text: string | null }
  /** A message of the agent's hook that comes in the same stream as its output (`ChannelHook`). */
  | { readonly kind: 'hook'; readonly message: HookMessage };

/** A message from an agent's hook to ralph. */
export type HookMessage =
  /** The hook works. `model`: the model in use, if the hook gets to know it. */
  | { readonly kind: 'ready'; readonly model?: string | null }
  /**
   * The agent waits for a ruling on an action. `request` identifies the question in the answer, because several may be
   * open.
   */
  | { readonly kind: 'action'; readonly request: string; readonly action: Action }
  /** An action has ended. A warning about it reaches the agent now, because its hook can't warn before an action. */
  | { readonly kind: 'done'; readonly request: string; readonly action: Action }
  /** Events that are missing in the agent's output stream. */
  | { readonly kind: 'events'; readonly events: readonly AgentEvent[] }
  /** A message that ralph can't read. Its request is denied, whatever it asks for. */
  | { readonly kind: 'unknown'; readonly request: string };

type BusyPart = Extract<AgentEvent, { kind: 'busy' }>['what'];

/** Tracks which parts of an agent are working, by the events of its stream. */
export type BusyParts = {
  readonly onEvent: (event: AgentEvent) => void;
  readonly isBusy: () => boolean;
};

/**
 * Follows an agent's events and says whether a part of it is busy.
 * @param counted Parts that count; the others are ignored.
 */
export function trackBusy(...counted: readonly BusyPart[]): BusyParts {
  const busy = new Set<string>();
  return {
    onEvent: (event) => {
      if (event.kind !== 'busy' || !counted.includes(event.what)) return;
      if (event.busy) busy.add(event.who);
      else busy.delete(event.who);
    },
    isBusy: () => busy.size > 0,
  };
}

/** `other`: the task itself failed, or the cause is unknown. */
export const AgentErrorCause = z.enum([...SERVICE_KINDS, 'other']);
export type AgentErrorCause = z.infer<typeof AgentErrorCause>;

/** An attempt's usage of one model. */
export const ModelUsage = z.object({
  /** Name of the model; `null`: the agent doesn't report it, and none was requested. */
  model: z.nullable(z.string()),
  /** All input tokens, including those read from a cache and written to one. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  cacheWriteTokens: z.number(),
  /** US dollars as reported by the agent; `null`: not reported. */
  costUsd: z.nullable(z.number()),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Returns the sum of input and output tokens. */
export function tokensOf(usage: readonly Pick<ModelUsage, 'inputTokens' | 'outputTokens'>[]): number {
  return usage.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}

/** How the agent's process ended. `halted`: it was stopped by the caller, `endless` for an error that it repeated. */
export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'halted'; readonly why: string }
  | { readonly kind: 'signalled' | 'timed_out' | 'interrupted' | 'spawn_failed' };

/** A cause other than the work itself, such as an outage. Only structured events count, not the agent's text. */
export const InfrastructureCause = z.object({
  kind: ServiceKind,
  message: z.string(),
  resetsAt: z.nullable(z.string()),
});
export type InfrastructureCause = z.infer<typeof InfrastructureCause>;

/** Facts about an attempt from its event stream (`finishReport`). */
export const AgentReport = z.object({
  sessionId: z.nullable(z.string()),
  /** The first model that the agent reported, otherwise the requested one. */
  model: z.nullable(z.string()),
  /** The agent's final message, at most a bounded length. For plain-text agents it is the end of the output. */
  finalMessage: z.string(),
  /** Usage of each model; empty if the agent reported none. */
  usage: z.array(ModelUsage),
  toolCalls: z.number(),
  /** Number of calls of tools that write files, which distinguishes working agents from those that only talk. */
  writeCalls: z.number(),
  /** False: the agent itself reports failure, whatever its exit code is. */
  ok: z.boolean(),
  infrastructure: z.nullable(InfrastructureCause),
  errors: z.array(z.string()),
});
export type AgentReport = z.infer<typeof AgentReport>;
