import type { AgentName } from '../lib/agents.ts';
import { own } from '../lib/own.ts';
import { addHooks, type HookEntries, hasHooks, removeHooks } from './hooks/hook-settings.ts';
import { fields, flag, readLine, text } from './lenient.ts';

/** What a program sends its hook. */
export type StopMessage =
  | { readonly kind: 'started'; readonly session: string }
  /** It is about to stop. `isAskedBack`: a hook made it continue before. */
  | { readonly kind: 'stops'; readonly session: string; readonly isAskedBack: boolean }
  /** Nothing that is answered. */
  | { readonly kind: 'other' };

/** What it is answered: it continues, with a reason, or stops, with a line for you or without a word. */
export type StopAnswer =
  | { readonly kind: 'continue'; readonly reason: string }
  | { readonly kind: 'stop'; readonly note: string | null };

/** A program that asks a command before it stops, and continues when the answer has a reason. */
export type StopHook = {
  /** Its settings, relative to the repository. */
  readonly file: string;
  /** What it wants of you before it runs a repository's hook, as a sentence. */
  readonly needs: string;
  /** Another of these that would run with this one, in one session, and why; `null`: none. */
  readonly twice: { readonly agent: AgentName; readonly why: string } | null;
  readonly read: (input: string) => StopMessage;
  /** For its standard output; '': nothing. */
  readonly answer: (answer: StopAnswer) => string;
  /** The settings with the hook in the place of an earlier one. @param seconds that it waits. @throws UnreadableSettings */
  readonly add: (settings: string, command: string, seconds: number) => string;
  /** '': nothing but the hook was in it. @throws UnreadableSettings */
  readonly remove: (settings: string) => string;
  /** @throws UnreadableSettings */
  readonly has: (settings: string) => boolean;
};

const Message = fields({
  hook_event_name: text,
  session_id: text,
  stop_hook_active: flag,
  /** Copilot's names. */
  sessionId: text,
  source: text,
  stopReason: text,
});

/** As claude, codex and gemini have it. @param stop Name of their event. */
function read(stop: string): StopHook['read'] {
  return (input) => {
    const message = readLine(input, Message);
    if (message === null || message.session_id === '') return { kind: 'other' };
    const { hook_event_name: event, session_id: session, stop_hook_active: isAskedBack } = message;
    if (event === 'SessionStart') return { kind: 'started', session };
    return event === stop ? { kind: 'stops', session, isAskedBack } : { kind: 'other' };
  };
}

/** Copilot names no event; a turn that ended otherwise than by the model's last word isn't asked about. */
function readCopilot(input: string): StopMessage {
  const message = readLine(input, Message);
  if (message === null || message.sessionId === '') return { kind: 'other' };
  const { sessionId: session, stopReason, stop_hook_active: isAskedBack } = message;
  if (stopReason === 'end_turn') return { kind: 'stops', session, isAskedBack };
  return stopReason === '' && message.source !== '' ? { kind: 'started', session } : { kind: 'other' };
}

/** @param decision The program's word for "continue". @param note Its field for a line that you see; `null`: it has none. */
function answer(decision: 'block' | 'deny', note: 'systemMessage' | null): StopHook['answer'] {
  return (given) => {
    if (given.kind === 'continue') return JSON.stringify({ decision, reason: given.reason });
    return given.note === null || note === null ? '' : JSON.stringify({ [note]: given.note });
  };
}

/** Ends with 0 whatever becomes of ralph: with 2 (an unknown option of another version, for instance) the program couldn't stop. */
const failOpen = (command: string) => `${command} | cat`;

/** @param empty Settings that hold nothing. */
function settingsOf(
  agent: AgentName,
  entriesOf: (command: string, seconds: number) => HookEntries,
  empty: string = '{}\n',
): Pick<StopHook, 'add' | 'remove' | 'has'> {
  const isOwn = (command: string) => command.startsWith(`ralph hook run ${agent} `);
  const remove = (settings: string) => {
    const rest = settings.trim() === '' ? '' : removeHooks(settings, isOwn);
    return bare(rest) === bare(empty) ? '' : rest;
  };
  return {
    add: (settings, command, seconds) =>
      addHooks(remove(settings) || empty, entriesOf(failOpen(command), seconds)),
    remove,
    has: (settings) => hasHooks(settings, isOwn),
  };
}

function bare(text: string): string {
  return text.replace(/\s/g, '');
}

/** Seconds for noting where a session begins. */
const START_SECONDS = 30;

/** Entries in the form of claude, codex and gemini. @param unit What their timeouts count, in seconds. */
function entries(stop: string, unit = 1) {
  return (command: string, seconds: number): HookEntries => {
    const entry = (timeout: number) => ({ hooks: [{ type: 'command', command, timeout: timeout / unit }] });
    return { SessionStart: entry(START_SECONDS), [stop]: entry(seconds) };
  };
}

function copilotEntries(bash: string, seconds: number): HookEntries {
  const entry = (timeoutSec: number) => ({ type: 'command', bash, timeoutSec });
  return { sessionStart: entry(START_SECONDS), agentStop: entry(seconds) };
}

const BOTH = 'copilot runs the hooks in .claude/settings.json, too';

/** Contracts as measured with the versions of docs/AGENTS.md (docs/internals/agents.md, Stop hooks). */
const HOOKS: Readonly<Partial<Record<AgentName, StopHook>>> = {
  claude: {
    file: '.claude/settings.json',
    needs: 'claude runs it once you trust the folder, which it asks at its first start there.',
    twice: { agent: 'copilot', why: BOTH },
    ...{ read: read('Stop'), answer: answer('block', 'systemMessage') },
    ...settingsOf('claude', entries('Stop')),
  },
  codex: {
    file: '.codex/hooks.json',
    needs: 'codex runs it once you trust the project, and the hook itself: /hooks in codex.',
    twice: null,
    ...{ read: read('Stop'), answer: answer('block', 'systemMessage') },
    ...settingsOf('codex', entries('Stop')),
  },
  copilot: {
    file: '.github/hooks/ralph-verify.json',
    needs:
      'copilot runs it in a folder that you trust: it asks at its first start there; with -p: --trust-folder.',
    twice: { agent: 'claude', why: BOTH },
    ...{ read: readCopilot, answer: answer('block', null) },
    ...settingsOf('copilot', copilotEntries, '{\n  "version": 1\n}\n'),
  },
  gemini: {
    file: '.gemini/settings.json',
    needs: 'gemini runs it in a folder that you trust: it asks at its first start there.',
    twice: null,
    ...{ read: read('AfterAgent'), answer: answer('deny', 'systemMessage') },
    ...settingsOf('gemini', entries('AfterAgent', 0.001)),
  },
};

export const STOP_HOOK_AGENTS: readonly string[] = Object.keys(HOOKS);

/** `null`: the program has no hook that can make it continue, or isn't known. */
export function stopHookOf(agent: string): StopHook | null {
  return own<StopHook | undefined>(HOOKS, agent) ?? null;
}
