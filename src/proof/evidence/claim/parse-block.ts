import { isObject } from 'ralph-kit/is-object';
import { own } from 'ralph-kit/own';
import type { Claim, EvidenceItem } from '../../../domain/claim.ts';
import { MAX_EVIDENCE, type Says } from '../items/items.ts';
import { parseEvidenceLine } from '../items/parse-evidence-line.ts';
import { trimMarks } from './message-lines.ts';

export type Block = {
  readonly status: Claim['status'];
  readonly exitSignal: boolean | null;
  readonly taskId: string | null;
  readonly reason: string | null;
  readonly evidence: readonly EvidenceItem[];
};

const EDGES = new Set([...' \t"\'`*_|│┃']);
/** Maximum number of characters of a field's value. */
export const LONGEST_VALUE = 2000;

const STATUS_WORDS: Readonly<Record<string, Claim['status']>> = {
  DONE: 'done',
  COMPLETE: 'done',
  COMPLETED: 'done',
  FINISHED: 'done',
  ALREADY_DONE: 'already_done',
  ALREADY_COMPLETE: 'already_done',
  ALREADY_COMPLETED: 'already_done',
  IN_PROGRESS: 'in_progress',
  INPROGRESS: 'in_progress',
  PARTIAL: 'in_progress',
  WORKING: 'in_progress',
  BLOCKED: 'blocked',
  STUCK: 'blocked',
};

const SECTIONS: Readonly<Record<string, Says>> = {
  EVIDENCE: 'touched',
  FILES: 'touched',
  CHANGES: 'touched',
  FILES_CHANGED: 'touched',
  FILES_TOUCHED: 'touched',
  FILES_CREATED: 'created',
  FILES_ADDED: 'created',
  FILES_MODIFIED: 'modified',
  FILES_UPDATED: 'modified',
  FILES_DELETED: 'deleted',
  FILES_REMOVED: 'deleted',
};

const DECORATION =
  /^(?:[-*•·+]\s+|\d{1,3}[.)]\s+|[|│┃]\s*|#{1,6}\s+|\[[^\]]{1,40}\]\s+|\d{1,2}:\d{2}(?::\d{2})?\s+){1,4}/;
const FIELD = /^["'`*_]{0,4}([A-Za-z][A-Za-z_ -]{1,40}?)["'`*_]{0,4}\s{0,4}[:=]["'`*_]{0,4}(.*)$/s;

type Field = { readonly key: string; readonly value: string };

/**
 * Returns the block in the lines after RALPH_STATUS, and the number of lines used. Without an end marker (`terminated` false) the block
 * ends at the first line that doesn't look like one. `null` if nothing is filled in: a mention, or the template.
 */
export function parseBlock(
  lines: readonly string[],
  terminated: boolean,
): { readonly block: Block | null; readonly used: number } {
  const statuses: Claim['status'][] = [];
  const signals: boolean[] = [];
  const reason: string[] = [];
  const evidence: EvidenceItem[] = [];
  let taskId: string | null = null;
  let alternatives = false;
  let section: Says | 'reason' | null = null;
  let afterBlank = false;
  let used = 0;

  const readValue = (value: string, into: Says | 'reason'): void => {
    if (into === 'reason') reason.push(value);
    else if (evidence.length < MAX_EVIDENCE) evidence.push(...parseEvidenceLine(value, into));
  };

  for (const line of lines) {
    const text = line.trim();
    const field = readField(text, section);
    const listed = DECORATION.test(text);
    if (!terminated && afterBlank && text !== '' && field === null && !listed) break;
    used += 1;
    afterBlank = text === '';
    if (text === '') continue;
    if (field === null) {
      if (section !== null) readValue(text, section);
      continue;
    }
    section = null;
    alternatives ||= /^[A-Za-z_]+\s{0,3}(?:[|/]|or\b)/.test(field.value);
    if (field.key === 'STATUS') {
      const status = readStatus(field.value);
      if (status !== 'none') statuses.push(status);
    } else if (field.key === 'EXIT_SIGNAL') {
      const signal = readSignal(field.value);
      if (signal !== null) signals.push(signal);
    } else if (field.key === 'TASK' || field.key === 'TASK_ID') {
      taskId ??= filled(field.value)?.slice(0, 100) ?? null;
    } else {
      section = field.key === 'REASON' ? 'reason' : (SECTIONS[field.key] ?? null);
      if (section !== null && field.value !== '') readValue(field.value, section);
    }
  }

  const status = mostCautious(statuses);
  const exitSignal = signals.includes(false) ? false : (signals[0] ?? null);
  const says = status !== 'none' || exitSignal !== null;
  const empty = !says && (alternatives || evidence.length === 0);
  const block = empty
    ? null
    : { status, exitSignal, taskId, reason: filled(reason.join(' ').slice(0, LONGEST_VALUE)), evidence };
  return { block, used };
}

/** Returns whether a line is a field of a block, so that the block may begin within the line before it. */
export function isBlockField(text: string): boolean {
  const field = readField(text.trim(), null);
  return (
    field !== null &&
    (/^(?:TASK|TASK_ID|STATUS|EXIT_SIGNAL|REASON)$/.test(field.key) || field.key in SECTIONS)
  );
}

function readField(text: string, section: Says | 'reason' | null): Field | null {
  const bare = text.slice(0, LONGEST_VALUE).replace(DECORATION, '');
  const match = FIELD.exec(bare);
  if (match === null) return null;
  const written = (match[1] ?? '').trim();
  const key = written.toUpperCase().replace(/[ -]+/g, '_');
  const known = /^(?:TASK|TASK_ID|STATUS|EXIT_SIGNAL|REASON)$/.test(key) || Object.hasOwn(SECTIONS, key);
  // A word in capitals with a colon is another field; any other text belongs to its section.
  if (!known && (section === 'reason' || written !== written.toUpperCase())) return null;
  return { key, value: trimValue(match[2] ?? '') };
}

/** Returns the status in a value; `none` for the template's alternatives and unknown words. */
function readStatus(value: string): Claim['status'] {
  const word = /^["'`*_\s]{0,4}(in[ _-]?progress|already[ _-]?(?:done|completed?)|[A-Za-z]+)/i.exec(value);
  const rest = value.slice(word?.[0].length ?? 0);
  if (word === null || offersAlternatives(rest)) return 'none';
  const key = (word[1] ?? '').toUpperCase().replace(/[ -]/g, '_');
  const status = own(STATUS_WORDS, key) ?? 'none';
  return (status === 'done' || status === 'already_done') && isConditional(rest) ? 'none' : status;
}

