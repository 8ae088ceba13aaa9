import type { RunPlace } from 'ralph-actions/forms/place';
import { askedChange } from 'ralph-actions/review';
import type { Action } from 'ralph-kit/actions/action';
import { gateBefore } from '../../decide/index.ts';
import type { GateDraft } from '../../domain/human/gate.ts';
import type { Task } from '../../domain/task.ts';
import type { LoopContext } from '../context.ts';

/** Number of files of an attempt that are checked together: the newest ones. */
const MOST_FILES = 40;

/** Returns what an action would destroy, for you to decide before it happens; `null`: nothing. */
export type DestructivePreview = (
  action: Action,
) => { readonly draft: GateDraft; readonly signs: string[] } | null;

/**
 * Opens the preview of destructive actions. Earlier actions count: a moved test isn't lost, and a test whose code is
 * gone isn't needed. Writes by commands can't be foreseen.
 */
export function openDestructivePreview(
  { ports: { store, clock }, config }: LoopContext,
  { task, agent, place }: { readonly task: Task; readonly agent: string; readonly place: RunPlace },
): DestructivePreview {
  /** Content of each file before the first action on it. */
  const first = new Map<string, string | null>();
  const top = place.realPath(place.root);
  return (action) => {
    const asked = askedChange(action, place);
    if (asked.length === 0) return null;
    for (const { path, before } of asked) if (!first.has(path)) first.set(path, before);
    const own = new Map(asked.map(({ path, after }) => [path, after]));
    const newest = [...first].slice(-MOST_FILES).filter(([path]) => !own.has(path));
    const others = newest.map(([path, before]) => ({
      path,
      before,
      after: place.textSince(`${top}/${path}`, 0),
    }));
    const files = [...own].map(([path, after]) => ({ path, before: first.get(path) ?? null, after }));
    const at = clock.now();
    return gateBefore(
      { task, agent, at, files: [...files, ...others], ownPaths: [...own.keys()] },
      store.state.human,
      config.human.gates,
    );
  };
}
