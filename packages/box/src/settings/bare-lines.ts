import { redact } from 'ralph-kit/redact';
import { bareText, isNamedSecret, signsIn } from './bare-value.ts';

/** Syntax of settings written as a list of names and values. */
export type Dialect = {
  readonly separator: RegExp;
  /** A value continues after a trailing backslash, or on an indented line. */
  readonly continues: 'backslash' | 'indent' | 'never';
  readonly comment: RegExp;
  /** Whether `\u0041` and `\:` are escape sequences. */
  readonly escapes: boolean;
};

/** Returns settings without credentials and comments, which may hold old secrets. `null`: a value has no name. */
export function bareLines(text: string, dialect: Dialect): string | null {
  const kept: string[] = [];
  for (const lines of entriesOf(text, dialect)) {
    const [first = ''] = lines;
    const line = first.trim();
    if (line === '' || dialect.comment.test(line)) continue;
    if (/^\[.*\]$/.test(line)) {
      if (redact(line, []) === line) kept.push(line);
      continue;
    }
    const bare = bareEntry(lines, dialect);
    if (bare === null) return null;
    kept.push(...bare);
  }
  return kept.map((line) => `${line}\n`).join('');
}

function entriesOf(text: string, { continues, comment }: Dialect): string[][] {
  const entries: string[][] = [];
  let isOpen = false;
  for (const line of text.replaceAll('\r\n', '\n').split(/[\n\r]/)) {
    const isMore: boolean =
      (continues === 'backslash' && isOpen) ||
      (continues === 'indent' && /^[ \t]+\S/.test(line) && entries.length > 0);
    const last = entries.at(-1);
    if (isMore && last !== undefined) last.push(line);
    else entries.push([line]);
    isOpen = /(?:^|[^\\])(?:\\\\)*\\$/.test(line) && (isMore || !comment.test(line.trim()));
  }
  return entries;
}

/** Returns the lines of an entry without credentials; empty when nothing is left. */
function bareEntry(lines: readonly string[], { separator, continues, escapes }: Dialect): string[] | null {
  const plain = (text: string) => (escapes ? unescaped(text) : text);
  const [first = ''] = lines;
  // A name may be continued on the next line, too.
  const joined =
    continues === 'backslash'
      ? lines.map((line, at) => (at === 0 ? line : line.trimStart()).replace(/\\$/, '')).join('')
      : first;
  const match = separator.exec(joined);
  if (match === null) return isNamedSecret(joined) || redact(joined, []) !== joined ? [] : [...lines];
  const name = plain(joined.slice(0, match.index))
    .trim()
    .replace(/^["']|["']$/g, '');
  const value = plain(joined.slice(match.index + match[0].length)).trim();
  if (continues === 'indent') return bareItems(lines, name, value);
  if (signsIn(name, value)) return [];
  const unquoted = value.replace(/^(["'])(.*)\1$/s, '$2');
  const bare = bareText(unquoted, name);
  if (bare === undefined) return [];
  return bare === unquoted
    ? [...lines]
    : [`${joined.slice(0, match.index)}${match[0]}${value.replace(unquoted, () => bare)}`];
}

/** Each line of a value is a separate item; items that hold a secret are removed. */
function bareItems(lines: readonly string[], name: string, value: string): string[] {
  const [first = '', ...more] = lines;
  const whole = [value, ...more.map((line) => line.trim())].join(' ').trim();
  if (signsIn(name, whole)) return [];
  const begins = bareText(value, name);
  const items = more.flatMap((line) => bareText(line, name) ?? []);
  if ((begins ?? '') === '' && items.length === 0 && whole !== '') return [];
  return [begins === value ? first : first.replace(value, () => begins ?? ''), ...items];
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\([^u])/g, '$1');
}
