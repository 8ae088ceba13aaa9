import { stripControl } from './text.ts';

/** Maximum number of characters of a commit's subject; longer ones are cut. */
const MOST_SUBJECT = 60;

/** Returns a commit's name on screen, such as `1a2b3c4 (Ada: "Update")`. */
export function commitText({
  commit,
  author,
  subject,
}: {
  readonly commit: string;
  readonly author: string;
  readonly subject: string;
}): string {
  const about = stripControl(subject);
  const shown = about.length > MOST_SUBJECT ? `${about.slice(0, MOST_SUBJECT)}…` : about;
  return `${commit.slice(0, 7)} (${stripControl(author)}: "${shown}")`;
}
