import type { AgentName } from '../known.ts';
import { fields, flag, readLine, text } from '../lenient.ts';
import { addHooks, type HookEntries, hasHooks, removeHooks } from './hook-settings.ts';

export type StopMessage =
  | { readonly kind: 'started'; readonly session: string }
  /** The program is about to stop. `isAskedBack`: a hook made it continue before. */
  | { readonly kind: 'stops'; readonly session: string; readonly isAskedBack: boolean }
  /** A message of the agent's program that needs no answer. */
  | { readonly kind: 'other' };

/** Answer to a program: continue with a reason, or stop, optionally with a line for you. */
export type StopAnswer =
  | { readonly kind: 'continue'; readonly reason: string }
  | { readonly kind: 'stop'; readonly note: string | null };

/** A program that asks a command before it stops, and continues when the answer gives a reason. */
export type StopHook = {
  /** Settings file, relative to the repository. */
  readonly file: string;
  /** Sentence about what you must do before the program runs a repository's hook. */
  readonly needs: string;
  /** Another agent whose hook would run in the same session, and why; `null`: none. */
  readonly twice: { readonly agent: AgentName; readonly why: string } | null;
  readonly read: (input: string) => StopMessage;
  /** Returns text for standard output; empty: nothing. */
  readonly answer: (answer: StopAnswer) => string;
  /** Replaces an earlier hook. @param seconds Time limit of the hook. @throws UnreadableSettings */
  readonly add: (settings: string, command: string, seconds: number) => string;
  /** Returns settings without the hook; empty when nothing else is left. @throws UnreadableSettings */
  readonly remove: (settings: string) => string;
  /** Whether settings have the hook. Throws UnreadableSettings. */
  readonly isInstalled: (settings: string) => boolean;
};

const Message = fields({
  hook_event_name: text,
  session_id: text,
  stop_hook_active: flag,
});

/** Reader for claude, codex and gemini. @param stop Name of the event. */
export function stopMessages(stop: string): StopHook['read'] {
  return (input) => {
    const message = readLine(input, Message);
    if (message === null || message.session_id === '') return { kind: 'other' };
    const { hook_event_name: event, session_id: session, stop_hook_active: isAskedBack } = message;
    if (event === 'SessionStart') return { kind: 'started', session };
    return event === stop ? { kind: 'stops', session, isAskedBack } : { kind: 'other' };
  };
}

/** `decision` is the program's word for "continue"; `note` its field for a line you see, or `null`. */
export function stopAnswer(decision: 'block' | 'deny', note: 'systemMessage' | null): StopHook['answer'] {
  return (given) => {
    if (given.kind === 'continue') return JSON.stringify({ decision, reason: given.reason });
    return given.note === null || note === null ? '' : JSON.stringify({ [note]: given.note });
  };
}

/** Always exits with 0: after 2, such as for an unknown option, the program couldn't stop. */
const failOpen = (command: string) => `${command} | cat`;

export function stopSettings(
  agent: AgentName,
  entriesOf: (command: string, seconds: number) => HookEntries,
  empty: string = '{}\n',
): Pick<StopHook, 'add' | 'remove' | 'isInstalled'> {
  const isOwn = (command: string) => command.startsWith(`ralph hook run ${agent} `);
  const remove = (settings: string) => {
    const rest = settings.trim() === '' ? '' : removeHooks(settings, isOwn);
    return bare(rest) === bare(empty) ? '' : rest;
  };
  return {
    add: (settings, command, seconds) =>
      addHooks(remove(settings) || empty, entriesOf(failOpen(command), seconds)),
    remove,
    isInstalled: (settings) => hasHooks(settings, isOwn),
  };
}

function bare(text: string): string {
  return text.replace(/\s/g, '');
}

/** Seconds that the hook may take to record a session's start. */
export const START_SECONDS = 30;

/** Returns the hooks' entries in the form of claude, codex and gemini. @param unit Unit of the timeout, in seconds. */
export function stopEntries(stop: string, unit = 1) {
  return (command: string, seconds: number): HookEntries => {
    const entry = (timeout: number) => ({ hooks: [{ type: 'command', command, timeout: timeout / unit }] });
    return { SessionStart: entry(START_SECONDS), [stop]: entry(seconds) };
  };
}

/** Why a hook of claude and one of copilot would both run. */
export const BOTH = 'copilot runs the hooks in .claude/settings.json, too';
