import { languageOf, roleOf, tokenize } from 'ralph-ecosystems';
import { firstFew } from 'ralph-kit/text';
import type { Statement } from './read-criterion.ts';
import { type CriteriaWorld, contradicted, locate, notChecked, type Seen, shown } from './world.ts';

type TextStatement = Extract<Statement, { kind: 'text' }>;
type NowhereStatement = Extract<Statement, { kind: 'nowhere' }>;

/** Matches placeholders: `<version>`, `foo(...)`, `*.log`, `${HOME}`. */
const STANDS_FOR = /[<>*…]|\.\.\.|\$\{|\{\w*\}|%\w/;
const MARKER = /^(?:TODO|FIXME|XXX|HACK)\b|^@?ts-\w|^eslint-|^biome-|^noqa\b|^type: ignore|^\/\/|^\/\*|^#/;
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|pdf|zip|gz|tgz|bz2|xz|7z|jar|class|so|dylib|dll|exe|bin|wasm|woff2?|ttf|otf|eot|mp[34]|mov|avi|webm|wav|ogg|sqlite3?|db|pyc)$/i;
const HISTORY =
  /(?:^|\/)(?:CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?|MIGRAT\w*|UPGRAD\w*)(?:[._-][^/]*)?$|(?:^|\/)(?:adrs?|changelogs?|changesets?|\.changeset|migrations?)\//i;

export function checkText(statement: TextStatement, world: CriteriaWorld): Seen {
  const { text, wants } = statement;
  const place = locate(statement.path, world);
  if (place.kind === 'unclear') return notChecked(place.why);
  if (place.kind === 'missing')
    return (wants === 'present' ? contradicted : notChecked)(`${statement.path} does not exist`);
  const { path } = place;
  const content = world.read(path);
  if (content === null || isBinary(content)) return notChecked(`${path} could not be read`);
  const hit = hitIn(content, text);
  const quoted = quotedText(text);
  if (wants === 'present') {
    if (hit === 'whole') return shown(`${path} contains ${quoted}`);
    const isSure = hit === 'none' && statement.literal && !STANDS_FOR.test(text) && !isEscaped(content, text);
    return isSure
      ? contradicted(`${path} doesn't contain ${quoted}`)
      : notChecked(`${path} has nothing that is ${quoted} for sure`);
  }
  if (hit === 'none')
    return STANDS_FOR.test(text)
      ? notChecked(`${quoted} may stand for others`)
      : shown(`${path} doesn't contain ${quoted}`);
  if (hit === 'whole' && placeOf(path, content, text) === 'code')
    return contradicted(`${path} contains ${quoted}`);
  return notChecked(`${path} contains ${quoted} only in a comment, a sentence or a longer word`);
}

/** Returns whether no file contains a text. Files about the history don't count. */
export function checkNowhere(statement: NowhereStatement, sentence: string, world: CriteriaWorld): Seen {
  const { text, within, code, uses } = statement;
  const quoted = quotedText(text);
  const files = world.paths.filter(
    (path) =>
      (within === null || path === within || path.startsWith(`${within}/`)) &&
      !path.startsWith('.ralph/') &&
      !MEDIA.test(path) &&
      (!code || languageOf(path).name !== 'data'),
  );
  if (files.length === 0)
    return notChecked(`there are no files to search${within === null ? '' : ` in ${within}`}`);
  const doubtful: string[] = [];
  let isWhole = true;
  const contents = files.map((path) => [path, world.read(path)] as const);
  for (const [path, content] of contents) {
    // The task list contains the criterion itself.
    if (content?.includes(sentence)) continue;
    if (content === null) isWhole = false;
    else if (!isBinary(content)) {
      const hit = hitIn(content, text);
      const isSure =
        hit === 'whole' && !uses && counts(path, within) && placeOf(path, content, text) === 'code';
      if (isSure) return contradicted(`${path} contains ${quoted}`);
      if (hit !== 'none') doubtful.push(path);
    }
  }
  if (doubtful.length > 0) return notChecked(`${quoted} is still in ${firstFew(doubtful, 3)}`);
  if (STANDS_FOR.test(text)) return notChecked(`${quoted} may stand for others`);
  return isWhole ? shown(`no file contains ${quoted}`) : notChecked('not all files could be read');
}

/** Returns whether a text in this file would contradict its removal: not in tests, generated files and documents. */
function counts(path: string, within: string | null): boolean {
  if (HISTORY.test(path)) return false;
  const role = roleOf(path);
  if (role === 'source' || role === 'config' || role === 'pipeline') return true;
  return within !== null && role === 'other';
}

/**
 * Returns how a file contains a text: `whole`, `part` (within a longer word), `like` (except for case, white space and
 * quotes) or `none`.
 */
function hitIn(content: string, text: string): 'whole' | 'part' | 'like' | 'none' {
  const [there, wanted] = [content.normalize('NFC'), text.normalize('NFC')];
  if (offsetsOf(there, wanted).length > 0) return 'whole';
  if (there.includes(wanted)) return 'part';
  const call = /^([\w.$]+)\(.*\)$/.exec(wanted)?.[1];
  return folded(there).includes(folded(call ?? wanted)) ? 'like' : 'none';
}

/** Returns the offsets of a text as whole words. */
function offsetsOf(content: string, text: string): number[] {
  const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char);
  const found: number[] = [];
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    const before = isWord(text[0]) && isWord(content[at - 1]);
    const after = isWord(text.at(-1)) && isWord(content[at + text.length]);
    if (!before && !after) found.push(at);
  }
  return found;
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[\s'"`“”‘’]+/g, '');
}

/** Returns `code` if a text is in the code, or `words` if only strings and comments mention it. */
function placeOf(path: string, content: string, text: string): 'code' | 'words' {
  const language = languageOf(path);
  if (language.name === 'data' && roleOf(path) === 'other') return 'code';
  const there = content.normalize('NFC');
  const tokens = tokenize(there, language);
  let at = 0;
  const isCode = offsetsOf(there, text.normalize('NFC')).some((offset) => {
    while ((tokens[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= offset) at += 1;
    const token = tokens[at];
    if (token?.kind === 'comment') return MARKER.test(text);
    return token?.kind !== 'string' || !/\s/.test(token.text) || /\s/.test(text) || offset === token.start;
  });
  return isCode ? 'code' : 'words';
}

function isEscaped(content: string, text: string): boolean {
  return /[^\x20-\x7e]|&/.test(text) && /\\u|&#?\w+;/.test(content);
}

function isBinary(content: string): boolean {
  return /[\0\ufffd]/.test(content);
}

function quotedText(text: string): string {
  return text.includes('`') ? `"${text}"` : `\`${text}\``;
}
