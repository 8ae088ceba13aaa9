import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/helpers/repository.ts';

it('nothing is written where a repository was replaced by a link, until it is back', () => {
  const [root, userFolder] = [join(temporaryFolder(), 'repository'), temporaryFolder()];
  mkdirSync(root);
  const write = () => {
    proveFolder(join(root, '.ralph'), 0o777);
    writeFileSync(join(root, '.ralph', 'x'), 'x');
  };
  write();
  renameSync(root, `${root}-moved`);
  symlinkSync(userFolder, root);
  expect(write).toThrow(
    `${root} is a link to ${userFolder} and not the folder that it was when ralph started.`,
  );
  expect(existsSync(join(userFolder, '.ralph'))).toBe(false);
  rmSync(root);
  renameSync(`${root}-moved`, root);
  expect(write).not.toThrow();
});
