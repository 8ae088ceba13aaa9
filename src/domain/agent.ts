import type { Action } from 'ralph-kit/actions/action';
import type { Ruling } from 'ralph-kit/actions/review';
import type { AgentHome, Inherits } from 'ralph-kit/agent-home';
import type { AgentOutput } from 'ralph-kit/agents';
import * as z from 'zod/mini';
import { LimitKind } from './intervention.ts';
import type { HookAbilities } from './review.ts';
import { SERVICE_KINDS, ServiceKind } from './service.ts';

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

type BusyPart = Extract<AgentEvent, { kind: 'busy' }>['what'];

/** Tracks which parts of an agent are working, by the events of its stream. */
export type BusyParts = {
  readonly onEvent: (event: AgentEvent) => void;
  readonly isBusy: () => boolean;
};

/**
 * Follows an agent's events and says whether a part of it is busy.
 * @param counted Parts that `any` counts; the others are ignored.
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

/**
 * A session of an agent that a later attempt can continue. `usage`: the session's usage at the end, as reported by the
 * agent.
 */
export const AgentSession = z.object({ id: z.string(), usage: z.array(ModelUsage) });
export type AgentSession = z.infer<typeof AgentSession>;

/** The input from which an adapter makes the command line of one attempt. Paths are absolute. */
export type AgentRequest = {
  readonly prompt: string;
  /** Path of a file with the same prompt, for agents that read prompts from files. */
  readonly promptFile: string;
  readonly cwd: string;
  readonly model: string | null;
  readonly extraArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Id of a session to continue; `null`: a new session. */
  readonly resume: string | null;
  /**
   * Cost in US dollars at which the agent's program stops itself. Absent: there is no limit, or the program has no
   * switch for one.
   */
  readonly costLimitUsd?: number;
  /** Short name of the task, for agents that name their sessions. */
  readonly title: string;
  /** Whether the agent runs in ralph's box. */
  readonly boxed: boolean;
  /** Place where the agent's hook reaches ralph before each action; `null`: the agent has no hook. */
  readonly hook: HookPlace | null;
  /** A new UUID, for agents that let the caller choose the id of a new session. */
  readonly session: string;
  /**
   * Path of a file for agents that report in a file. The file doesn't exist yet, and only this attempt can write to it.
   */
  readonly reportFile: string;
};

/**
 * Place where an attempt's hook reaches ralph: a private folder outside of the repository. A control channel doesn't
 * use it, because it works over standard input and output.
 */
export type HookPlace = {
  /** Absolute path of a folder for the files of this attempt. */
  readonly folder: string;
  /**
   * Command line for a POSIX shell. It sends its standard input to the reviewer, prints the answer and ends with the
   * answer's exit code. On any failure it prints nothing and ends with exit code 2.
   */
  readonly client: string;
  /** Path of a Unix socket for hooks that connect without `client`. A connection has to begin with `token`. */
  readonly socket: string;
  readonly token: string;
  /**
   * Seconds that the hook waits for an answer, longer than the attempt may take: an agent whose hook stops waiting acts
   * without permission.
   */
  readonly patienceSeconds: number;
};

/** Answer of an agent's hook if ralph gave none: the action is denied. */
export const NO_ANSWER = 'ralph: the reviewer did not answer, so this action is denied.';

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

/**
 * Answer to a hook's program or plug-in: the text is printed on its standard output, and it ends with the exit code.
 */
export type HookAnswer = { readonly text: string; readonly exitCode: number };

export type HookBasics = {
  readonly can: HookAbilities;
  /**
   * Seconds that the agent waits for an answer. An action that waits longer is denied, or happens without permission.
   */
  readonly waitsSeconds: number;
  /** Whether input to an already running program is never shown to the hook. */
  readonly unseenInput: boolean;
  /** Returns a key that is equal for an action in the output stream and the same action in the review. */
  readonly key: (action: Action) => string;
  /**
   * Actions that the agent does without asking the hook, and the reason why that is known. Absent: the agent asks
   * before each action.
   */
  readonly unasked?: { readonly what: string; readonly matches: (action: Action) => boolean } | undefined;
};

/** A hook that asks ralph over a socket: a program, or a plug-in of the agent. */
export type SocketHook = HookBasics & {
  readonly transport: 'hook' | 'plug-in';
  /** Returns the message in the hook's text. Never throws. */
  readonly read: (text: string) => HookMessage;
  readonly answer: (message: HookMessage, ruling: Ruling) => HookAnswer;
};

