import { type ErrorPlace, errorIn } from 'ralph-kit/error-line';
import { foldError } from 'ralph-kit/fold-error';
import { stripControl } from 'ralph-kit/text';
import type { Resources } from '../../domain/intervention.ts';
import {
  ACTIONS_KEPT,
  ERRORS_KEPT,
  type Observed,
  type ObservedAction,
  type ResourceSample,
  SAMPLES_KEPT,
} from '../../domain/observed.ts';

/** An agent's action as it begins. `id` is `null` if the stream has none. */
export type ObservedCall = Pick<ObservedAction, 'tool' | 'kind' | 'text' | 'paths'> & {
  readonly id: string | null;
  readonly counts: boolean;
};

export type ObservedResult = {
  readonly id: string | null;
  readonly ok: boolean;
  /** The agent refused the call itself, so it isn't a file operation. */
  readonly refused?: boolean;
  readonly output: string;
};

/**
 * Records an agent's stream. Times are milliseconds since the start of the attempt; an earlier time than the last one counts as that one.
 * Memory is bounded for any stream.
 */
export type Observer = {
  readonly onCall: (call: ObservedCall, atMs: number) => void;
  /** Calls with this text were denied as a precaution, so their failure isn't an error. */
  readonly onExcused: (text: string) => void;
  readonly onResult: (result: ObservedResult, atMs: number) => void;
  /** Gets the tokens of the attempt so far. */
  readonly onTokens: (total: number, atMs: number) => void;
  /** Gets the current memory of the agent's whole process tree, in MiB. */
  readonly onMemory: (mib: number, atMs: number) => void;
  readonly onCorrection: (
    correction: { readonly issue: string; readonly text: string },
    atMs: number,
  ) => void;
  readonly observed: () => Omit<Observed, 'writes'>;
  readonly resources: (durationMs: number) => Resources;
};

/** The newest `RESULTS_KEPT` results of commands are kept, with the last `RESULT_TAIL` characters of each. */
const RESULTS_KEPT = 20;
const RESULT_TAIL = 400;
/** Characters of the ends of a longer output that are read: more than are kept, so that no secret is cut before it is hidden. */
const EXCERPT = { head: 4000, tail: 8000 };
const CORRECTIONS_KEPT = 20;
/** `OPEN_KEPT` calls without a seen end are kept, and `ERRORS_REMEMBERED` different errors. */
const OPEN_KEPT = 500;
const ERRORS_REMEMBERED = 100;
/** Distance of two samples until they are thinned out. */
const FIRST_SPACING_MS = 1000;

type OpenCall = { readonly action: MutableAction; readonly counts: boolean };
type MutableAction = { -readonly [Key in keyof ObservedAction]: ObservedAction[Key] };
type SeenError = ErrorPlace & {
  readonly tool: string;
  readonly error: string;
  readonly text: string;
  readonly count: number;
};

class UsageSamples {
  now: ResourceSample = { atMs: 0, fileOperations: 0, tokens: 0, memoryMb: 0 };
  private kept: ResourceSample[] = [];
  private spacing = FIRST_SPACING_MS;

  /** Returns the new time, which is never earlier than before. */
  advance(atMs: number, change: Partial<ResourceSample>): number {
    this.now = { ...this.now, ...change, atMs: Math.max(this.now.atMs, Math.round(atMs)) };
    const last = this.kept.at(-1);
    if (last !== undefined && this.now.atMs - last.atMs < this.spacing) return this.now.atMs;
    this.kept.push(this.now);
    // One place is left for the current state.
    if (this.kept.length >= SAMPLES_KEPT) {
      this.kept = this.kept.filter((_, index) => index % 2 === 0);
      this.spacing *= 2;
    }
    return this.now.atMs;
  }

  all(): ResourceSample[] {
    return this.kept.length === 0 ? [] : [...this.kept.filter(({ atMs }) => atMs < this.now.atMs), this.now];
  }
}

class RepeatedErrors {
  private readonly seen = new Map<string, SeenError>();

  add({ tool, text, paths }: MutableAction, output: string): void {
    const error = foldError(output);
    if (error === '') return;
    const key = `${tool}\n${error}`;
    const seen = this.seen.get(key);
    if (seen === undefined && this.seen.size >= ERRORS_REMEMBERED) this.seen.delete(rarest(this.seen));
    const { line, path } = errorIn(output);
    const place = paths[0] ?? path;
    // An error that was seen in several places has no single one to name.
    const at = seen === undefined || seen.path === place ? place : null;
    this.seen.set(key, { tool, error, text, line, path: at, count: (seen?.count ?? 0) + 1 });
  }

