import type { Claim, EvidenceItem } from '../../../domain/claim.ts';
import { mergeEvidence } from '../items/items.ts';
import { findStatements, type Statement } from './find-statements.ts';
import { type Line, readMessageLines, splitLines } from './message-lines.ts';
import { ownStatements } from './own-statements.ts';
import { LONGEST_VALUE, mostCautious } from './parse-block.ts';
import { parseProse } from './parse-prose.ts';
import { stripEcho } from './strip-echo.ts';

export type ClaimOptions = {
  /** The agent's whole output is its message. */
  readonly plainText: boolean;
  readonly prompt: string;
  readonly task: { readonly id: string; readonly title: string };
  /** Texts of others that may contain a claim, such as earlier feedback. */
  readonly quoted: readonly string[];
};

/** Returns the claim in a final message (ADR 7). Never throws; takes time linear in its length. */
export function readClaim(message: string, options: ClaimOptions): Claim {
  const { plainText, prompt, task, quoted } = options;
  const lines = splitLines(message);
  const ownLines = stripEcho(lines, splitLines(prompt));
  const reading = findStatements(readMessageLines(ownLines), plainText);
  const own = ownStatements(reading.statements, task, quoted);
  const reported = plainText ? lastReported(own.statements) : allReported(own.statements);
  const denied = !plainText && deniesCompletion(reading.prose);
  const evidence = mergeEvidence(reported.evidence, parseProse(reading.prose));
  const saysDone = reported.status === 'done' || reported.status === 'already_done';
  const complete = reported.exitSignal === true || saysDone || reported.promise;
  const unfinished =
    reported.status === 'blocked' || reported.status === 'in_progress' || reported.exitSignal === false;
  return {
    status: saysDone && denied ? 'in_progress' : reported.status,
    exitSignal: reported.exitSignal,
    completion: complete && !unfinished && !denied,
    taskId: reported.taskId ?? own.otherTask,
    reason: repeatedReason(reported, lines, ownLines) ?? reported.reason,
    claimsWrites: reported.evidence.length > 0 || speaksOfWrites(reading.prose),
    evidence,
  };
}

/** Matches a line with the reason of a block, of which no word is left. */
const BARE_REASON = /^\W*REASON\W*$/i;

/**
 * Returns the reason of a blocked agent that repeats words of the prompt, such as its own earlier question; `null`: its
 * reason has words of its own. A claim's status doesn't depend on its reason, so an echo in it may be shown.
 */
function repeatedReason(
  { status, reason }: Pick<Claim, 'status' | 'reason'>,
  lines: readonly string[],
  ownLines: readonly string[],
): string | null {
  if (status !== 'blocked' || /\w/.test(reason ?? '')) return null;
  const index = ownLines.findLastIndex((line, at) => BARE_REASON.test(line) && line !== lines[at]);
  const text = lines[index]?.replace(/^[^:]*:/, '').trim();
  return text === undefined || text === '' ? null : text.slice(0, LONGEST_VALUE);
}

type Reported = Pick<Claim, 'status' | 'exitSignal' | 'taskId' | 'reason'> & {
  readonly promise: boolean;
  /** A lone `EXIT_SIGNAL: false` came after the last block. */
  readonly denied: boolean;
  readonly evidence: readonly EvidenceItem[];
};

const NOTHING_REPORTED: Reported = {
  status: 'none',
  exitSignal: null,
  taskId: null,
  reason: null,
  promise: false,
  denied: false,
  evidence: [],
};

/**
 * Returns the last report in plain output: the last block counts as a whole, and a lone signal from its position on. An explicit `false`
 * before a block without a signal still counts, a `true` doesn't.
 */
function lastReported(statements: readonly Statement[]): Reported {
  let reported = NOTHING_REPORTED;
  for (const statement of statements) {
    if (statement.kind === 'block') {
      const exitSignal = statement.block.exitSignal ?? (reported.denied ? false : null);
      reported = { ...statement.block, exitSignal, promise: false, denied: false };
    } else if (statement.kind === 'signal') {
      reported = { ...reported, exitSignal: statement.value, denied: !statement.value };
    } else {
      reported = { ...reported, promise: true };
    }
  }
  return reported;
}

/** Returns the report of one message, whose statements count together: of contradicting ones, the one that claims less. */
function allReported(statements: readonly Statement[]): Reported {
  const last = lastReported(statements);
  const blocks = statements.flatMap((one) => (one.kind === 'block' ? [one.block] : []));
  const status = mostCautious(blocks.map((block) => block.status));
  const deciding = blocks.findLast((block) => block.status === status);
  const signals = [
    ...blocks.map(({ exitSignal }) => exitSignal),
    ...statements.map((one) => (one.kind === 'signal' ? one.value : null)),
  ];
  return {
    ...last,
    status,
    reason: deciding?.reason ?? last.reason,
    exitSignal: signals.includes(false) ? false : last.exitSignal,
  };
}

const VERBS =
  'created|added|implemented|wrote|written|modified|updated|edited|changed|refactored|rewrote|extended|fixed|patched|' +
  'built|introduced|deleted|removed|renamed|replaced|moved|saved';
const ADVERBS = '(?:also|now|then|just|successfully|finally|fully|further|have)';

/** Matches "I have added", "we then updated". */
const FIRST_PERSON = new RegExp(
  String.raw`\b(?:I|we)(?:['’]ve| have)?\s(?:${ADVERBS}\s){0,2}(?:${VERBS})\b`,
  'gi',
);
/** Matches "Created the parser" at the beginning of a line or sentence. */
const BEGINNING = new RegExp(
  String.raw`(?:^|[.!?:]\s)[\s\-*•·+#✓✔✅_\`]{0,20}(?:${ADVERBS}\s){0,2}(?:${VERBS})\b`,
  'gi',
);
/** Matches "the parser has been implemented", "src/x.ts was created", "is now implemented". */
const PASSIVE = new RegExp(
  String.raw`\b(?:has been|have been|was|were|is now|are now)\s(?:${ADVERBS}\s){0,2}(?:${VERBS})\b`,
  'gi',
);
const IMPLEMENTATION = /\b(?:the |my )implementation is (?:now )?(?:complete|done|finished|in place)\b/gi;

const DOUBT =
  /\b(?:not|never|no|nothing|none|without|already|previously|earlier|would|should|will|could|cannot|if|when|once|until|unless|before|nobody|someone|you|they)\b|n['’]t\b/i;

const NOT_DONE =
  /\b(?:task|work|implementation|job)\b[^.!?\n]{0,40}\b(?:is|are)(?: still)?(?: not|n['’]t)(?: yet)?(?: fully)? (?:done|complete|completed|finished)\b|\bI (?:could not|couldn['’]t|did not|didn['’]t|have not|haven['’]t|was unable to|am unable to)(?: yet)? (?:finish(?:ed)?|complete[d]?) (?:the|this|my) (?:task|work|implementation|job)\b|^\W{0,6}not (?:yet )?(?:done|complete|completed|finished)\b/i;

function deniesCompletion(lines: readonly Line[]): boolean {
  return lines.some(({ text, fence }) => fence === null && NOT_DONE.test(text));
}

/** Returns whether prose says that this attempt wrote files. Denied, planned and earlier writes don't count. */
function speaksOfWrites(lines: readonly Line[]): boolean {
  return lines.some((line) => line.fence === null && saysSo(line.text));
}

function saysSo(text: string): boolean {
  for (const pattern of [FIRST_PERSON, BEGINNING, PASSIVE, IMPLEMENTATION]) {
    // `matchAll` would copy the pattern for every line.
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
