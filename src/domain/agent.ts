import * as z from 'zod/mini';
import type { Action } from '../lib/actions/action.ts';
import type { Ruling } from '../lib/actions/review.ts';
import type { AgentOutput } from '../lib/agents.ts';
import type { AgentHome, Inherits } from './box/box.ts';
import { LimitKind } from './intervention.ts';
import type { HookAbilities } from './review.ts';
import { SERVICE_KINDS, ServiceKind } from './service.ts';

/** What an adapter reads from one line of an agent's output (spec 1-loop, Agents). */
export type AgentEvent =
  /** Text of the agent itself. `delta` continues the text before it; otherwise a new message begins. */
  | { readonly kind: 'text'; readonly text: string; readonly delta: boolean }
  | { readonly kind: 'tool_call'; readonly action: Action }
  | {
      readonly kind: 'tool_result';
      readonly id: string | null;
      /** Whether the call was carried out, as far as the agent says. */
      readonly ok: boolean;
      readonly output: string;
      /** Of a command, where the agent reports it beside `ok`. */
      readonly exitCode?: number;
      /** The agent itself turned the call down before its tool began: no action. */
      readonly refused?: true;
    }
  /**
   * `total`: replaces what was known (cumulative reports); `add`: one step's share, to be summed; `message`: what one
   * message used so far, which counts until a report with one of the other two comes. `usage`: an entry for each model.
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
  /** The model that works from here on. */
  | { readonly kind: 'model'; readonly model: string }
  /**
   * A usage limit; `resetsAt` in ISO 8601 UTC where the agent gives a time with a zone, `inWords` where that was read
   * from the message: a field is exact.
   */
  | {
      readonly kind: 'limit';
      readonly message: string;
      readonly resetsAt: string | null;
      readonly inWords: boolean;
    }
  /** `fatal` ends the attempt; others are warnings that the agent recovers from. */
  | {
      readonly kind: 'error';
      readonly cause: AgentErrorCause;
      readonly message: string;
      readonly fatal: boolean;
      /**
       * The agent may do this again and again without end: some of these in a row end the attempt. So many reports of
       * usage may lie between two of them.
       */
      readonly endless?: number;
    }
  | { readonly kind: 'session'; readonly id: string }
  /** Whether the agent (`who` empty), a helper that it started, or a program in the background is at work. */
  | {
      readonly kind: 'busy';
      readonly what: 'agent' | 'helper' | 'program';
      readonly who: string;
      readonly busy: boolean;
    }
  /** The agent's own closing report. `text` is its final message where the report carries one. */
  | { readonly kind: 'result'; readonly ok: boolean; readonly text: string | null }
  /** A message of its hook that came in the stream (`ChannelHook`). */
  | { readonly kind: 'hook'; readonly message: HookMessage };

type BusyPart = Extract<AgentEvent, { kind: 'busy' }>['what'];

/** What of an agent is at work, as its stream reports it. */
export type BusyParts = {
  readonly onEvent: (event: AgentEvent) => void;
  readonly any: () => boolean;
};

/** @param counted the parts that are asked about. */
export function trackBusy(...counted: readonly BusyPart[]): BusyParts {
  const busy = new Set<string>();
  return {
    onEvent: (event) => {
      if (event.kind !== 'busy' || !counted.includes(event.what)) return;
      if (event.busy) busy.add(event.who);
      else busy.delete(event.who);
    },
    any: () => busy.size > 0,
  };
}

/** `other`: the work itself, or nothing that ralph knows. */
export const AgentErrorCause = z.enum([...SERVICE_KINDS, 'other']);
export type AgentErrorCause = z.infer<typeof AgentErrorCause>;

