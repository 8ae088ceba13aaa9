import type { EvidenceItem } from '../../../domain/claim.ts';
import { type Says, saysOfWord } from './items.ts';
import { type PathRef, readLinesBehind, readPathWord } from './path-names.ts';

const LONGEST_LINE = 2000;
const LONGEST_NOTE = 300;

const BULLET = /^(?:[-*•·+]\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)/;
/** Matches words before a path: `Created: `, `[new] `, `deleted the file `, `new file: `. */
const LEAD =
  /^[[(*_]{0,3}([A-Za-z]{2,12})(?:\s+file)?[\])*_]{0,3}:?\s+(?:(?:the|a)\s+)?(?:new\s+)?(?:file\s+)?/;
const GIT_LETTER = /^(A|M|D|\?\?)\s+/;
const GIT_SAYS: Readonly<Record<string, Says>> = {
  A: 'created',
  '??': 'created',
  M: 'modified',
  D: 'deleted',
};
/** Words before a path that make no certain claim. */
const OTHER_LEAD = /^(?:renamed|moved|file|files|see|in|implemented|touched|tests?)$/i;

/**
 * Returns the items in a line of a block: the paths at its beginning, their lines, and the rest as a note. Later paths are context. A line
 * that doesn't begin with a path has none.
 */
export function parseEvidenceLine(line: string, sectionSays: Says): EvidenceItem[] {
  let rest = line.trim().slice(0, LONGEST_LINE);
  for (let marks = 0; marks < 3 && BULLET.test(rest); marks += 1) rest = rest.replace(BULLET, '');
  const lead = readLead(rest);
  let says = lead.says ?? sectionSays;
  rest = lead.rest;

  const found: PathRef[] = [];
  for (;;) {
    const next = takePath(rest);
    if (next === null) break;
    found.push(next.ref);
    const joint = /^\s*(?:,\s*and\s|,|;|\band\s|&|\+|->|→|=>|\bto\s)\s*/.exec(next.rest);
    rest = next.rest;
    if (joint === null) break;
    rest = rest.slice(joint[0].length);
  }
  const note = rest.replace(/^[\s\-–—:|→=>]{1,10}/, '').slice(0, LONGEST_NOTE);
  if (says === 'touched') says = saysOfNote(note);
  return found.map((ref) => {
    // "src/a.ts:10-42 deleted" is about lines, not the file.
    const ofFile = ref.from !== null && says === 'deleted' ? 'touched' : says;
    return { path: ref.path, from: ref.from, to: ref.to, says: ofFile, note, source: 'block' };
  });
}

function readLead(text: string): { says: Says | null; rest: string } {
  const letter = GIT_LETTER.exec(text);
  if (letter !== null) return { says: GIT_SAYS[letter[1] ?? ''] ?? null, rest: text.slice(letter[0].length) };
  const match = LEAD.exec(text);
  const word = match?.[1] ?? '';
  const says = saysOfWord(word);
  if (match === null || (says === null && !OTHER_LEAD.test(word))) return { says: null, rest: text };
  return { says, rest: text.slice(match[0].length) };
}

/** Returns the claim in a note that is one word: "created", "(new)", "deleted."; "added the parser" isn't about the whole file. */
function saysOfNote(note: string): Says {
  const word = /^[[(*_`]{0,3}([A-Za-z]{3,9})(?:\s+file)?[\])*_`]{0,3}(?:$|\s*[.,;:(–—]|\s-)/.exec(note)?.[1];
  return saysOfWord(word ?? '') ?? 'touched';
}

function takePath(text: string): { ref: PathRef; rest: string } | null {
  const start = text.replace(/^\*{1,3}/, '');
  const link = /^\[([^\]]{1,300})\]\(([^)\s]{1,300})\)/.exec(start);
  const code = /^(["'`])([^"'`]{1,300})\1/.exec(start);
  const bare = /^[^\s;`"']{1,400}/.exec(start);
  if (link !== null) {
    const label = (link[1] ?? '').replaceAll('`', '');
    const ref = readPathWord(link[2] ?? '', false) ?? readPathWord(label, true);
    return ref === null ? null : { ref, rest: start.slice(link[0].length) };
  }
  const token = code?.[2] ?? (bare === null ? undefined : trimWord(bare[0]));
  if (token === undefined) return null;
  const ref = readPathWord(token.trim(), code !== null);
  if (ref === null) return null;
  const after = start.slice(code === null ? token.length : code[0].length).replace(/^\*{1,3}/, '');
  if (ref.from !== null) return { ref, rest: after };
  const behind = readLinesBehind(after);
  return { ref: { path: ref.path, from: behind.from, to: behind.to }, rest: after.slice(behind.length) };
}

/** Marks after a path aren't part of it (`src/a.ts,`, `src/a.ts:`); a comma within a word begins the next path. */
function trimWord(word: string): string {
  const comma = /,(?!\d)/.exec(word)?.index ?? word.length;
  return word.slice(0, comma).replace(/[.,:!?)\]*]{1,5}$/, '');
}