  /** Removes an error that the same call overcame, such as tests that fail until they pass. */
  overcome({ tool, text }: MutableAction): void {
    for (const [key, seen] of this.seen) if (seen.tool === tool && seen.text === text) this.seen.delete(key);
  }

  mostFrequent(): Observed['errors'] {
    return [...this.seen.values()]
      .toSorted((one, other) => other.count - one.count)
      .slice(0, ERRORS_KEPT)
      .map(({ text: _, ...seen }) => seen);
  }
}

/** Opens the record of an agent's stream. @param redact Hides secrets in output before any of it is kept. */
export function openObserver(redact: (text: string) => string): Observer {
  const actions: MutableAction[] = [];
  const open = new Map<string, OpenCall>();
  const errors = new RepeatedErrors();
  const excused = new Set<string>();
  const usage = new UsageSamples();
  const results: Observed['results'] = [];
  const corrections: Observed['corrections'] = [];
  let actionCount = 0;
  let peak = 0;
  return {
    onCall: ({ id, counts, ...call }, atMs) => {
      const at = usage.advance(atMs, { fileOperations: usage.now.fileOperations + (counts ? 1 : 0) });
      const action: MutableAction = { atMs: at, ...call, paths: [...call.paths], ok: null };
      actionCount += 1;
      keepNewest(actions, action, ACTIONS_KEPT);
      open.set(id ?? `#${actionCount}`, { action, counts });
      const oldest = open.size > OPEN_KEPT ? open.keys().next().value : undefined;
      if (oldest !== undefined) open.delete(oldest);
    },
    onExcused: (text) => {
      excused.add(text);
    },
    onResult: ({ id, ok, refused = false, output }, atMs) => {
      // A result without an id belongs to the latest call.
      const key = id ?? [...open.keys()].at(-1) ?? '';
      const call = open.get(key);
      open.delete(key);
      const undone = refused && call?.counts === true ? 1 : 0;
      usage.advance(atMs, { fileOperations: usage.now.fileOperations - undone });
      if (call === undefined) return;
      const { action } = call;
      action.ok = ok;
      if (ok) errors.overcome(action);
      if (ok && action.kind !== 'system_command') return;
      const text = redact(stripControl(endsOf(output)));
      if (!ok && !excused.has(action.text)) errors.add(action, text);
      if (action.kind !== 'system_command') return;
      const tail = lastOf(text.trim(), RESULT_TAIL);
      keepNewest(results, { command: commandOf(action), ok, tail }, RESULTS_KEPT);
    },
    onTokens: (total, atMs) => {
      usage.advance(atMs, { tokens: Math.max(usage.now.tokens, total) });
    },
    onMemory: (mib, atMs) => {
      peak = Math.max(peak, mib);
      usage.advance(atMs, { memoryMb: mib });
    },
    onCorrection: (correction, atMs) => {
      keepNewest(corrections, { ...correction, atMs: usage.advance(atMs, {}) }, CORRECTIONS_KEPT);
    },
    observed: () => ({
      actions: actions.map((action) => ({ ...action, paths: [...action.paths] })),
      actionCount,
      fileOperations: usage.now.fileOperations,
      errors: errors.mostFrequent(),
      results: [...results],
      samples: usage.all(),
      corrections: [...corrections],
    }),
    resources: (durationMs) => ({
      fileOperations: usage.now.fileOperations,
      memoryMb: peak,
      tokens: usage.now.tokens,
      durationMs,
    }),
  };
}

function endsOf(output: string): string {
  const { head, tail } = EXCERPT;
  return output.length > head + tail ? `${output.slice(0, head)}\n${output.slice(-tail)}` : output;
}

function keepNewest<Entry>(list: Entry[], entry: Entry, most: number): void {
  list.push(entry);
  if (list.length > most) list.shift();
}

function rarest(errors: ReadonlyMap<string, SeenError>): string {
  let found = '';
  let least = Number.POSITIVE_INFINITY;
  for (const [key, { count }] of errors) {
    if (count >= least) continue;
    found = key;
    least = count;
  }
  return found;
}

function commandOf({ tool, text }: MutableAction): string {
  return text.startsWith(`${tool} `) ? text.slice(tool.length + 1) : text;
}

function lastOf(text: string, characters: number): string {
  return text.slice(-characters).replace(/^[\udc00-\udfff]/, '');
}
