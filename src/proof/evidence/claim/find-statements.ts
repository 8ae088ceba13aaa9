import { announcesExample, type Line, type MessageLines, trimMarks } from './message-lines.ts';
import { type Block, isBlockField, linesOfJson, parseBlock, readSignal } from './parse-block.ts';

export type Statement =
  | { readonly kind: 'block'; readonly block: Block; readonly text: string }
  | { readonly kind: 'signal'; readonly value: boolean }
  | { readonly kind: 'promise' };

export type Reading = {
  readonly statements: readonly Statement[];
  readonly prose: readonly Line[];
};

const OPENER = /RALPH_STATUS(?![A-Za-z0-9_])/gi;
const END = /END[_ ]RALPH_STATUS/i;
const SIGNAL = /EXIT[_ ]SIGNAL["'`*_]{0,4}\s{0,4}[:=]["'`*_\s]{0,6}(?=(?:true|false)\b)/gi;
const PROMISE = /<promise>\s{0,20}COMPLETE\s{0,20}<\/promise>/gi;

/** Words before a marker in the same sentence that only mention it: "I will print EXIT_SIGNAL: true when …". */
const MENTION =
  /\b(?:not|never|no|without|until|before|unless|if|when|whenever|once|after|would|should|will|must|can|cannot|could|says?|said|prints?|emits?|outputs?|writes?|returns?|reports?|expects?|requires?|include|instead|example|format|than|only)\b|n't\b|'ll\b|e\.g\.|["'`]$/i;

const MOST_MARKERS = 20;
const MARKS = new Set([...' \t-=*_`#|│┃']);
const END_MARKS = new Set([...' \t-=*_`#']);

/**
 * Returns each status block, lone EXIT_SIGNAL and promise tag that the agent states itself. In a code fence they count in plain text;
 * otherwise only if nothing follows the fence. Announced examples never count.
 */
export function findStatements(message: MessageLines, plainText: boolean): Reading {
  const statements: Statement[] = [];
  const prose: Line[] = [];
  const { lines } = message;
  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (line === undefined) break;
    const opener = findOpener(line.text, lines[index + 1]?.text);
    if (opener === null) {
      if (counts(message, line, plainText)) statements.push(...readLine(line.text, plainText));
      prose.push(line);
      index += 1;
      continue;
    }
    const read = readBlockAt(lines, index, opener);
    const example = line.fence === null && announcesExample(lastWords(lines, index)?.text);
    if (read.block !== null && !example && counts(message, line, plainText)) {
      statements.push(...readLine(opener.before, plainText));
      const own = lines.slice(index + 1, index + read.used).map(({ text }) => text);
      statements.push({
        kind: 'block',
        block: read.block,
        text: ['RALPH_STATUS', opener.rest, ...own].join('\n'),
      });
    }
    if (opener.before.trim() !== '') prose.push({ text: opener.before, fence: line.fence });
    index += Math.max(1, read.used);
  }
  return { statements, prose };
}

function counts(message: MessageLines, line: Line, plainText: boolean): boolean {
  if (line.fence === null) return true;
  const fence = message.fences[line.fence];
  return fence !== undefined && !fence.example && (plainText || fence.last);
}

function lastWords(lines: readonly Line[], index: number): Line | undefined {
  const above = lines[index - 1];
  return above === undefined || above.text.trim() !== '' ? above : lines[index - 2];
}

type Opener = { readonly before: string; readonly rest: string };

/** Returns RALPH_STATUS at the end of a line, or before a field or JSON object; `null` where it is only mentioned. */
function findOpener(text: string, next: string | undefined): Opener | null {
  const line = text.trimEnd();
  for (const match of line.matchAll(OPENER)) {
    const head = line.slice(Math.max(0, match.index - 4), match.index);
    if (/END[_ ]$/i.test(head) || /[A-Za-z0-9]_$/.test(head)) continue;
    const rest = line.slice(match.index + match[0].length).replace(/^[-=*_`#:\s|│┃]{1,40}/, '');
    const opens =
      rest === ''
        ? leadsOn(line.slice(0, match.index), next)
        : rest.startsWith('{') ||
          (/^(?:TASK|STATUS|EXIT|EVIDENCE|REASON|FILES|CHANGES)/.test(rest) && isBlockField(rest));
    if (opens) return { before: trimMarks(line.slice(0, match.index), MARKS), rest };
  }
  return null;
}

/** After other words, the marker opens a block only if a field follows. */
function leadsOn(before: string, next: string | undefined): boolean {
  return trimMarks(before, MARKS) === '' || next === undefined || next.trim() === '' || isBlockField(next);
}

function readBlockAt(
  lines: readonly Line[],
  start: number,
  opener: Opener,
): { readonly block: Block | null; readonly used: number } {
  if (opener.rest.startsWith('{'))
    return { block: parseBlock(linesOfJson(opener.rest), true).block, used: 1 };
  const fence = lines[start]?.fence ?? null;
  // The marker may be in front of the fence around its fields.
  const inner = fence ?? lines[start + 1]?.fence ?? null;
  // Fields on the marker's line are read as lines.
  const body = opener.rest.split(/\s(?=(?:TASK|STATUS|EXIT_SIGNAL|EVIDENCE|REASON|END_RALPH_STATUS)\b)/);
  const ownLines = body.length;
  let terminated = takeEnd(body);
  let index = start + 1;
  while (!terminated && index < lines.length) {
    const line = lines[index];
    if (line === undefined || (line.fence !== fence && line.fence !== inner)) break;
    if (findOpener(line.text, lines[index + 1]?.text) !== null) break;
    body.push(line.text);
    index += 1;
    terminated = takeEnd(body);
  }
  const { block, used } = parseBlock(body, terminated);
  return { block, used: terminated ? index - start : Math.max(1, used - ownLines + 1) };
}

/** Cuts the last line at an end marker; returns whether there was one. */
function takeEnd(body: string[]): boolean {
  const newest = body.at(-1) ?? '';
  const end = END.exec(newest);
  if (end === null) return false;
  body[body.length - 1] = trimMarks(newest.slice(0, end.index), END_MARKS);
  return true;
}

function readLine(text: string, plainText: boolean): Statement[] {
  const found: { at: number; statement: Statement }[] = [];
  for (const match of lastMatches(text, SIGNAL)) {
    const value = text.slice(match.index + match[0].length, match.index + match[0].length + 200);
    const signal = standsAlone(value) ? readSignal(value) : null;
    if (signal !== null && isOwnWord(text, match.index, plainText)) {
      found.push({ at: match.index, statement: { kind: 'signal', value: signal } });
    }
  }
  for (const match of lastMatches(text, PROMISE)) {
    if (isOwnWord(text, match.index, true)) found.push({ at: match.index, statement: { kind: 'promise' } });
  }
  return found.sort((one, other) => one.at - other.at).map((entry) => entry.statement);
}

/** The last one counts, so only the newest are read on an endless line. */
function lastMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  return [...text.matchAll(pattern)].slice(-MOST_MARKERS);
}

/** Returns whether the value is followed only by marks, a remark in brackets, or the next sentence or marker. */
function standsAlone(value: string): boolean {
  const rest = value.replace(/^(?:true|false)["'`*_]{0,4}/i, '').trim();
  return rest === '' || /^(?:[(#—–|│┃]|- |<|[.!](?:\s|$)|END_|STATUS|TASK|EVIDENCE|EXIT_SIGNAL)/.test(rest);
}

/**
 * Returns whether a marker is a statement: at the start of a line or sentence, after a colon, and in plain text after progress output,
 * unless the words before it are about the marker.
 */
function isOwnWord(text: string, at: number, plainText: boolean): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const sentence = before.slice(sentenceStart(before));
  if (!/\p{L}/u.test(sentence)) return true;
  return !MENTION.test(sentence) && (plainText || /[:—–]["'`*_\s]{0,10}$/.test(sentence));
}

function sentenceStart(text: string): number {
  const ends = [...text.matchAll(/[.!?…]["'`*_)]{0,3}\s/g)];
  const last = ends.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
