import { expect, it } from 'vitest';
import { reinforcement } from '../../../src/prompt/index.ts';
import { PROFILE } from './inputs.ts';

const NO_FILES = { which: 'no_files', count: 3, threshold: 3, window: 5 } as const;
const FALSE_COMPLETION = { which: 'false_completion', count: 2, threshold: 2, window: 4 } as const;

it('is empty while no threshold is exceeded', () => {
  expect(reinforcement(PROFILE, [], false)).toBe('');
});

it('names each threshold with its facts and orders a write first', () => {
  const text = reinforcement(PROFILE, [NO_FILES, FALSE_COMPLETION], false);
  expect(text).toContain('In 3 of your last 5 iterations you wrote NO FILES.');
  expect(text).toContain('In 2 of your last 4 iterations you claimed a completion that was FALSE.');
  expect(text).toContain('Your FIRST action is a call of your write or edit tool');
});

it('orders to read first where earlier attempts left work', () => {
  const text = reinforcement(PROFILE, [NO_FILES], true);
  expect(text).toContain('Read the files that earlier attempts changed');
  expect(text).not.toContain('FIRST action');
});
