const ANNOUNCES_EXAMPLE = /\b(?:example|e\.g\.|for instance|template|would look|looks? like|sample)(?!\w)/i;

/** Words that lead into what stands in a file, or was said elsewhere. */
const SHOWS =
  /\b(?:document(?:s|ed|ation)?|contains?|contents?|reads|says|said|shows|showed|prints|printed|quot(?:e|es|ed|ing)|logged)\b[^.!?]*$/i;

/** True when a line of text leads into an example, or into what is shown, rather than into the agent's own status. */
export function announcesExample(text: string | undefined): boolean {
  if (text === undefined) return false;
  const end = text.slice(-300);
  return ANNOUNCES_EXAMPLE.test(end) || SHOWS.test(end);
}

/** A line of a block quote. */
export function isQuotation(line: string): boolean {
  return line.startsWith('>');
}
