import { askedChange } from '../../actions/review/index.ts';
import { gateBefore } from '../../decide/index.ts';
import type { GateDraft } from '../../domain/human/gate.ts';
import type { Task } from '../../domain/task.ts';
import type { Action } from '../../lib/actions/action.ts';
import type { RunPlace } from '../../lib/actions/review.ts';
import type { LoopContext } from '../context.ts';

/** Files of an attempt that are checked together, the newest. */
const MOST_FILES = 40;

/** What an action would take away, for you to decide before it happens; `null`: nothing. */
export type DestructivePreview = (
  action: Action,
) => { readonly draft: GateDraft; readonly signs: string[] } | null;

/**
 * Looks at each write and deletion of an attempt before it happens, beside what those before it made: a test that was
 * moved isn't gone, and one whose code is gone is obsolete. What commands write isn't known before.
 */
export function openDestructivePreview(
  { ports: { store, clock }, config }: LoopContext,
  { task, agent, place }: { readonly task: Task; readonly agent: string; readonly place: RunPlace },
): DestructivePreview {
  /** The files that were asked about, as they were before the first of it. */
  const first = new Map<string, string | null>();
  const top = place.realPath(place.root);
  return (action) => {
    const asked = askedChange(action, place);
    if (asked.length === 0) return null;
    for (const { path, before } of asked) if (!first.has(path)) first.set(path, before);
    const own = new Map(asked.map(({ path, after }) => [path, after]));
    const newest = [...first].slice(-MOST_FILES).filter(([path]) => !own.has(path));
    const others = newest.map(([path, before]) => ({
      ...{ path, before, after: place.textSince(`${top}/${path}`, 0) },
    }));
    const files = [...own].map(([path, after]) => ({ path, before: first.get(path) ?? null, after }));
    const at = clock.now();
    return gateBefore(
      { task, agent, at, files: [...files, ...others], own: [...own.keys()] },
      store.state.human,
      config.human.gates,
    );
  };
}
