import type { Action, Ruling } from 'ralph-kit/actions/action';
import { match } from 'ralph-kit/match';
import type { ToolCall } from '../action.ts';
import type { HookMessage } from '../event.ts';
import { type HookAbilities, inForce, type SocketHook } from '../hook.ts';
import { fields, maybeObject, maybeText, readLine, text } from '../lenient.ts';

/** Hook clients and plug-ins give up after 20 s, so answers come earlier; in seconds. */
export const HOOK_WAITS_SECONDS = 15;

export const NOT_UNDERSTOOD = "ralph: the message wasn't understood.";

type Answer = Readonly<Record<string, unknown>>;

/** Hook answers for decisions other than `allow`; `null`: unsupported by the agent. */
export type Forms = {
  readonly deny: (reason: string) => Answer;
  readonly warn: ((reason: string) => Answer) | null;
  /** Warning after the call, for agents that drop earlier ones; they ask again then. */
  readonly warnAfter?: (reason: string) => Answer;
  readonly modify: ((input: Answer, reason: string) => Answer) | null;
};

export function abilitiesOf({ warn, warnAfter, modify }: Forms): HookAbilities {
  return { warn: warn !== null || warnAfter !== undefined, modify: modify !== null };
}

/** Returns the answer to a ruling; `null` allows silently. */
export function formOf(ruling: Ruling, forms: Forms): Answer | null {
  return match(inForce(ruling, abilitiesOf(forms)), 'decision', {
    allow: () => null,
    warn: ({ reason }) => forms.warn?.(reason) ?? null,
    modify: ({ input, reason }) => forms.modify?.(input, reason) ?? null,
    deny: ({ reason }) => forms.deny(reason),
  });
}

/** Returns a hook that reads a message on standard input and prints its answer. */
export function commandHook({
  read,
  key,
  forms,
  unseenInput = false,
  denialCode = 0,
}: Pick<SocketHook, 'read' | 'key'> & {
  readonly forms: Forms;
  readonly unseenInput?: boolean;
  /** Exit code of a denial: 2 where another hook could override a denial in words. */
  readonly denialCode?: 0 | 2;
}): SocketHook {
  return {
    transport: 'hook',
    read,
    key,
    unseenInput,
    can: abilitiesOf(forms),
    waitsSeconds: HOOK_WAITS_SECONDS,
    // No output lets the call run; exit code 2 denies even if words don't arrive.
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
  /** qwen's call number in its stream, which differs from `tool_use_id`. */
  tool_call_id: maybeText,
  cwd: maybeText,
});

/** Names of the events after a call, by the name of the event before it. */
const ENDS = { PreToolUse: /^PostToolUse(?:Failure)?$/, BeforeTool: /^AfterTool$/ } as const;

/** Parses a hook's input in the form shared by claude, codex, gemini and qwen. */
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

/** Returns an answer before a tool runs, in the form of claude, codex and qwen. */
export function preToolUse(fields: Answer): Answer {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}

export function preToolUseDenial(reason: string): Answer {
  return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: reason });
}

/** Fields that identify a call reported twice without a number. */
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path'];

/** Returns a key for a call, from its tool and its target, by which the same call is known again. */
export function contentKey({ tool, input }: Pick<Action, 'tool' | 'input'>): string {
  const telling = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  return `${tool} ${telling ?? ''}`;
}

/** Returns a call's key by its number, which both sides share. */
export function numberKey({ id, tool, input }: Action): string {
  return id ?? contentKey({ tool, input });
}