/** What one model was used for. */
export const ModelUsage = z.object({
  /** `null`: the agent doesn't report which, and none was asked for. */
  model: z.nullable(z.string()),
  /** All input: what came from a cache and what was written to one are parts of it. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  cacheWriteTokens: z.number(),
  /** US dollars as the agent reports them; `null` where it does not. */
  costUsd: z.nullable(z.number()),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Input and output. */
export function tokensOf(usage: readonly Pick<ModelUsage, 'inputTokens' | 'outputTokens'>[]): number {
  return usage.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}

/** A session of an agent that can be continued, and the usage that the agent reported at its end. */
export const AgentSession = z.object({ id: z.string(), usage: z.array(ModelUsage) });
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
  /** A session to continue; `null` for a fresh one. */
  readonly resume: string | null;
  /** What it works on, in a few words, for agents that name their sessions. */
  readonly title: string;
  /** It runs in ralph's box. */
  readonly boxed: boolean;
  /** Where the agent's hook asks before each action; `null`: it has no hook. */
  readonly hook: HookPlace | null;
  /** The id of a new session, for agents that take one: a UUID that no other attempt has. */
  readonly session: string;
  /** A path that this attempt alone can write to, for agents that report in a file; nothing is there yet. */
  readonly reportFile: string;
};

/**
 * Where an attempt's hook reaches ralph: a private folder outside of the repository. A control channel uses nothing of
 * it: that works over standard input and output.
 */
export type HookPlace = {
  /** For the files of this attempt; absolute. */
  readonly folder: string;
  /**
   * Command line for a POSIX shell: sends its standard input to the reviewer, prints the answer and ends with the
   * answer's exit code. Whatever goes wrong, it prints nothing on standard output and ends with 2.
   */
  readonly client: string;
  /** For a program that connects itself: a Unix socket, and the token that it has to begin with. */
  readonly socket: string;
  readonly token: string;
  /** Longer than the attempt may last, in seconds: an agent that stops waiting for an answer acts without one. */
  readonly patienceSeconds: number;
};

/** What an agent's hook says in place of an answer that didn't come: the call is denied. */
export const NO_ANSWER = 'ralph: the reviewer did not answer, so this action is denied.';

/** What an agent's hook says. */
export type HookMessage =
  /** The hook is in force. `model`: the one that works, where the hook is told. */
  | { readonly kind: 'ready'; readonly model?: string | null }
  /** The agent waits for a ruling. `request` is repeated in the answer where several may be open. */
  | { readonly kind: 'action'; readonly request: string; readonly action: Action }
  /** A call is over, as it happened: a warning about it can reach the agent now, where it couldn't before. */
  | { readonly kind: 'done'; readonly request: string; readonly action: Action }
  /** What its stream doesn't report. */
  | { readonly kind: 'events'; readonly events: readonly AgentEvent[] }
  /** Can't be understood: whatever it asks for is denied. */
  | { readonly kind: 'unknown'; readonly request: string };

/** What goes back over the client or the plug-in: text on standard output, and the client's exit code. */
export type HookAnswer = { readonly text: string; readonly exitCode: number };

export type HookBasics = {
  readonly can: HookAbilities;
  /** How long an answer may take, in seconds; a call that waits longer is denied, or happens unasked. */
  readonly waitsSeconds: number;
  /** Whether what is typed into a program that was left open reaches no hook. */
  readonly unseenInput: boolean;
  /** By what a call in the stream is found again among the reviewed actions. */
  readonly key: (action: Action) => string;
  /** Actions that it does without asking, and why that is known; absent: it asks before each. */
  readonly unasked?: { readonly what: string; readonly holds: (action: Action) => boolean } | undefined;
};

/** A program or a plug-in of the agent asks over the hook's socket. */
export type SocketHook = HookBasics & {
  readonly transport: 'hook' | 'plug-in';
  /** What came. Never throws. */
  readonly read: (text: string) => HookMessage;
  readonly answer: (message: HookMessage, ruling: Ruling) => HookAnswer;
};

/** Questions come in the stream (`kind: 'hook'`); answers, prompt and messages go to standard input, a line each. */
export type ChannelHook = HookBasics & {
  readonly transport: 'control channel';
  /** Asks for the hook; the prompt follows when the agent has answered `ready`. */
  readonly opening: string;
  /** A message of the user: the prompt, and others while the agent works. */
  readonly message: (text: string) => string;
  readonly answer: (message: HookMessage, ruling: Ruling) => string;
};

/**
 * It is spoken to by the Agent Client Protocol: prompt, questions and answers are its messages (ADR 79). Questions come
 * in the stream (`kind: 'hook'`), with the number of the request.
 */
export type AcpHook = HookBasics & {
  readonly transport: 'ACP';
  /** Whether it was measured what it asks for: then its first question isn't waited for. */
  readonly measured: boolean;
  /** The outcome of a question by its ruling. */
  readonly outcome: (ruling: Ruling, options: readonly PermissionOption[]) => PermissionOutcome;
};

/** An answer that the agent takes to a question; `kind` is the protocol's. */
export type PermissionOption = { readonly optionId: string; readonly kind: string };
export type PermissionOutcome =
  | { readonly outcome: 'selected'; readonly optionId: string }
  | { readonly outcome: 'cancelled' };

/** How the actions of an agent reach the reviewer before they happen, and how the ruling gets back. Pure functions. */
export type HookContract = SocketHook | ChannelHook | AcpHook;

export type AgentPlan = {
  readonly argv: readonly [string, ...string[]];
  /** Added to the environment of ralph itself. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables for where neither ralph's environment nor `env` has them. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** The id of its session, where that is known before it starts. */
  readonly session?: string;
  /** The session that is continued, where the agent is asked for it on its channel. */
  readonly resume?: string | null;
  /** A file that it writes, read when it has ended; its folder is the attempt's own. */
  readonly report?: { readonly path: string; readonly parse: (text: string) => readonly AgentEvent[] };
  /**
   * `prompt`: the prompt arrives on standard input; `empty`: standard input is closed at once; `channel`: it stays
   * open and carries the lines of a control channel.
   */
  readonly stdin: 'prompt' | 'empty' | 'channel';
  /** Files that the hook's folder holds before the agent starts; names without folders. */
  readonly files?: readonly { readonly name: string; readonly content: string }[];
  readonly overlay?: SettingsOverlay;
  /**
   * It gets no time to end. Asked to (SIGTERM), it would end its hook, take that for consent, and do what it was asking
   * about.
   */
  readonly endsAtOnce?: true;
};

/**
 * A home folder for this attempt alone, in the hook's folder, for agents that read hooks from your settings and nowhere
 * else. All in it is your own, by links, except one file, which has more in it.
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
  readonly siblings: readonly string[];
};

/** A reader of one attempt's lines. */
export function lineReader({ parse, open }: Pick<OutputFormat, 'parse' | 'open'>): OutputFormat['parse'] {
  return open?.() ?? parse;
}

/** How the lines of an agent's standard output are read. */
export type OutputFormat = {
  readonly output: AgentOutput;
  /** One line of standard output, without its line end. Unknown lines give no event. Never throws. */
  readonly parse: (line: string) => readonly AgentEvent[];
  /** In place of `parse` where lines refer to earlier ones: a reader of one attempt's lines. Absent: they don't. */
  readonly open?: (() => (line: string) => readonly AgentEvent[]) | undefined;
  /** Every line is the agent's words: `parse` gets lines that arrived together as one text, which is faster. */
  readonly plainText?: boolean | undefined;
  /** Each command of the agent's tools runs in a session of its own, so that they can be distinguished from the agent. */
  readonly toolSessions?: boolean | undefined;
  /** When it reports its tokens and what they cost; absent: never. */
  readonly usage?: ReportedUsage | undefined;
};

/** While it works, or when it ends; `null`: never. */
export type ReportedUsage = { readonly tokens: 'live' | 'end'; readonly cost: 'live' | 'end' | null };

/** A coding agent as pure functions. */
export type AgentAdapter = OutputFormat & {
  readonly name: string;
  /** The model that `[runners.NAME] model` asks for; `null`: the agent's own choice. */
  readonly model: string | null;
  readonly plan: (request: AgentRequest) => AgentPlan;
  /** Whether a resumed session reports the usage since its very beginning. */
  readonly cumulativeUsage: boolean;
  /** `null`: the agent can't be made to ask; its stream is all there is to see. */
  readonly hook: HookContract | null;
  /** Its own folders; `null`: it has none that ralph knows. */
  readonly home: AgentHome | null;
  /** What it gets of ralph's environment in the box; what `plan` says comes on top. */
  readonly inherits: Inherits;
  /** What you said its last lines are when it reached a usage limit, or when its service is down. */
  readonly trouble?: { readonly limit: RegExp | null; readonly outage: RegExp | null };
  readonly log?: AgentLog;
  /** Files of instructions that it reads itself; absent: none that ralph knows. */
  readonly notes?: OwnNotes | undefined;
};

/** Files of instructions, relative to the repository, that a program reads itself. */
export type OwnNotes = {
  /** In the order in which it looks for them. */
  readonly files: readonly string[];
  /** `first`: the first that is there, and none of the others. */
  readonly which: 'all' | 'first';
  /** Arguments with which it reads none; others may follow in the same word. */
  readonly off: readonly string[];
};

/** A log that an agent keeps of a session, for what its stream doesn't report. */
export type AgentLog = {
  /** Below the home folder, without `~/`. */
  readonly file: (session: string) => string;
  /** The trouble that it was in at the end of this log; what is older than `since` (epoch milliseconds) is over. */
  readonly read: (text: string, since: number, session: string) => readonly AgentEvent[];
};

/** Something that the agent did without permission, or began although it is denied, or used too much of,
 * or a critical finding for which the attempt is not accepted; or that it did the same without end; or the budget is
 * spent, whatever it did. */
export const HaltReason = z.enum([
  'unreviewed_action',
  'denied_action',
  'limit_crossed',
  'critical_finding',
  'endless',
  'budget_spent',
]);

/** How an agent's process ended; the first cause wins. */
export const AgentEnd = z.discriminatedUnion('kind', [
  /** `lingered`: ralph ended it, with all that it left running, some time after its closing result. */
  z.object({ kind: z.literal('exited'), code: z.number(), lingered: z.optional(z.literal(true)) }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  z.object({ kind: z.literal('timed_out'), which: z.enum(['wall', 'idle']), afterMs: z.number() }),
  /** You stopped ralph; `forced` when you asked twice. */
  z.object({ kind: z.literal('interrupted'), signal: z.string(), forced: z.boolean() }),
  z.object({ kind: z.literal('spawn_failed'), code: z.string(), message: z.string() }),
  /** ralph ended it for its actions. `message` is for the screen. */
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
  kind: ServiceKind,
  message: z.string(),
  resetsAt: z.nullable(z.string()),
});
export type InfrastructureCause = z.infer<typeof InfrastructureCause>;

/** What is known of an attempt from its event stream (`summariseEvents`). */
export const AgentReport = z.object({
  sessionId: z.nullable(z.string()),
  /** As the agent reports it, else as it was asked for; the first one of several. */
  model: z.nullable(z.string()),
  /** The agent's own last words, bounded; for plain-text agents all of its output, bounded at the front. */
  finalMessage: z.string(),
  /** Empty: it reported none. */
  usage: z.array(ModelUsage),
  toolCalls: z.number(),
  /** Calls that write files by name, to tell a writer from a talker. */
  writeCalls: z.number(),
  /** False when the agent itself reports failure whatever its exit code says. */
  ok: z.boolean(),
  infrastructure: z.nullable(InfrastructureCause),
  errors: z.array(z.string()),
});
export type AgentReport = z.infer<typeof AgentReport>;
