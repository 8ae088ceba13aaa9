import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { calledAs } from '../../../src/app/called-as.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('names the program that was started only where ralph is not on the PATH and a text names a command of it', () => {
  const folder = temporaryFolder();
  vi.stubEnv('PATH', `/nowhere:${folder}`);
  expect(calledAs('Next: ralph run')).toBe("ralph isn't on your PATH. Type in its place: node bin/ralph.js");
  expect(calledAs('All is well.')).toBe('');
  const program = join(folder, 'ralph');
  writeFileSync(program, '');
  expect(calledAs('Next: ralph --help')).not.toBe('');
  chmodSync(program, 0o755);
  expect(calledAs('Next: ralph run')).toBe('');
});
