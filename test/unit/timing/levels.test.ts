import { describe, expect, it } from 'vitest';
import { levelsOf } from '../../../src/decide/timing/index.ts';
import { settingsOf } from './settings.ts';

describe('levelsOf', () => {
  it('takes what the user says of a built-in level, and leaves the rest as it is', () => {
    const levels = levelsOf(
      settingsOf({ complexity: { ui_heavy: { multiplier: 4 }, simple: { keywords: ['x'] } } }),
    );
    expect(levels.find(({ name }) => name === 'ui_heavy')).toMatchObject({
      baseSeconds: 600,
      multiplier: 4,
      personal: false,
    });
    expect(levels.find(({ name }) => name === 'simple')).toMatchObject({
      baseSeconds: 60,
      keywords: ['x'],
      personal: true,
    });
  });

  it('puts own levels last, in the order of the file; what they leave unsaid is as in medium', () => {
    const complexity = {
      research: { multiplier: 5, base_timeout: '20m' },
      medium: { base_timeout: 200 },
      chores: { keywords: ['chore'] },
    };
    const levels = levelsOf(settingsOf({ complexity }));
    expect(levels.map(({ name }) => name)).toEqual([
      'simple',
      'medium',
      'complex',
      'ui_heavy',
      'research',
      'chores',
    ]);
    expect(levels[4]).toMatchObject({ baseSeconds: 1200, multiplier: 5, keywords: [] });
    expect(levels[5]).toMatchObject({ baseSeconds: 200, multiplier: 1.5, keywords: ['chore'] });
  });
});
