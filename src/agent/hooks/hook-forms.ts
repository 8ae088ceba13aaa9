import type { HookMessage, SocketHook } from '../../domain/agent.ts';
import { type HookAbilities, inForce } from '../../domain/review.ts';
import type { Action } from '../../lib/actions/action.ts';
import type { Ruling } from '../../lib/actions/review.ts';
import { match } from '../../lib/match.ts';
import type { ToolCall } from '../action.ts';
import { fields, maybeObject, maybeText, readLine, text } from '../lenient.ts';

/** The client of a hook, and a plug-in, give up after 20 s: the answer is there before. */
export const HOOK_WAITS_SECONDS = 15;

/** The answer to a question that isn't one. */
export const NOT_UNDERSTOOD = "ralph: the message wasn't understood.";

type Answer = Readonly<Record<string, unknown>>;

/** What an agent's hook answers for each decision but `allow`; `null`: the agent has no such answer. */
export type Forms = {
  readonly deny: (reason: string) => Answer;
  readonly warn: ((reason: string) => Answer) | null;
  /** A warning when the call is over, from an agent that drops what is said before; it asks again then. */
  readonly warnAfter?: (reason: string) => Answer;
  readonly modify: ((input: Answer, reason: string) => Answer) | null;
};

export function abilitiesOf({ warn, warnAfter, modify }: Forms): HookAbilities {
  return { warn: warn !== null || warnAfter !== undefined, modify: modify !== null };
}

/** The answer to a ruling as the forms have it; `null`: allowed without a word. */
export function formOf(ruling: Ruling, forms: Forms): Answer | null {
  return match(inForce(ruling, abilitiesOf(forms)), 'decision', {
    allow: () => null,
    warn: ({ reason }) => forms.warn?.(reason) ?? null,
    modify: ({ input, reason }) => forms.modify?.(input, reason) ?? null,
    deny: ({ reason }) => forms.deny(reason),
  });
}

/** A hook that is a command: it reads a message on standard input and prints its answer. */
export function commandHook({
  read,
  key,
  forms,
  unseenInput = false,
  denialCode = 0,
}: Pick<SocketHook, 'read' | 'key'> & {
  readonly forms: Forms;
  readonly unseenInput?: boolean;
  /** 2, where a denial in words could be outdone by another hook. */
  readonly denialCode?: 0 | 2;
}): SocketHook {
  return {
    ...{ transport: 'hook', read, key, unseenInput },
    ...{ can: abilitiesOf(forms), waitsSeconds: HOOK_WAITS_SECONDS },
    // Hooks continue when nothing is printed; exit code 2 denies without words that are sure to arrive.
    answer: (message, ruling) => {
      if (message.kind === 'unknown') return { text: '', exitCode: 2 };
      const warning = ruling.decision === 'warn' ? (forms.warnAfter?.(ruling.reason) ?? null) : null;
      const form = message.kind === 'done' ? warning : formOf(ruling, forms);
      const exitCode = message.kind === 'action' && ruling.decision === 'deny' ? denialCode : 0;
      return { text: form === null ? '' : JSON.stringify(form), exitCode };
    },
  };
}

const Call = fields({
  hook_event_name: text,
  model: text,
  tool_name: text,
  tool_input: maybeObject,
  tool_use_id: maybeText,
  /** Qwen's number of the call in its stream; its `tool_use_id` is another. */
  tool_call_id: maybeText,
  cwd: maybeText,
});

/** What the event before a call is called, and those after it. */
const ENDS = { PreToolUse: /^PostToolUse(?:Failure)?$/, BeforeTool: /^AfterTool$/ } as const;

/** What a hook got on its standard input, in the form that claude, codex, gemini and qwen share (agents.md, Hooks). */
export function readHookCall(
  input: string,
  actionOf: (call: ToolCall) => Action,
  before: 'PreToolUse' | 'BeforeTool',
  number: 'tool_use_id' | 'tool_call_id' = 'tool_use_id',
): HookMessage {
  const call = readLine(input, Call);
  if (call?.hook_event_name === 'SessionStart') return { kind: 'ready', model: call.model || null };
  const isEnd = ENDS[before].test(call?.hook_event_name ?? '');
  if (call === null || (call.hook_event_name !== before && !isEnd)) return { kind: 'unknown', request: '' };
  if (call.tool_name === '' || call.tool_input === null) return { kind: 'unknown', request: '' };
  const { tool_name: tool, tool_input: toolInput, cwd } = call;
  const action = actionOf({ id: call[number], tool, input: toolInput, cwd });
  return { kind: isEnd ? 'done' : 'action', request: '', action };
}

/** The fields of an answer before a tool runs, in the form of claude, codex and qwen. */
export function preToolUse(fields: Answer): Answer {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}

export function preToolUseDenial(reason: string): Answer {
  return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: reason });
}

/** Fields by which two reports of one call are found to be the same, where neither has its number. */
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path'];

/** The key of a call by its tool and what it works at. */
export function contentKey({ tool, input }: Pick<Action, 'tool' | 'input'>): string {
  const telling = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  return `${tool} ${telling ?? ''}`;
}

/** The key of a call by its number, which is the same on both sides. */
export function numberKey({ id, tool, input }: Action): string {
  return id ?? contentKey({ tool, input });
}
