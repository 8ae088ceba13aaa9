import { escapeUnseen, stripControl } from './text.ts';

/**
 * Exactly this text, and nothing in it that can't be seen: as a quoted string with escapes where something can't, else as
 * it is.
 */
export function visible(text: string): string {
  if (!text.includes('\n') && !text.includes('\t') && stripControl(text) === text) return text;
  return escapeUnseen(JSON.stringify(text));
}
