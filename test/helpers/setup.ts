import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { removeTree } from '../../src/io/files/remove-tree.ts';
import { isolate } from './isolate.ts';

// What the tests of one file leave goes with them.
const home = isolate();
afterAll(() => {
  try {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The kernel makes folders for layers that an ordinary user may not read.
    removeTree(home);
  }
});
