import type { EvidenceItem } from '../../../domain/claim.ts';
import { MAX_EVIDENCE, type Says, saysOfWord } from '../items/items.ts';
import { readLinesBehind, readPathWord } from '../items/path-names.ts';
import type { Line } from './message-lines.ts';

/** Words between a verb and its object: "created the new file `src/x.ts`". */
const FILLERS = new Set(['', ...'the a an new file files both and also following & -'.split(' ')]);
/** Words that weaken the verb after them: it's denied, planned, or about another time. */
const DOUBTS = new Set(
  (
    'not no never nothing without already previously earlier before would should will could can cannot must may might ' +
    "to be if when once until unless haven't hasn't didn't wasn't weren't don't won't isn't last previous"
  ).split(' '),
);
/** Cheap first test: a path has a slash or a dot, is set as code, or is a Makefile. */
const MAY_BE_PATH = /[./\\`]|file|owners/i;
const NOTE_LENGTH = 200;

/**
 * Returns the files that prose mentions: `path:line`, `path:a-b`, diff headers, "created PATH". It is read from its end, so that the newest
 * items are kept. A path that isn't the direct object of a verb is only `touched`.
 */
export function parseProse(lines: readonly Line[]): EvidenceItem[] {
  const found: EvidenceItem[][] = [];
  let count = 0;
  for (let index = lines.length - 1; index >= 0 && count < MAX_EVIDENCE; index -= 1) {
    const line = lines[index];
    if (line === undefined) continue;
    const items = line.fence === null ? parseSentences(line.text) : parseDiffHeader(line.text);
    count += items.length;
    if (items.length > 0) found.push(items);
  }
  return found.reverse().flat().slice(-MAX_EVIDENCE);
}

/** Returns the file of a diff header such as `+++ b/src/x.ts`. Other code in a fence names files for other reasons. */
function parseDiffHeader(text: string): EvidenceItem[] {
  const word = /^\s{0,8}\+\+\+ (?:b\/)?([^\s]{1,300})/.exec(text)?.[1];
  if (word === undefined || word === '/dev/null') return [];
  const ref = readPathWord(word, true);
  return ref === null ? [] : [{ ...ref, says: 'touched', note: '', source: 'prose' }];
}

function parseSentences(text: string): EvidenceItem[] {
  const header = parseDiffHeader(text);
  if (header.length > 0) return header;
  const words = text.split(/\s+/);
  const items: EvidenceItem[] = [];
  let verb: Says | null = null;
  for (const [index, raw] of words.entries()) {
    const word = readWord(raw);
    const ref = MAY_BE_PATH.test(raw) ? readPathWord(word.text, word.quoted) : null;
    if (ref === null) {
      const says = saysOfWord(word.text);
      if (says !== null && word.text.toLowerCase() !== 'new') verb = isDoubtful(words, index) ? null : says;
      else if (!FILLERS.has(word.text.toLowerCase())) verb = null;
      if (word.endsSentence) verb = null;
      continue;
    }
    const rest = words.slice(index + 1, index + 7).join(' ');
    const range = ref.from === null ? readLinesBehind(` ${rest}`) : ref;
    const says = verb === null ? saysBehind(rest) : weigh(verb, word, rest);
    items.push({
      path: ref.path,
      from: range.from,
      to: range.to,
      says: range.from !== null && says === 'deleted' ? 'touched' : says,
      note: text.trim().slice(0, NOTE_LENGTH),
      source: 'prose',
    });
    if (word.endsSentence) verb = null;
  }
  return items;
}

type Word = {
  readonly text: string;
  readonly quoted: boolean;
  readonly endsSentence: boolean;
  readonly ends: boolean;
};

const NOT_A_WORD: Word = { text: '', quoted: false, endsSentence: false, ends: false };

function readWord(raw: string): Word {
  if (raw.length > 400) return { ...NOT_A_WORD, text: '?' };
  const link = /\]\(([^)]{1,300})\)/.exec(raw)?.[1];
  const core = link ?? raw.replace(/^[(["'`*<{]{1,6}/, '').replace(/[)\]"'`*>},.;:!?]{1,8}$/, '');
  // The bracket belongs to the name: `app/[id]`.
  const text = link === undefined && core.includes('[') && !core.includes(']') ? `${core}]` : core;
  const at = raw.lastIndexOf(core);
  const tail = raw.slice(at + core.length);
  return {
    text,
    quoted: raw.includes('`') || link !== undefined,
    endsSentence: /[.!?;]/.test(tail),
    ends: /[.!?;,:)]/.test(tail),
  };
}

function isDoubtful(words: readonly string[], index: number): boolean {
  return words.slice(Math.max(0, index - 4), index).some((word) => {
    const bare = word.toLowerCase().replace(/[^a-z']/g, '');
    return DOUBTS.has(bare) || bare.endsWith("n't");
  });
}

/** "Removed `src/x.ts` from the index" and "added `src/x.ts` to the list" are about something else. */
function weigh(verb: Says, word: Word, rest: string): Says {
  if (word.ends || rest === '') return verb;
  if (verb === 'deleted') return /^(?:and|&|-|–|—|\()/.test(rest) ? verb : 'touched';
  return /^(?:to|from|in|into|import|imports|export|exports|reference|references|entry)\b/.test(rest)
    ? 'touched'
    : verb;
}

function saysBehind(rest: string): Says {
  const word =
    /^(?:was|were|is now|has been|have been)\s(?:successfully\s|now\s)?([a-z]{3,9})[.,;!]?(?:\s(?!from|to|in)|$)/.exec(
      rest,
    )?.[1];
  const says = saysOfWord(word ?? '');
  return says ?? 'touched';
}
