import { rmSync } from 'node:fs';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { afterAll } from 'vitest';
import { isolate } from './isolate.ts';

// The tests of one file get a home of their own, which is removed with everything that they leave.
const home = isolate();
afterAll(() => {
  try {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The kernel makes folders for layers that an ordinary user may not read, so `removeTree` is needed.
    removeTree(home);
  }
});
