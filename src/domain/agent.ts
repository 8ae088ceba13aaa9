import * as z from 'zod/mini';
import { LimitKind } from './intervention.ts';
import type { AgentAction, Ruling } from './review.ts';

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
      /** Whether the call was carried out, as far as the agent says. */
      readonly ok: boolean;
      readonly output: string;
      /** Of a command, where the agent tells it apart from `ok`. */
      readonly exitCode?: number;
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
  | { readonly kind: 'result'; readonly ok: boolean; readonly text: string | null }
  /** A word of its gate that came in the stream (`GateContract`). */
  | { readonly kind: 'gate'; readonly message: GateMessage };

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

/** Input and output; 0 where the agent told none. */
export function tokensOf(usage: Usage | null): number {
  return usage === null ? 0 : usage.inputTokens + usage.outputTokens;
}

/** A session of an agent that can be gone on with, and the usage that the agent told at its end. */
export const AgentSession = z.object({ id: z.string(), usage: z.nullable(Usage) });
export type AgentSession = z.infer<typeof AgentSession>;

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
  /** Where the agent is to ask before it acts; `null`: it is not made to ask. */
  readonly gate: GatePlace | null;
};

/**
 * Where an attempt's gate is reached: a private folder outside of the repository. On a control channel nothing of it
 * is used: that goes over standard input and output.
 */
export type GatePlace = {
  /** For the files of this attempt; absolute. */
  readonly folder: string;
  /**
   * Command line for a POSIX shell: hands its standard input to the reviewer, prints the answer and ends with the
   * answer's exit code. Whatever goes wrong, it prints nothing on standard output and ends with 2.
   */
  readonly client: string;
  /** For a program that connects by itself: a Unix socket, and the word that it has to begin with. */
  readonly socket: string;
  readonly token: string;
  /** Longer than the attempt may last, in seconds: an agent that stops waiting for an answer goes on without one. */
  readonly patienceSeconds: number;
};

/** What an agent says to its gate. */
export type GateMessage =
  /** The agent has taken notice of the gate. */
  | { readonly kind: 'ready' }
  /** It waits for a ruling. `request` is repeated in the answer where several may be open. */
  | { readonly kind: 'action'; readonly request: string; readonly action: AgentAction }
  /** What its stream does not tell. */
  | { readonly kind: 'events'; readonly events: readonly AgentEvent[] }
  /** Cannot be understood: whatever it asks for is denied. */
  | { readonly kind: 'unknown'; readonly request: string };

/** What goes back over the client or the plug-in: text on standard output, and the client's exit code. */
export type GateAnswer = { readonly text: string; readonly exitCode: number };

type GateBasics = {
  /** Whether what is typed into a program that was left open reaches no gate. */
  readonly unseenInput: boolean;
  /** By what a call in the stream is found again among the reviewed actions, and an action for it. */
  readonly callKey: (call: Pick<AgentAction, 'id' | 'tool' | 'input'>) => string;
  readonly actionKey: (action: AgentAction) => string;
};

/** A program or a plug-in of the agent asks over the gate's socket. */
export type HookContract = GateBasics & {
  readonly transport: 'hook' | 'plug-in';
  /** What came. Never throws. */
  readonly read: (text: string) => GateMessage;
  readonly answer: (message: GateMessage, ruling: Ruling) => GateAnswer;
};

/** Questions come in the stream (`kind: 'gate'`); answers, prompt and messages go to standard input, a line each. */
export type ChannelContract = GateBasics & {
  readonly transport: 'control channel';
  /** Asks for the gate; the prompt follows when the agent has answered `ready`. */
  readonly opening: string;
  /** A message of the person: the prompt, and others while the agent works. */
  readonly message: (text: string) => string;
  readonly answer: (message: GateMessage, ruling: Ruling) => string;
};

/** How the actions of an agent reach the reviewer before they happen, and how the ruling gets back. Pure functions. */
export type GateContract = HookContract | ChannelContract;

export type AgentPlan = {
  readonly argv: readonly [string, ...string[]];
  /** Added to the environment of ralph itself. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * `prompt`: the prompt arrives on standard input; `empty`: standard input is closed at once; `channel`: it stays
   * open and carries the lines of a control channel.
   */
  readonly stdin: 'prompt' | 'empty' | 'channel';
  /** Files that have to lie in the gate's folder before the agent starts; names without folders. */
  readonly files?: readonly { readonly name: string; readonly content: string }[];
  readonly overlay?: SettingsOverlay;
};

/**
 * A home folder for this attempt alone, in the gate's folder, for agents that read hooks from the person's settings
 * and nowhere else. All in it is the person's own, by links, but for one file, which has more in it.
 */
export type SettingsOverlay = {
  /** Names the home folder to the agent. */
  readonly variable: string;
  /** The settings folder in it, and the file of JSON in that. */
  readonly folder: string;
  readonly file: string;
  /** Objects are merged, lists put together. */
  readonly add: Readonly<Record<string, unknown>>;
  /** Folders in the settings folder that the agent writes to; made where they are missing, so that they stay. */
  readonly kept: readonly string[];
  /** Files beside the settings folder that it reads. */
  readonly beside: readonly string[];
};

/** A coding agent as two pure functions. */
export type AgentAdapter = {
  readonly name: string;
  /** How its standard output is read; `text` means that all of it is the agent's own words. */
  readonly output: AgentOutput;
  readonly plan: (request: AgentRequest) => AgentPlan;
  /** One line of standard output, without its line end. Unknown lines give no event. Never throws. */
  readonly parse: (line: string) => readonly AgentEvent[];
  /** A resumed session tells the usage since its very beginning. */
  readonly cumulativeUsage?: boolean;
  /** `null`: the agent cannot be made to ask; its stream is all there is to see. */
  readonly gate: GateContract | null;
};

export const AGENT_OUTPUTS = [
  'text',
  'claude-stream',
  'codex-jsonl',
  'gemini-stream',
  'copilot-jsonl',
  'opencode-json',
  'qwen-stream',
  'pi-json',
] as const;
export const AgentOutput = z.enum(AGENT_OUTPUTS);
export type AgentOutput = z.infer<typeof AgentOutput>;

/** The built-in agents, in the order in which `agent = "auto"` looks for them. */
export const BUILT_IN_AGENTS = ['claude', 'codex', 'copilot', 'gemini', 'opencode', 'qwen', 'pi'] as const;

/** Something that the agent did although nobody had allowed it, or began although it is denied, or used too much of,
 * or a critical finding for which the attempt is not accepted. */
export const HaltReason = z.enum(['unreviewed_action', 'denied_action', 'limit_crossed', 'critical_finding']);
export type HaltReason = z.infer<typeof HaltReason>;

/** How an agent's process ended; the first cause wins. */
export const AgentEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  /** A person stopped ralph; `forced` when they asked twice. */
  z.object({ kind: z.literal('interrupted'), signal: z.string(), forced: z.boolean() }),
  z.object({ kind: z.literal('spawn_failed'), code: z.string(), message: z.string() }),
  /** ralph ended it for what it did. `message` is a sentence for people. */
  z.object({
    kind: z.literal('halted'),
    why: HaltReason,
    message: z.string(),
    /** Which limit was crossed (`limit_crossed`), with the value seen in the limit's unit. */
    crossed: z.optional(z.object({ limit: LimitKind, allowed: z.number(), seen: z.number() })),
  }),
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
