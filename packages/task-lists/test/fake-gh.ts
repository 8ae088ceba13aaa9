import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Puts a program called `gh` first on the PATH; it notes its arguments and input, then does as the script says. */
export function fakeGh(script: string): { readonly root: string; readonly calls: () => string } {
  const root = mkdtempSync(join(tmpdir(), 'gh-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const log = join(root, 'calls.log');
  const program = `#!/bin/sh\nprintf '%s|' "$@" >> '${log}'\ncat >> '${log}'\nprintf '\\n' >> '${log}'\n${script}\n`;
  writeFileSync(join(bin, 'gh'), program);
  chmodSync(join(bin, 'gh'), 0o755);
  usePath([bin, process.env.PATH ?? ''].join(delimiter));
  return { root, calls: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}

export function usePath(path: string): void {
  const before = process.env.PATH;
  process.env.PATH = path;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}
