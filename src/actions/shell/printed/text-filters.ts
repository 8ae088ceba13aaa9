import { hasFlag, splitArguments } from '../arguments.ts';
import { unescaped } from '../escapes.ts';
import { type Field, fieldText, HIDDEN_MARK } from '../field.ts';
import { type Output, UNKNOWN_OUTPUT, withSources } from '../output.ts';
import { decodeBase64 } from './base64.ts';

/** What was hidden before, and isn't known. */
const HIDDEN: Output = withSources(UNKNOWN_OUTPUT, HIDDEN_MARK);
const UNPACKS =
  /^(?:gunzip|zcat|gzcat|bunzip2|bzcat|unxz|xzcat|unzstd|zstdcat|uudecode|base32|basenc|uncompress|unlz4|lz4cat)$/;
const PACKS = /^(?:gzip|bzip2|xz|zstd|lz4|brotli)$/;

/** What a filter makes of a text; `null`: the command isn't one that is known here. */
export function filteredText(name: string, args: readonly Field[], input: Output): Output | null {
  const { flags, operands } = splitArguments(args);
  switch (name) {
    case 'rev':
      return operands.length === 0 ? mapped(input, reversed) : null;
    case 'tr':
      return translated(flags, operands, input);
    case 'base64':
    case 'gbase64':
      return hasFlag(flags, '-d', '-D', '--decode') ? decoded(operands.length === 0 ? input : null) : null;
    case 'openssl':
      return openssl(args, input);
    case 'xxd':
      return hasFlag(flags, '-r') ? mapped(input, fromHex) : null;
  }
  if (UNPACKS.test(name)) return HIDDEN;
  return PACKS.test(name) && hasFlag(flags, '-d', '--decompress', '--uncompress') ? HIDDEN : null;
}

function mapped(input: Output, change: (text: string) => string | null): Output {
  const text = input.kind === 'text' && !/[\uE000-\uE005]/.test(input.text) ? change(input.text) : null;
  return text === null ? HIDDEN : { kind: 'text', text };
}

function decoded(input: Output | null): Output {
  return input === null ? HIDDEN : mapped(input, decodeBase64);
}

function openssl(args: readonly Field[], input: Output): Output | null {
  const words = args.map(fieldText);
  if (!/^(?:enc|base64|aes|des|bf|camellia)/.test(words[0] ?? '') || !words.includes('-d')) return null;
  const plain =
    words[0] === 'base64' || (words[0] === 'enc' && words.includes('-base64') && words.length < 5);
  return plain && !words.includes('-in') ? decoded(input) : HIDDEN;
}

function reversed(text: string): string {
  return text
    .split('\n')
    .map((line) => [...line].reverse().join(''))
    .join('\n');
}

function fromHex(text: string): string | null {
  const digits = text.replace(/^[0-9a-fA-F]+:/gm, '').replace(/\s+/g, '');
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(digits)) return null;
  return digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

/** What `tr` may change without making other words of it. */
const WHITE_SPACE = /^(?:\\[nrt0]+|\[:space:\]|\s)+$/;

function translated(flags: readonly string[], operands: readonly Field[], input: Output): Output {
  const [from = '', to = ''] = operands.map(fieldText);
  if (operands.every((field) => WHITE_SPACE.test(fieldText(field)))) return input;
  if (operands.some(({ kind }) => kind === 'unknown')) return HIDDEN;
  if (hasFlag(flags, '-c', '-C', '-s')) return input.kind === 'text' ? HIDDEN : UNKNOWN_OUTPUT;
  if (input.kind !== 'text') return HIDDEN;
  const left = charactersOf(from);
  if (flags.some((flag) => /^-d|^--delete/.test(flag))) {
    const gone = new Set(left);
    return mapped(input, (text) => [...text].filter((sign) => !gone.has(sign)).join(''));
  }
  const right = charactersOf(to);
  const last = right.at(-1) ?? '';
  const instead = new Map(left.map((sign, index) => [sign, right[index] ?? last]));
  return mapped(input, (text) => [...text].map((sign) => instead.get(sign) ?? sign).join(''));
}

const CLASSES: Readonly<Record<string, string>> = {
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:digit:]': '0-9',
  '[:alpha:]': 'A-Za-z',
  '[:alnum:]': 'A-Za-z0-9',
};

/** The characters of a set of `tr`, in order. */
function charactersOf(set: string): readonly string[] {
  const plain = unescaped(set.replace(/\[:\w+:\]/g, (name) => CLASSES[name] ?? name));
  const found: string[] = [];
  for (let at = 0; at < plain.length; at += 1) {
    const [start, dash, end] = [plain.charCodeAt(at), plain[at + 1], plain.charCodeAt(at + 2)];
    if (dash === '-' && end >= start && end - start < 256) {
      for (let code = start; code <= end; code += 1) found.push(String.fromCharCode(code));
      at += 2;
    } else found.push(plain[at] ?? '');
  }
  return found;
}
