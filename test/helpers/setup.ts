import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { isolate } from './isolate.ts';

// What the tests of one file leave goes with them.
const home = isolate();
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
