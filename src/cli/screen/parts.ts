import { onOneLine } from 'ralph-kit/text';
import type { Part } from '../../io/ui/index.ts';

/**
 * Returns the text without characters that join others or select a variant, because terminals differ in the resulting
 * width.
 */
export function steady(text: string): string {
  return STEADY.test(text)
    ? text
    : text
        .replace(/[\u200d\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu, '')
        .replace(/[\u{1f1e6}-\u{1f1ff}]/gu, (letter) =>
          String.fromCharCode(65 + (letter.codePointAt(0) ?? 0) - 0x1f1e6),
        );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC.
const STEADY = /^[\x1b -~\u00a0-\u024f\u2010-\u2027\u2190-\u2193\u2500-\u257f\u25a0-\u25ff\u2713-\u2718]*$/;

export function flat(text: string): string {
  return onOneLine(text.replace(/\s+/g, ' ').trim());
}

/** Returns a part of a line. If the line is too narrow, parts with the lowest `rank` are left out first. */
export function part(text: string, rank: number, more: Partial<Part> = {}): Part {
  return { text: steady(text), rank, ...more };
}
