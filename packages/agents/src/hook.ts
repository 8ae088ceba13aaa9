import type { Action, Ruling } from 'ralph-kit/actions/action';
import type { HookMessage } from './event.ts';

export type HookAbilities = {
  readonly warn: boolean;
  readonly modify: boolean;
};

/**
 * Returns the form of a ruling that the agent's hook can apply. Without warnings, a warned action is just allowed;
 * without changes, an action to change is denied.
 */
export function inForce(ruling: Ruling, can: HookAbilities): Ruling {
  if (ruling.decision === 'warn' && !can.warn) return { decision: 'allow' };
  if (ruling.decision !== 'modify' || can.modify) return ruling;
  const { rule, reason, alternative } = ruling;
  return { decision: 'deny', rule, reason: `${reason} Instead: ${alternative}` };
}

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
