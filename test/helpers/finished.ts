import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Resolves with how a process ended, once all of its output is read. Rejects if it couldn't be started. */
export function finishedOf(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
}
