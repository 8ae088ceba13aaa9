import type { Line } from '../claim/message-lines.ts';

const VERBS =
  'created|added|implemented|wrote|written|modified|updated|edited|changed|refactored|rewrote|extended|fixed|patched|' +
  'built|introduced|deleted|removed|renamed|replaced|moved|saved';
const ADVERBS = '(?:also|now|then|just|successfully|finally|fully|further|have)';

/** "I have added", "we then updated". */
const FIRST_PERSON = new RegExp(
  String.raw`\b(?:I|we)(?:['’]ve| have)?\s(?:${ADVERBS}\s){0,2}(?:${VERBS})\b`,
  'gi',
);
/** "Created the parser" at the beginning of a line or sentence. */
const BEGINNING = new RegExp(
  String.raw`(?:^|[.!?:]\s)[\s\-*•·+#✓✔✅_\`]{0,20}(?:${ADVERBS}\s){0,2}(?:${VERBS})\b`,
  'gi',
);
/** "the parser has been implemented", "src/x.ts was created", "is now implemented". */
const PASSIVE = new RegExp(
  String.raw`\b(?:has been|have been|was|were|is now|are now)\s(?:${ADVERBS}\s){0,2}(?:${VERBS})\b`,
  'gi',
);
const IMPLEMENTATION = /\b(?:the |my )implementation is (?:now )?(?:complete|done|finished|in place)\b/gi;

const DOUBT =
  /\b(?:not|never|no|nothing|none|without|already|previously|earlier|would|should|will|could|cannot|if|when|once|until|unless|before|nobody|someone|you|they)\b|n['’]t\b/i;

/** True when prose says that files were written in this attempt: denied, planned and earlier writes do not count. */
export function speaksOfWrites(lines: readonly Line[]): boolean {
  return lines.some((line) => line.fence === null && saysSo(line.text));
}

function saysSo(text: string): boolean {
  for (const pattern of [FIRST_PERSON, BEGINNING, PASSIVE, IMPLEMENTATION]) {
    // Not matchAll, which makes a new pattern for every line.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const before = text.slice(Math.max(0, match.index - 60), match.index + match[0].length);
      const sentence = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('! '), 0));
      if (!DOUBT.test(sentence) && !/^\s(?:nothing|no|by)\b/i.test(text.slice(match.index + match[0].length)))
        return true;
    }
  }
  return false;
}
