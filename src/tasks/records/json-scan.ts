/** A member of an object in a text; offsets of its key's opening quote and of its value, `to` exclusive. */
export type JsonMember = {
  readonly key: string;
  readonly keyFrom: number;
  readonly keyTo: number;
  readonly from: number;
  readonly to: number;
};

// These functions serve texts that JSON.parse has accepted: they find places and check nothing.

/** Members of the object whose `{` stands at `at`, in file order. */
export function jsonMembers(text: string, at: number): JsonMember[] {
  const members: JsonMember[] = [];
  let position = skipSpace(text, at + 1);
  while (position < text.length && text[position] !== '}') {
    const keyFrom = position;
    const keyTo = endOfString(text, keyFrom);
    const from = skipSpace(text, skipSpace(text, keyTo) + 1);
    const to = endOfValue(text, from);
    members.push({ key: String(JSON.parse(text.slice(keyFrom, keyTo))), keyFrom, keyTo, from, to });
    position = skipSpace(text, to);
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return members;
}

/** Offset of the item at a place (from 0) in the array whose `[` stands at `at`; `null` when it has fewer. */
export function jsonItem(text: string, at: number, place: number): number | null {
  let position = skipSpace(text, at + 1);
  for (let index = 0; position < text.length && text[position] !== ']'; index += 1) {
    if (index === place) return position;
    position = skipSpace(text, endOfValue(text, position));
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return null;
}

export function skipSpace(text: string, from: number): number {
  let position = from;
  while (position < text.length && ' \t\r\n'.includes(text[position] ?? 'x')) position += 1;
  return position;
}

function endOfString(text: string, from: number): number {
  let position = from + 1;
  while (position < text.length && text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let position = from;
  while (position < text.length) {
    const character = text[position] ?? '';
    if (character === '"') {
      position = endOfString(text, position);
    } else if (character === '{' || character === '[') {
      depth += 1;
      position += 1;
    } else if (character === '}' || character === ']') {
      if (depth === 0) return position;
      depth -= 1;
      position += 1;
    } else if (depth === 0 && ', \t\r\n'.includes(character)) {
      return position;
    } else {
      position += 1;
      continue;
    }
    if (depth === 0) return position;
  }
  return position;
}
