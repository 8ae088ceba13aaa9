import { diff } from '../../app/commands/diff.ts';
import { work } from '../../app/commands/work.ts';
import { openInEditor } from '../../io/ui/index.ts';
import type { Outcome } from './session.ts';
import type { Changed, Repo } from './state.ts';

export async function openCopy(cwd: string): Promise<Outcome> {
  const result = await work({ cwd, action: 'path', task: null });
  if (!result.ok) return { kind: 'message', ok: false, text: result.message };
  if (!('path' in result.data)) return { kind: 'message', ok: false, text: 'There is no copy yet.' };
  const { path, at_work: isAtWork } = result.data;
  const note = isAtWork ? ' Read only while the attempt runs: what you write there may be lost.' : '';
  return outcomeOf(await openInEditor(path, null), `You were in ${path}.${note}`);
}

export async function openList({ data }: Repo, taskId: string): Promise<Outcome> {
  const path = data?.list_path ?? null;
  if (path === null)
    return { kind: 'message', ok: false, text: 'The tasks are in no file; edit them where they are.' };
  const line = data?.tasks.find(({ id }) => id === taskId)?.line ?? null;
  return outcomeOf(
    await openInEditor(path, line),
    `The list is read again; a run takes it into account at its next choice.`,
  );
}

function outcomeOf(failed: string | null, text: string): Outcome {
  return failed === null ? { kind: 'message', ok: true, text } : { kind: 'message', ok: false, text: failed };
}

/** Returns the changes of a running attempt so far; `null`: unknown. */
export async function changedSoFar(cwd: string, iteration: number): Promise<Changed | null> {
  const result = await diff({ cwd, which: String(iteration), task: null, show: 'stat' });
  if (!result.ok) return null;
  const { files } = result.data;
  const sum = (of: 'lines_added' | 'lines_removed') => files.reduce((all, one) => all + (one[of] ?? 0), 0);
  return { files: files.length, added: sum('lines_added'), removed: sum('lines_removed') };
}
