import { hostname } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { acquireRunLock } from '../../io/store/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Project } from './project.ts';

/** Does something that must not happen beside a run; `holder` is what the lock names: a run, or a command. */
export async function withRunLock<R>(
  { root, store }: Project,
  holder: string,
  work: () => Promise<R>,
): Promise<R | Failure> {
  // The lock lies in the folder, which may not be there yet.
  store.commit(() => []);
  const lock = acquireRunLock(join(root, '.ralph', 'run.lock'), { run: holder, host: hostname() });
  if (!lock.ok) {
    const who =
      lock.holder === null ? 'another process' : `process ${lock.holder.pid} on ${lock.holder.host}`;
    return failure(
      `Another run is active in this repository (${who}). Nothing was changed.`,
      'See it with `ralph status`, or wait for its end.',
      EXIT.locked,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
