import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds dist/ once before the suite, because the end-to-end tests run the program that users get. */
export default function buildOnce(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['scripts/build.mjs', '--unless-built'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
