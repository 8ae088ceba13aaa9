import { stripControl } from './text.ts';

/** Numbers of characters read from the beginning and end of a long error. */
const FOLDED = { head: 1500, tail: 2500 };
const LONGEST = 300;
/** Longer words are data; a line of a key has 64 characters. */
const LONGEST_WORD = 60;

const QUOTES = /["'`´‘’‚“”„«»]/g;
/** A status without words: `exit code 1`, `Command failed with exit code 1`, `Error: Exit code 2`. */
const STATUS_ALONE =
  /^(?:error:? )?(?:command |process |the command )?(?:failed |exited |returned )?(?:with )?(?:an? )?(?:non-zero )?(?:exit |status |return )?(?:code|status|error)?:? ?#?[.!]?$/i;

const FILE_NAME =
  /^[\w@.+-]*\.(?:[cm]?[jt]sx?|json[lc5]?|md|py|rb|go|rs|java|kts?|swift|cs|php|c|h|cc|cpp|hpp|sh|ya?ml|toml|lock|txt|html?|s?css|sql|vue|svelte|log)$/i;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const HASH = /\b(?:0x[0-9a-f]+|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64})\b/gi;
const NUMBER = /\d+(?:[.,:]\d+)*/g;

/**
 * Returns an error without varying parts: paths become `<path>`, hashes and addresses `<hash>`, numbers `#`, blanks
 * one; quotation marks are dropped. At most 300 characters. Empty for a mere status (`Exit code 1`), since such
 * errors can't be compared. Idempotent.
 */
export function foldError(text: string): string {
  const { head, tail } = FOLDED;
  const seen = text.length > head + tail ? `${text.slice(0, head)} ${text.slice(-tail)}` : text;
  const words = stripControl(seen).replace(QUOTES, '').split(/\s+/u).filter(Boolean).map(foldWord);
  let folded = '';
  for (const word of words) {
    const longer = folded === '' ? word : `${folded} ${word}`;
    if (longer.length > LONGEST) break;
    folded = longer;
  }
  return STATUS_ALONE.test(folded) ? '' : folded;
}

/** Folds a word between its punctuation marks. */
function foldWord(word: string): string {
  if (word.length > LONGEST_WORD) return isPath(word) ? '<path>' : '<long>';
  const start = /^[([{<=,;:]*/.exec(word)?.[0] ?? '';
  const end = /(?:[)\]}>.,;:!?]|:\d+|\(\d+(?:,\d+)?\))*$/.exec(word.slice(start.length))?.[0] ?? '';
  const core = word.slice(start.length, word.length - end.length);
  const marks = end.replace(/:\d+|\(\d+(?:,\d+)?\)/g, '');
  return isPath(core) ? `${start}<path>${marks}` : `${start}${foldInside(core)}${foldInside(end)}`;
}

/** `and/or` counts as a path, which affects no comparison. */
function isPath(core: string): boolean {
  return /[/\\]/.test(core) || FILE_NAME.test(core);
}

function foldInside(text: string): string {
  return text.replace(UUID, '<hash>').replace(HASH, '<hash>').replace(NUMBER, '#');
}
