import { start } from './start-program.ts';

/** Programs' texts about themselves are shorter; in characters. */
const LONGEST = 64 * 1024;

/**
 * Returns standard output; empty on failure or delay. execa would wait for grandchildren that hold it. The caller has
 * checked that agents can't write to the program: it starts in no repository, not even one that is your home folder.
 */
export function printedBy(path: string, args: readonly string[], limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const child = start(path, args, { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    const stop = () => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
    };
    const timer = setTimeout(stop, limitMs);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.length > LONGEST) stop();
    });
    child.once('error', () => resolve(''));
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? printed : '');
    });
  });
}
