import type { AgentAdapter, OwnNotes } from './protocol.ts';

/**
 * Returns the files with notes that an agent reads itself. @param isReviewed Whether the program asks ralph before
 * acting. @param has Whether the program finds a file.
 */
export function notesRead(
  { notes }: Pick<AgentAdapter, 'notes'>,
  isReviewed: boolean,
  has: (path: string) => boolean,
): readonly string[] {
  if (notes === undefined || (isReviewed && notes.onlyUnreviewed === true)) return [];
  const there = notes.files.filter(has);
  return notes.which === 'all' ? there : there.slice(0, 1);
}

/** Returns an agent's notes; `undefined` when an argument disables them. */
export function notesWith(notes: OwnNotes | undefined, args: readonly string[]): OwnNotes | undefined {
  return notes !== undefined &&
    args.some((arg) => notes.disablingArguments.some((off) => arg.startsWith(off)))
    ? undefined
    : notes;
}
