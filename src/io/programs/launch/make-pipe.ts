import { startSync } from '../start/start-program.ts';

/** It takes one; longer than this only on a machine that hangs. */
const LIMIT_MS = 10_000;

/** Makes a named pipe for this user. @throws where there can be none in this folder */
export function makePipe(path: string): void {
  const { status, error, stderr } = startSync('mkfifo', ['-m', '600', path], {
    timeout: LIMIT_MS,
  });
  if (status !== 0) throw error ?? new Error(stderr.trim());
}
