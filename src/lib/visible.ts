import { stripControl, UNSEEN } from './text.ts';

/**
 * Exactly this text, and nothing in it that can't be seen: as a quoted string with escapes where something can't, else as
 * it is.
 */
export function visible(text: string): string {
  if (!text.includes('\n') && !text.includes('\t') && stripControl(text) === text) return text;
  return escapeUnseen(JSON.stringify(text));
}

/** A JSON document that shows what is in it: what its texts hold unseen is escaped, which changes no value. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
