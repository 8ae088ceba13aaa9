import { stripControl } from './text.ts';

/** Longer subjects are cut. */
const MOST_SUBJECT = 60;

/** A commit as it is named on screen, such as `1a2b3c4 (Ada: "Update")`. */
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
