import type { Runner } from '../runner.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { nodeTest } from './node-test.ts';
import { vitest } from './vitest.ts';

export const NODE: readonly Runner[] = [vitest, jest, mocha, nodeTest];
