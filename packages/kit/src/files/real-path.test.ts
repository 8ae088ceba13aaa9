import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realPathOf } from 'ralph-kit/files/real-path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/helpers/repository.ts';

const top = realpathSync(temporaryFolder());
mkdirSync(join(top, 'folder/inner'), { recursive: true });
writeFileSync(join(top, 'file'), '');
symlinkSync('folder', join(top, 'link'));
symlinkSync('link/inner', join(top, 'link-to-link'));
symlinkSync('nowhere', join(top, 'dangling'));
symlinkSync('round', join(top, 'round'));

describe('a real path', () => {
  it.each([
    ['folder/inner', 'folder/inner'],
    ['folder/../file', 'file'],
    ['link', 'folder'],
    ['link/inner', 'folder/inner'],
    ['link-to-link', 'folder/inner'],
    ['link/new', 'folder/new'],
    ['link-to-link/new/newer', 'folder/inner/new/newer'],
    ['dangling', 'nowhere'],
    ['dangling/below', 'nowhere/below'],
    ['round', 'round'],
    ['round/below', 'round/below'],
    ['file/below', 'file/below'],
    ['nothing/at/all', 'nothing/at/all'],
    [`folder/${'x'.repeat(300)}/y`, `folder/${'x'.repeat(300)}/y`],
    [`folder/${'a/'.repeat(5000)}b`, `folder/${'a/'.repeat(5000)}b`],
  ])('of %s is known as far as there is something', (path, expected) => {
    expect(realPathOf(join(top, path))).toBe(join(top, expected));
  });

  it('of the top is the top', () => expect(realPathOf('/')).toBe('/'));
});