/**
 * A hook whose questions come in the output stream (`kind: 'hook'`). Answers, the prompt and messages are lines on
 * standard input.
 */
export type ChannelHook = HookBasics & {
  readonly transport: 'control channel';
  /** First line for standard input, which requests the hook. The prompt follows once the agent has answered `ready`. */
  readonly opening: string;
  /** Returns the line for a user message: the prompt, or guidance while the agent works. */
  readonly message: (text: string) => string;
  readonly answer: (message: HookMessage, ruling: Ruling) => string;
};

/**
 * A hook of an agent that speaks the Agent Client Protocol: prompt, questions and answers are messages of the protocol
 * (ADR 79). Questions come in the output stream (`kind: 'hook'`), with the number of the request.
 */
export type AcpHook = HookBasics & {
  readonly transport: 'ACP';
  /**
   * Whether it is known from measurements for which actions the agent asks. If so, ralph doesn't wait for its first
   * question.
   */
  readonly measured: boolean;
  /** Returns the protocol's answer to a question, from ralph's ruling. */
  readonly outcome: (ruling: Ruling, options: readonly PermissionOption[]) => PermissionOutcome;
};

/** An answer that the agent accepts to its question; `kind` is defined by the protocol. */
export type PermissionOption = { readonly optionId: string; readonly kind: string };
export type PermissionOutcome =
  | { readonly outcome: 'selected'; readonly optionId: string }
  | { readonly outcome: 'cancelled' };

/**
 * How an agent's actions reach the reviewer before they happen, and how the ruling gets back to the agent. All
 * functions are pure.
 */
export type HookContract = SocketHook | ChannelHook | AcpHook;

export type AgentPlan = {
  readonly argv: readonly [string, ...string[]];
  /** Environment variables that are added to ralph's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Environment variables that are used only if neither ralph's environment nor `env` sets them. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Id of the agent's session. Absent: the id isn't known before the agent starts. */
  readonly session?: string;
  /** Id of the session to continue, for agents that get it in a message instead of the command line. */
  readonly resume?: string | null;
  /** A report file of the agent, read after the agent has ended. Its folder belongs to this attempt alone. */
  readonly report?: { readonly path: string; readonly parse: (text: string) => readonly AgentEvent[] };
  /**
   * Standard input of the agent. `prompt`: the prompt; `empty`: closed at once; `channel`: stays open for the lines of
   * a control channel.
   */
  readonly stdin: 'prompt' | 'empty' | 'channel';
  /** Files that ralph writes into the hook's folder before the agent starts. Names have no folders. */
  readonly files?: readonly { readonly name: string; readonly content: string }[];
  readonly overlay?: SettingsOverlay;
  /** The agent is killed at once instead of being asked to end: on SIGTERM it would continue to work. */
  readonly endsAtOnce?: true;
};

/**
 * A home folder for one attempt, for agents that read hooks only from your settings. It links to the content of your
 * own home folder, except for one file, to which ralph adds settings.
 */
export type SettingsOverlay = {
  /** Environment variable that names the home folder to the agent. */
  readonly variable: string;
  /** Name of the settings folder in the home folder; `file` is the JSON file in it that gets more settings. */
  readonly folder: string;
  readonly file: string;
  /** Settings to add to the file: objects are merged, lists are joined. */
  readonly add: Readonly<Record<string, unknown>>;
  /**
   * Folders that the agent writes to, in the settings folder. Missing ones are made in your own home folder, so that
   * their content outlives the attempt.
   */
  readonly kept: readonly string[];
  /** Files that the agent reads from the home folder, outside the settings folder. */
  readonly siblings: readonly string[];
};

/** Returns a function that reads the output lines of one attempt. */
export function lineReader({ parse, open }: Pick<OutputFormat, 'parse' | 'open'>): OutputFormat['parse'] {
  return open?.() ?? parse;
}

