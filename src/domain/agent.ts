import * as z from 'zod/mini';

/** What an adapter reads from one line of an agent's output (spec 1-loop, Agents). */
export type AgentEvent =
  /** Text of the agent itself. `delta` continues the text before it; otherwise a new message begins. */
  | { readonly kind: 'text'; readonly text: string; readonly delta: boolean }
  | {
      readonly kind: 'tool_call';
      readonly id: string | null;
      readonly tool: string;
      readonly input: Record<string, unknown>;
    }
  | {
      readonly kind: 'tool_result';
      readonly id: string | null;
      readonly ok: boolean;
      readonly output: string;
    }
  /** `total`: replaces what was known (cumulative reports); `add`: one step's share, to be summed. */
  | { readonly kind: 'usage'; readonly scope: 'total' | 'add'; readonly usage: Usage }
  /** A usage limit; `resetsAt` in ISO 8601 UTC where the agent gives a time with a zone. */
  | { readonly kind: 'limit'; readonly message: string; readonly resetsAt: string | null }
  /** `fatal` ends the attempt; others are warnings that the agent recovers from. */
  | {
      readonly kind: 'error';
      readonly cause: AgentErrorCause;
      readonly message: string;
      readonly fatal: boolean;
    }
  | { readonly kind: 'session'; readonly id: string }
  /** The agent's own closing report. `text` is its final message where the report carries one. */
  | { readonly kind: 'result'; readonly ok: boolean; readonly text: string | null };

export const AgentErrorCause = z.enum(['rate_limited', 'auth', 'outage', 'other']);
export type AgentErrorCause = z.infer<typeof AgentErrorCause>;

export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  /** US dollars as the agent reports them; `null` where it does not. */
  costUsd: z.nullable(z.number()),
});
export type Usage = z.infer<typeof Usage>;

/** Everything an adapter needs to start one attempt. Paths are absolute. */
export type AgentRequest = {
  readonly prompt: string;
  /** The same prompt as a file, for agents that read one. */
  readonly promptFile: string;
  readonly cwd: string;
  readonly model: string | null;
  readonly extraArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A session to go on with; `null` for a fresh one. */
  readonly resume: string | null;
};

export type AgentPlan = {
  readonly argv: readonly [string, ...string[]];
  /** Added to the environment of ralph itself. */
  readonly env: Readonly<Record<string, string>>;
  /** `prompt`: the prompt arrives on standard input; `empty`: standard input is closed at once. */
  readonly stdin: 'prompt' | 'empty';
};

/** A coding agent as two pure functions. */
export type AgentAdapter = {
  readonly name: string;
  /** How its standard output is read; `text` means that all of it is the agent's own words. */
  readonly output: AgentOutput;
  readonly plan: (request: AgentRequest) => AgentPlan;
  /** One line of standard output, without its line end. Unknown lines give no event. Never throws. */
  readonly parse: (line: string) => readonly AgentEvent[];
};

/** How lines reach `parse`, for the sake of speed; without it each comes by itself. */
export type LineReading = {
  /** Lines with one of these beginnings are kept in the file, but neither decoded nor parsed. */
  readonly unread: readonly string[];
  /**
   * Lines that came at the same time are parsed as one, with line feeds between them; of more than 270,000 characters
   * the end.
   */
  readonly together: boolean;
};

export const AGENT_OUTPUTS = [
  'text',
  'claude-stream',
  'codex-jsonl',
  'gemini-stream',
  'copilot-jsonl',
  'opencode-json',
] as const;
export const AgentOutput = z.enum(AGENT_OUTPUTS);
export type AgentOutput = z.infer<typeof AgentOutput>;

/** The built-in agents, in the order in which `agent = "auto"` looks for them. */
export const BUILT_IN_AGENTS = ['claude', 'codex', 'copilot', 'gemini', 'opencode'] as const;

/** How an agent's process ended; the first cause wins. */
export const AgentEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  /** A person stopped ralph; `forced` when they asked twice. */
  z.object({ kind: z.literal('interrupted'), signal: z.string(), forced: z.boolean() }),
  z.object({ kind: z.literal('spawn_failed'), code: z.string(), message: z.string() }),
]);
export type AgentEnd = z.infer<typeof AgentEnd>;

/** A cause other than the work itself, known from structured events alone. */
export const InfrastructureCause = z.object({
  kind: z.enum(['rate_limited', 'auth', 'outage']),
  message: z.string(),
  resetsAt: z.nullable(z.string()),
});
export type InfrastructureCause = z.infer<typeof InfrastructureCause>;

/** What is known of an attempt from its event stream (`summariseEvents`). */
export const AgentReport = z.object({
  sessionId: z.nullable(z.string()),
  /** The agent's own last words, bounded; for plain-text agents all of its output, bounded at the front. */
  finalMessage: z.string(),
  usage: z.nullable(Usage),
  toolCalls: z.number(),
  /** Calls that write files by name, to tell a writer from a talker. */
  writeCalls: z.number(),
  /** False when the agent itself reports failure whatever its exit code says. */
  ok: z.boolean(),
  infrastructure: z.nullable(InfrastructureCause),
  errors: z.array(z.string()),
});
export type AgentReport = z.infer<typeof AgentReport>;
