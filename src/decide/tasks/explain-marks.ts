import type { FileHistory } from '../../domain/ports.ts';
import type { Task } from '../../domain/task.ts';

/** Names of the tasks that a text of the tracker calls done (`markName`). */
export type Marks = ReadonlySet<string>;

/** `FileHistory` with the marks of each text. */
export type MarkHistory = {
  readonly head: Marks;
  readonly since: Marks;
  readonly versions: readonly (Pick<FileHistory['versions'][number], 'commit' | 'author'> & {
    readonly marks: Marks;
    readonly parents: readonly Marks[];
  })[];
};

/** A mark is one of the same task only with the same title. */
export function markName({ id, title }: Pick<Task, 'id' | 'title'>): string {
  return JSON.stringify([id, title]);
}

/**
 * The commit that brought each mark, by the mark's name: it holds the mark and no parent of it does. A mark that was
 * there when the last run ended is explained by none, however it is merged, rebased or picked later.
 */
export function explainMarks(
  names: readonly string[],
  { head, since, versions }: MarkHistory,
): ReadonlyMap<string, { readonly commit: string; readonly author: string }> {
  const explained = names.flatMap((name) => {
    if (!head.has(name) || since.has(name)) return [];
    const from = versions.find(
      ({ marks, parents }) => marks.has(name) && !parents.some((parent) => parent.has(name)),
    );
    return from === undefined ? [] : [[name, { commit: from.commit, author: from.author }] as const];
  });
  return new Map(explained);
}
