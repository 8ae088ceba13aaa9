import type { AgentAdapter, OwnNotes } from '../domain/agent.ts';

/**
 * Files of instructions in the folder of the repository that a program reads itself, by the adapter's table.
 *
 * @param has whether the program finds such a file where it works.
 */
export function notesRead(
  { notes }: Pick<AgentAdapter, 'notes'>,
  has: (path: string) => boolean,
): readonly string[] {
  if (notes === undefined) return [];
  const there = notes.files.filter(has);
  return notes.which === 'all' ? there : there.slice(0, 1);
}

/** The notes of an agent that gets these arguments: with one of its own switches it reads none. */
export function notesWith(notes: OwnNotes | undefined, args: readonly string[]): OwnNotes | undefined {
  return notes !== undefined && args.some((arg) => notes.off.some((off) => arg.startsWith(off)))
    ? undefined
    : notes;
}
