/** @module-tag slow */

import { detectBox } from 'ralph-box';
import { describe, expect, it } from 'vitest';
import { ACTS } from '../helpers/checkout/acts.ts';
import { checkoutTrial } from '../helpers/checkout/trial.ts';
import { BIN } from '../helpers/cli.ts';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';

describe.skipIf(!isWhole)('a checkout is byte for byte what it was, where an agent in the box plays', () => {
  it.each(Object.keys(ACTS))('%s', async (name) => {
    expect((await checkoutTrial(BIN, name)).wrong).toEqual([]);
  });
});