/** Returns the value of an EXIT_SIGNAL; `null` for the template's alternatives and other words. */
export function readSignal(value: string): boolean | null {
  const word = /^["'`*_\s]{0,4}(true|false)\b/i.exec(value);
  const rest = value.slice(word?.[0].length ?? 0);
  if (word === null || offersAlternatives(rest)) return null;
  const signal = word[1]?.toLowerCase() === 'true';
  return signal && isConditional(rest) ? null : signal;
}

/** The template offers alternatives: `DONE | BLOCKED`, `true/false`, `true or false`. */
function offersAlternatives(rest: string): boolean {
  return /^["'`*_\s]{0,4}(?:[|/]\s{0,3}["'`*_]{0,4}[A-Za-z]|or\b)/i.test(rest);
}

/** An instruction such as `true when everything passes` isn't a claim. */
function isConditional(rest: string): boolean {
  return /^["'`*_\s(,—–-]{0,5}(?:if|when|only|once|unless|until)\b/i.test(rest);
}

function filled(value: string): string | null {
  const text = trimValue(value);
  const placeholder = /^(?:none|n\/a|null|-+|\(when BLOCKED\)|<.*>|\.\.\.|)$/i.test(text);
  return placeholder ? null : text;
}

function trimValue(value: string): string {
  return trimMarks(value, EDGES);
}

/** Returns the fields of `RALPH_STATUS: {"status":"done","files":["src/x"]}` as lines of a block; empty for other text. */
export function linesOfJson(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1));
  } catch {
    return [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const key = name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
    if (Array.isArray(field))
      return [`${key}:`, ...field.filter(isText).map((entry) => `- ${asName(entry)}`)];
    return isText(field) || typeof field === 'boolean' ? [`${key}: ${oneLine(String(field))}`] : [];
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A whole entry such as `{"files":["src/x"]}` is a name, even an unusual one. */
function asName(entry: string): string {
  return /\s/.test(entry) || entry.includes('`') ? oneLine(entry) : `\`${entry}\``;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

export function mostCautious(statuses: readonly Claim['status'][]): Claim['status'] {
  const order = ['blocked', 'in_progress', 'already_done', 'done'] as const;
  return order.find((status) => statuses.includes(status)) ?? 'none';
}
