import type { Runner } from '../runner.ts';
import { ava } from './ava.ts';
import { brittle } from './brittle.ts';
import { bun } from './bun.ts';
import { cucumber } from './cucumber.ts';
import { deno } from './deno.ts';
import { jasmine } from './jasmine.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { nodeTap } from './node-tap.ts';
import { nodeTest } from './node-test.ts';
import { playwright } from './playwright.ts';
import { poku } from './poku.ts';
import { qunit } from './qunit.ts';
import { tape } from './tape.ts';
import { tstyche } from './tstyche.ts';
import { uvu } from './uvu.ts';
import { vitest } from './vitest.ts';

export const NODE: readonly Runner[] = [
  ...[vitest, tstyche, jest, mocha, ava, uvu, jasmine, bun, deno, playwright, cucumber, poku],
  ...[nodeTest, tape, qunit, brittle, nodeTap],
];
