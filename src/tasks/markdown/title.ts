const ID = /^[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*$/;

/**
 * Takes an explicit id off a title: `**E1-02** title`, `**E1-02:** title`, `E1-02: title`. An id begins with a
 * letter and has a digit, and a separator unless it is as short as `T12`: other bold or colon-marked words are
 * part of the title.
 */
export function splitId(title: string): { id: string | null; title: string } {
  if (!title.startsWith('**') && !title.includes(':')) return { id: null, title };
  const bold = /^\*\*([^\s*]{1,80})\*\*(.*)$/.exec(title);
  const plain = bold ?? /^([A-Za-z][\w.-]{0,79}):(?=\s)(.*)$/.exec(title);
  const id = (plain?.[1] ?? '').replace(/:$/, '');
  const rest = (plain?.[2] ?? '').replace(/^\s*(?::|[-–—](?=\s))?\s*/, '').trim();
  if (rest === '' || !isId(id)) return { id: null, title: unwrap(title) };
  return { id, title: unwrap(rest) };
}

function isId(word: string): boolean {
  return ID.test(word) && /\d/.test(word) && (/[-_.]/.test(word) || /^[A-Za-z]{1,4}\d+$/.test(word));
}

/** A title that is bold as a whole is as good without the stars. */
function unwrap(title: string): string {
  const inner = /^\*\*([^*]+)\*\*$/.exec(title)?.[1]?.trim();
  return inner === undefined || inner === '' ? title : inner;
}