/** Format of an agent's standard output. */
export type OutputFormat = {
  readonly output: AgentOutput;
  /** Returns the events of one line, given without its line end; none for unknown lines. Never throws. */
  readonly parse: (line: string) => readonly AgentEvent[];
  /**
   * Returns a reader for the lines of one attempt, which replaces `parse` if lines refer to earlier lines. Absent:
   * lines are independent.
   */
  readonly open?: (() => (line: string) => readonly AgentEvent[]) | undefined;
  /** Whether the output is plain text of the agent. `parse` then gets several lines as one text, which is faster. */
  readonly plainText?: boolean | undefined;
  /**
   * Whether each command of the agent's tools runs in a process session of its own, so that ralph can tell its
   * processes from the agent's.
   */
  readonly toolSessions?: boolean | undefined;
  /** When the agent reports tokens and cost; absent: never. */
  readonly usage?: ReportedUsage | undefined;
};

/** `live`: while the agent works; `end`: when it ends; `null`: never. */
export type ReportedUsage = { readonly tokens: 'live' | 'end'; readonly cost: 'live' | 'end' | null };

/** The functions that know one coding agent. All of them are pure. */
export type AgentAdapter = OutputFormat & {
  readonly name: string;
  /** The model from `[runners.NAME] model`; `null`: the agent's own choice. */
  readonly model: string | null;
  readonly plan: (request: AgentRequest) => AgentPlan;
  /** Whether a resumed session reports its usage since its first attempt, not since it was resumed. */
  readonly cumulativeUsage: boolean;
  /**
   * Command line switch for `costLimitUsd`, used if the installed program's `--help` lists it. Absent: the agent has no
   * such switch.
   */
  readonly costSwitch?: string;
  /** How the agent asks ralph before it acts; `null`: it can't, so ralph sees its actions only in the output stream. */
  readonly hook: HookContract | null;
  /** Folders with the agent's own data; `null`: ralph knows none. */
  readonly home: AgentHome | null;
  /**
   * Milliseconds for which the agent may repeat failed requests without any output. Absent: the agent reports repeats,
   * or the time is unknown.
   */
  readonly silentRetriesMs?: number | undefined;
  /** Environment variables that the agent gets from ralph's environment in the box. `plan` adds more. */
  readonly inherits: Inherits;
  /**
   * Your patterns for the last output lines at a usage limit, and at an outage of the agent's service (`[runners.NAME]
   * limit`, `outage`).
   */
  readonly trouble?: { readonly limit: RegExp | null; readonly outage: RegExp | null };
  readonly log?: AgentLog;
  /** Files with instructions that the agent reads without ralph; absent: ralph knows none. */
  readonly notes?: OwnNotes | undefined;
};

/** Files with instructions that an agent reads without ralph, relative to the repository. */
export type OwnNotes = {
  /** Paths in the order in which the agent looks for them. */
  readonly files: readonly string[];
  /** Which of these files the agent reads: all, or only the first one that exists (`first`). */
  readonly which: 'all' | 'first';
  /** The agent reads these files only if its actions aren't reviewed. */
  readonly onlyUnreviewed?: true;
  /** Prefixes of command line arguments that keep the agent from reading these files. */
  readonly disablingArguments: readonly string[];
};

/** A log file that an agent writes for a session, with events that its output stream doesn't report. */
export type AgentLog = {
  /** Returns the path of a session's log file below the home folder, without `~/`. */
  readonly file: (session: string) => string;
  /**
   * Returns the events that show why the agent couldn't work at the end of the log. Entries from before `since`
   * (milliseconds since 1970) are ignored.
   */
  readonly read: (text: string, since: number, session: string) => readonly AgentEvent[];
};

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

/** A cause other than the work itself, such as an outage. Only structured events count, not the agent's text. */
export const InfrastructureCause = z.object({
  kind: ServiceKind,
  message: z.string(),
  resetsAt: z.nullable(z.string()),
});
export type InfrastructureCause = z.infer<typeof InfrastructureCause>;

/** Facts about an attempt from its event stream (`summariseEvents`). */
export const AgentReport = z.object({
  sessionId: z.nullable(z.string()),
  /** The first model that the agent reported, otherwise the requested one. */
  model: z.nullable(z.string()),
  /** The agent's final message, at most a bounded length. For plain-text agents it is the end of the output. */
  finalMessage: z.string(),
  /** Usage of each model; empty if the agent reported none. */
  usage: z.array(ModelUsage),
  toolCalls: z.number(),
  /** Number of calls of tools that write files, which tells working agents from those that only talk. */
  writeCalls: z.number(),
  /** False: the agent itself reports failure, whatever its exit code is. */
  ok: z.boolean(),
  infrastructure: z.nullable(InfrastructureCause),
  errors: z.array(z.string()),
});
export type AgentReport = z.infer<typeof AgentReport>;
