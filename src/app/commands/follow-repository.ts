import { followChanges } from '../records/follow-changes.ts';
import { isSetUp, openWatch, type Watched } from './watch.ts';

/** Reading a repository takes at most 1/4 of the time, however long one read takes. */
const READ_SHARE = 4;

/** Content of a repository, or why there is none; both `null`: not read yet. `not_set_up`: it has no `.ralph/`. */
export type RepositoryRead =
  | { readonly data: Watched; readonly problem: null }
  | { readonly data: null; readonly problem: string | null };

export const NOT_SET_UP = 'not_set_up';

export type RepositoryReader = ReturnType<typeof openReader>;

/** Returns a reader of a repository, which reads again at changes as long as someone follows it. */
export function openReader(dir: string) {
  const watch = openWatch({ cwd: dir, onNotice: () => undefined });
  const followers = new Set<(read: RepositoryRead) => void>();
  let latest: RepositoryRead = { data: null, problem: null };
  let stamp: string | null = null;
  let reading: Promise<void> | null = null;
  let isAsked = false;
  let notBefore = 0;
  let stop: (() => void) | null = null;

  async function readOnce(): Promise<RepositoryRead> {
    if (!(await isSetUp(dir))) return { data: null, problem: NOT_SET_UP };
    const result = await watch.read();
    if (result.ok) return { data: result.data, problem: null };
    const next = result.next === null ? '' : ` Next: ${result.next}`;
    return { data: null, problem: `${result.message}${next}` };
  }

  async function readAll(): Promise<void> {
    do {
      isAsked = false;
      const begun = performance.now();
      stamp = watch.stamp();
      latest = await readOnce();
      for (const onRead of followers) onRead(latest);
      notBefore = performance.now() + (performance.now() - begun) * READ_SHARE;
    } while (isAsked);
  }

  /** Reads what is there now; a call during a read waits for another one. */
  async function read(): Promise<RepositoryRead> {
    isAsked = true;
    reading ??= readAll().finally(() => {
      reading = null;
    });
    await reading;
    return latest;
  }

  function look(): void {
    const isDue = stamp === null || (performance.now() >= notBefore && watch.stamp() !== stamp);
    if ((isDue || latest.problem !== null) && reading === null) void read();
  }

  return {
    read,
    latest: () => latest,
    /** Calls `onRead` after each read. Returns a function to stop. */
    follow: (onRead: (read: RepositoryRead) => void): (() => void) => {
      followers.add(onRead);
      stop ??= followChanges(dir, look);
      look();
      return () => {
        followers.delete(onRead);
        if (followers.size > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}
