import { fstatSync, readSync } from 'node:fs';
import { withoutEscapes } from '../../../lib/text.ts';

/** How much of the end of a program's output is kept for feedback. */
const TAIL_BYTES = 8 * 1024;

/** The last lines of an open file, at most `maxBytes`, cleaned for reading. A first line that is cut is left out. */
export function readTailOf(file: number, maxBytes = TAIL_BYTES): string {
  const { size } = fstatSync(file);
  const buffer = Buffer.alloc(Math.min(size, maxBytes));
  const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
  const text = cleanText(buffer.toString('utf8', 0, read));
  const lineEnd = text.indexOf('\n');
  const cut = size > maxBytes && lineEnd >= 0 && lineEnd < text.length - 1;
  return (cut ? text.slice(lineEnd + 1) : text).trimEnd();
}

/** The last lines of a text that was cleaned, as many as `readTailOf` keeps by default. */
export function endOf(text: string): string {
  if (text.length <= TAIL_BYTES / 2) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= TAIL_BYTES) return text;
  const end = bytes.subarray(bytes.length - TAIL_BYTES).toString('utf8');
  const lineEnd = end.indexOf('\n');
  return lineEnd >= 0 && lineEnd < end.length - 1 ? end.slice(lineEnd + 1) : end;
}

/** All control characters but tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Text without terminal escapes and control characters. A line overwritten by carriage returns keeps its last state. */
export function cleanText(text: string): string {
  return withoutEscapes(text)
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(CONTROLS, '');
}
