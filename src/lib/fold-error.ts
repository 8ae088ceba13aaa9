import { stripControl } from './text.ts';

/** Of a longer error the beginning and the end are read, in characters. */
const FOLDED = { head: 1500, tail: 2500 };
/** Longest folded error, in characters. */
const LONGEST = 300;
/** Words longer than this are data, not language: a line of a key has 64 characters. */
const LONGEST_WORD = 60;

const QUOTES = /["'`´‘’‚“”„«»]/g;
/** `exit code 1`, `Command failed with exit code 1`, `Error: Exit code 2`: a status and no words. */
const STATUS_ALONE =
  /^(?:error:? )?(?:command |process |the command )?(?:failed |exited |returned )?(?:with )?(?:an? )?(?:non-zero )?(?:exit |status |return )?(?:code|status|error)?:? ?#?[.!]?$/i;

const FILE_NAME =
  /^[\w@.+-]*\.(?:[cm]?[jt]sx?|json[lc5]?|md|py|rb|go|rs|java|kts?|swift|cs|php|c|h|cc|cpp|hpp|sh|ya?ml|toml|lock|txt|html?|s?css|sql|vue|svelte|log)$/i;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const HASH = /\b(?:0x[0-9a-f]+|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64})\b/gi;
const NUMBER = /\d+(?:[.,:]\d+)*/g;

/**
 * An error without what differs from one time to the next: paths and file names become `<path>`, hashes and addresses
 * `<hash>`, numbers `#`, runs of blanks one; quotation marks are dropped, what stands in them stays. At most 300
 * characters. Empty when the error says nothing but that there was one (`Exit code 1`): such errors are not alike, they
 * are mute. Folding twice changes nothing more.
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

/** Without the marks around it, which are kept, a word is a path, or has hashes and numbers in it. */
function foldWord(word: string): string {
  if (word.length > LONGEST_WORD) return isPath(word) ? '<path>' : '<long>';
  const start = /^[([{<=,;:]*/.exec(word)?.[0] ?? '';
  const end = /(?:[)\]}>.,;:!?]|:\d+|\(\d+(?:,\d+)?\))*$/.exec(word.slice(start.length))?.[0] ?? '';
  const core = word.slice(start.length, word.length - end.length);
  const marks = end.replace(/:\d+|\(\d+(?:,\d+)?\)/g, '');
  return isPath(core) ? `${start}<path>${marks}` : `${start}${foldInside(core)}${foldInside(end)}`;
}

/** `/` between words, as in `and/or`, counts as a path too: that changes no comparison. */
function isPath(core: string): boolean {
  return /[/\\]/.test(core) || FILE_NAME.test(core);
}

function foldInside(text: string): string {
  return text.replace(UUID, '<hash>').replace(HASH, '<hash>').replace(NUMBER, '#');
}
