import { hasFlag, splitArguments } from '../arguments.ts';
import { type Field, fieldText, HIDDEN_MARK } from '../field.ts';
import { type Output, UNKNOWN_OUTPUT, withSources } from '../output.ts';

/** What was hidden before, and isn't known. */
const HIDDEN: Output = withSources(UNKNOWN_OUTPUT, HIDDEN_MARK);
const UNPACKS = /^(?:gunzip|zcat|gzcat|bunzip2|bzcat|unxz|xzcat|unzstd|zstdcat|uudecode|base32|rev)$/;
const PACKS = /^(?:gzip|bzip2|xz|zstd|lz4|brotli|xxd|openssl)$/;
/** What `tr` may change without making other words of it. */
const WHITE_SPACE = /^(?:\\[nrt0]+|\[:space:\]|\s)+$/;

/** What a filter makes of a text; `null`: the command isn't one that is known here. */
export function filteredText(name: string, args: readonly Field[], input: Output): Output | null {
  const { flags, operands } = splitArguments(args);
  if (/^g?base64$/.test(name)) {
    if (!hasFlag(flags, '-d', '-D', '--decode')) return null;
    const text = operands.length === 0 && input.kind === 'text' ? decodeBase64(input.text) : null;
    return text === null ? HIDDEN : { kind: 'text', text };
  }
  if (name === 'tr') {
    if (operands.every((field) => WHITE_SPACE.test(fieldText(field)))) return input;
    return input.kind === 'text' || !hasFlag(flags, '-c', '-C', '-s') ? HIDDEN : UNKNOWN_OUTPUT;
  }
  const unpacks = UNPACKS.test(name) || (PACKS.test(name) && hasFlag(flags, '-d', '-r', '--decompress'));
  return unpacks ? HIDDEN : null;
}

/** The text behind base64, byte by byte (a path or a command in it is ASCII); `null` where it is none. */
function decodeBase64(text: string): string | null {
  const packed = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const digits = packed.replace(/=+$/, '');
  return /^[A-Za-z0-9+/]+$/.test(digits) && digits.length % 4 !== 1 ? atob(digits) : null;
}
