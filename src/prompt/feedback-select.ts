import { bullets, cutMarkdown } from 'ralph-kit/markdown';
import type { FeedbackEntry } from '../domain/feedback.ts';

const DAY_MS = 86_400_000;

/** Characters that feedback always gets, even above a lower limit, so that it isn't lost. */
export const MIN_FEEDBACK_CHARS = 600;

type FeedbackSelection = {
  readonly taskId: string;
  /** Present time, ISO 8601 UTC. */
  readonly now: string;
  /** Days by `[interventions] feedback_rotation_days`. */
  readonly rotationDays: number;
};

/** Returns a task's entries, oldest first; of entries with the same text, the newest stays (docs/PROMPT_ANATOMY.md). */
export function selectFeedback(
  entries: readonly FeedbackEntry[],
  { taskId, now, rotationDays }: FeedbackSelection,
): readonly FeedbackEntry[] {
  const current = entries
    .filter((entry) => entry.taskId === null || entry.taskId === taskId)
    .filter((entry) => !isOld(entry, now, rotationDays))
    .toSorted((a, b) => compare(a.at, b.at));
  const newest = new Map(current.map((entry) => [messageOf(entry), entry]));
  return current.filter((entry) => newest.get(messageOf(entry)) === entry);
}

/**
 * Renders Markdown; a text over `limit` (at least `MIN_FEEDBACK_CHARS`) becomes counts and each kind's newest entry.
 */
export function renderFeedback(entries: readonly FeedbackEntry[], limit: number): string {
  const room = Math.max(limit, MIN_FEEDBACK_CHARS);
  // Each entry is closed separately, so that its open fence can't swallow the next one.
  const whole = entries.map(({ text }) => cutMarkdown(text.trim(), Number.POSITIVE_INFINITY)).join('\n\n');
  return whole.length <= room ? whole : cutMarkdown(summarise(entries, room), room);
}

function summarise(entries: readonly FeedbackEntry[], room: number): string {
  const newest = new Map(entries.map((entry) => [entry.kind, entry]));
  const kept = entries.filter((entry) => newest.get(entry.kind) === entry);
  const left = entries.length - kept.length;
  const counts = [...newest.keys()].map(
    (kind) => `${kind}: ${entries.filter((entry) => entry.kind === kind).length}`,
  );
  const head = `Shortened to fit. All that was reported, by kind:\n\n${bullets(counts)}`;
  const foot = left === 0 ? '' : `(${left} older of these left out: the newest of each kind stands above.)`;
  const share = Math.floor((room - head.length - foot.length - 2) / Math.max(1, kept.length)) - 2;
  const texts = shareOut(
    kept.map(({ text }) => text.trim()),
    share,
  );
  return [head, ...texts, ...(foot === '' ? [] : [foot])].join('\n\n');
}

/** Gives each text an equal share; room that short texts don't need goes to long ones. */
function shareOut(texts: readonly string[], share: number): readonly string[] {
  const spare = texts.reduce((sum, text) => sum + Math.max(0, share - text.length), 0);
  const long = texts.filter((text) => text.length > share).length;
  const more = long === 0 ? 0 : Math.floor(spare / long);
  return texts.map((text) => cutMarkdown(text, text.length > share ? share + more : share));
}

/** Entries that differ only in the iteration have the same message. */
function messageOf({ kind, source, taskId, iteration, text }: FeedbackEntry): string {
  const message =
    iteration === null ? text : text.replace(new RegExp(`\\biteration ${iteration}\\b`, 'g'), 'iteration N');
  return JSON.stringify([kind, source, taskId, message.trim()]);
}

function isOld({ at }: FeedbackEntry, now: string, rotationDays: number): boolean {
  return Date.parse(now) - Date.parse(at) > rotationDays * DAY_MS;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
