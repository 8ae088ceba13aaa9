import type { AgentEvent } from '../domain/agent.ts';
import type { Action } from '../lib/actions/action.ts';
import { tail } from '../lib/text.ts';

/** Characters of a call's output that an entry keeps, from its end. */
const OUTPUT_KEPT = 2000;

/** What an agent said or did, in its order. */
export type TranscriptEntry =
  | { readonly kind: 'said'; readonly text: string }
  | {
      readonly kind: 'call';
      /** One short line: the tool and what it is about. */
      readonly action: string;
      /** `null`: the stream doesn't say how it ended. */
      readonly ok: boolean | null;
      readonly exitCode: number | null;
      /** The end of what it printed. */
      readonly output: string;
      /** `null`: it isn't known. */
      readonly durationMs: number | null;
    }
  /** A limit, an error, a report of failure. */
  | { readonly kind: 'note'; readonly text: string };

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

export type Transcript = {
  /** @param atMs Since the attempt began; `null`: it isn't known. */
  readonly add: (event: AgentEvent, atMs: number | null) => void;
  /** What there is so far; the same array grows, and a call's entry is replaced by one with its result. */
  readonly entries: readonly TranscriptEntry[];
};

/**
 * Puts the events of an attempt together as something to read: words that came in pieces are one message, and a call
 * stands where it began, with its result.
 *
 * @param describe Gives the one short line of a call.
 */
export function openTranscript(describe: (action: Action) => string): Transcript {
  const entries: TranscriptEntry[] = [];
  const open: { id: string | null; index: number; atMs: number | null }[] = [];
  /** Whether a delta continues the last entry. */
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

  /** The closing report repeats the last words, in general. */
  function closing({ ok, text }: Extract<AgentEvent, { kind: 'result' }>): void {
    const last = entries.findLast(({ kind }) => kind === 'said');
    const lastText = last?.kind === 'said' ? last.text.trim() : '';
    if (text !== null && text.trim() !== '' && text.trim() !== lastText) entries.push({ kind: 'said', text });
    if (!ok) entries.push({ kind: 'note', text: 'The agent reports that it failed.' });
  }

  return { add, entries };
}
