import { expect, it } from 'vitest';
import { ofCheckoutText } from '../../../src/proof/gates/index.ts';

const environments = [{ file: '/envs/p/lib/python3.11/site-packages/p.pth' }];

it.each([
  [
    [{ name: 'test', box: true }],
    'Gate "test" tests your checkout, and not the work: what it imports is found by /envs/p/lib/python3.11/site-packages/p.pth, and the work lies in another folder. Install into an environment in the repository that git ignores (python3 -m venv .venv), or run it in the box (why it is off: ralph doctor).',
  ],
  [
    [
      { name: 'test', box: false },
      { name: 'more', box: false },
    ],
    'Gates "test", "more" test your checkout, and not the work: what they import is found by /envs/p/lib/python3.11/site-packages/p.pth, and the work lies in another folder. Install into an environment in the repository that git ignores (python3 -m venv .venv), or run them without box = false for them.',
  ],
])('%j: names what leads to the checkout, and what helps', (gates, text) => {
  expect(ofCheckoutText({ gates, environments })).toBe(text);
});
