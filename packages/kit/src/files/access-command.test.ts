import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accessCommand } from './access-command.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['itself', 'list.md'],
  ['nothing', 'gone.md'],
])('a link to %s is moved away', (_, target) => {
  const path = join(folder, 'list.md');
  symlinkSync(join(folder, target), path);
  expect(accessCommand(path, 'read')).toBe(`mv ${path} ${path}.old`);
});

it('below a link to itself, the link is moved away', () => {
  const link = join(folder, 'lists');
  symlinkSync(link, link);
  expect(accessCommand(join(link, 'list.md'), 'read')).toBe(`mv ${link} ${link}.old`);
});
