/** Lines of the block that agents report with; a block without its end is over at the first line of another kind. */
const FIELD = /^\W*(?:TASK|STATUS|EXIT_SIGNAL|EVIDENCE|REASON|RECOMMENDATION)\b|^\s*(?:[-*]\s|$)/;
const BEGINS = /^\W*RALPH_STATUS\W*$/;
const ENDS = /^\W*END[_ ]RALPH_STATUS\b/;

/** Tells line by line whether it is for people: the status block is for ralph. */
export function wordsForPeople(): (line: string) => boolean {
  let inside = false;
  return (line) => {
    if (BEGINS.test(line)) inside = true;
    else if (inside && ENDS.test(line)) {
      inside = false;
      return false;
    } else if (inside && !FIELD.test(line)) inside = false;
    return !inside;
  };
}

/** A text without its status blocks. */
export function withoutStatusBlock(text: string): string {
  return text.split('\n').filter(wordsForPeople()).join('\n').trimEnd();
}
