import { start, startSync } from 'ralph-kit/programs/start/start-program';
import { takeSignals } from 'ralph-kit/take-signals';

/**
 * Shows text on the terminal in the pager of your environment or of your git settings, as git does. The
 * repository's own git settings don't count: an agent may have written them.
 */
export async function showInPager(text: string): Promise<void> {
  const pager = pagerOf();
  if (pager === '' || pager === 'cat' || process.env.TERM === 'dumb') {
    process.stdout.write(text);
    return;
  }
  const child = start('/bin/sh', ['-c', pager], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...process.env },
  });
  // You may leave the pager before it has read all of the text.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(text);
  // Ctrl-C is for the pager while it is open, so ralph ignores it.
  const giveBack = takeSignals(['SIGINT'], () => undefined);
  const failed = await new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(true));
    child.on('close', (code) => resolve(code === 127 || code === 126));
  });
  giveBack();
  if (failed) process.stdout.write(text);
}

function pagerOf(): string {
  const { GIT_PAGER: own, PAGER: usual = 'less' } = process.env;
  if (own !== undefined) return own;
  const found = startSync('git', ['var', 'GIT_PAGER'], { cwd: '/' });
  return found.status === 0 ? found.stdout.trim() : usual;
}
