import { isRecord } from '../../lib/is-record.ts';

/** The fields of `RALPH_STATUS: {"status":"done","files":["src/x"]}` as the lines of a block; none for anything else. */
export function linesOfJson(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1));
  } catch {
    return [];
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const key = name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
    if (Array.isArray(field))
      return [`${key}:`, ...field.filter(isText).map((entry) => `- ${asName(entry)}`)];
    return isText(field) || typeof field === 'boolean' ? [`${key}: ${oneLine(String(field))}`] : [];
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A whole entry is a name, however doubtful it looks: `{"files":["src/x"]}`. */
function asName(entry: string): string {
  return /\s/.test(entry) || entry.includes('`') ? oneLine(entry) : `\`${entry}\``;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
