import type { AgentEvent } from 'ralph-agents/event';
import type { Action } from 'ralph-kit/actions/action';
import { tail } from 'ralph-kit/text';

/** Maximum number of characters of a call's output that are kept: the last ones. */
const OUTPUT_KEPT = 2000;

export type TranscriptEntry =
  | { readonly kind: 'said'; readonly text: string }
  | {
      readonly kind: 'call';
      /** The tool and what it was used on, as one short line. */
      readonly action: string;
      /** Whether the call succeeded; `null`: the stream doesn't report it. */
      readonly ok: boolean | null;
      readonly exitCode: number | null;
      readonly output: string;
      /** Milliseconds that the call took; `null`: unknown. */
      readonly durationMs: number | null;
    }
  /** A usage limit, an error, or a failure that the agent reports. */
  | { readonly kind: 'note'; readonly text: string };

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

export type Transcript = {
  /**
   * Adds an event.
   * @param atMs Milliseconds since the attempt began; `null`: unknown.
   */
  readonly add: (event: AgentEvent, atMs: number | null) => void;
  /** All entries so far. The array grows, and the entry of a call is replaced once its result is known. */
  readonly entries: readonly TranscriptEntry[];
};

/** Opens a transcript. Pieces of text become one message, and a call with its result is placed where it began. */
export function openTranscript(describe: (action: Action) => string): Transcript {
  const entries: TranscriptEntry[] = [];
  const open: { id: string | null; index: number; atMs: number | null }[] = [];
  /** Whether the last entry is a text that the next delta continues. */
  let speaking = false;

  function say(text: string, delta: boolean): void {
    const last = entries.at(-1);
    if (delta && speaking && last?.kind === 'said')
      entries[entries.length - 1] = { kind: 'said', text: last.text + text };
    else entries.push({ kind: 'said', text });
    speaking = true;
  }

  function finish(event: Extract<AgentEvent, { kind: 'tool_result' }>, atMs: number | null): void {
    const place = event.id === null ? 0 : open.findIndex(({ id }) => id === event.id);
    const [call] = place < 0 ? [] : open.splice(place, 1);
    if (call === undefined) return;
    const durationMs = atMs === null || call.atMs === null ? null : Math.max(0, atMs - call.atMs);
    const { ok, exitCode = null } = event;
    const output = tail(event.output.trimEnd(), OUTPUT_KEPT);
    const known = entries[call.index] as Call;
    entries[call.index] = { ...known, ok: ok && (exitCode ?? 0) === 0, exitCode, output, durationMs };
  }

  function add(event: AgentEvent, atMs: number | null): void {
    switch (event.kind) {
      case 'text':
        say(event.text, event.delta);
        return;
      case 'tool_call': {
        const { action } = event;
        open.push({ id: action.id, index: entries.length, atMs });
        const nothing = { ok: null, exitCode: null, output: '', durationMs: null };
        entries.push({ kind: 'call', action: describe(action), ...nothing });
        break;
      }
      case 'tool_result':
        finish(event, atMs);
        break;
      case 'limit':
      case 'error':
        entries.push({ kind: 'note', text: event.message });
        break;
      case 'result':
        closing(event);
        break;
      case 'hook':
        if (event.message.kind === 'events') for (const one of event.message.events) add(one, atMs);
        return;
      default:
        return;
    }
    speaking = false;
  }

  /** Adds the agent's final report, which usually repeats the last message. */
  function closing({ ok, text }: Extract<AgentEvent, { kind: 'result' }>): void {
    const last = entries.findLast(({ kind }) => kind === 'said');
    const lastText = last?.kind === 'said' ? last.text.trim() : '';
    if (text !== null && text.trim() !== '' && text.trim() !== lastText) entries.push({ kind: 'said', text });
    if (!ok) entries.push({ kind: 'note', text: 'The agent reports that it failed.' });
  }

  return { add, entries };
}
