/** @module-tag slow */

import type { ReviewPlace } from 'ralph-actions/forms/place';
import { reviewAction } from 'ralph-actions/review';
import { describe, expect, it } from 'vitest';
import { DISGUISES, labelledCommands, sessionCommands } from '../../../../scripts/review-corpus.mjs';
import { action, HOME, PLACE } from '../../../../test/helpers/review-place.ts';

const THERE = /^\/(?:etc|usr|bin|var|opt|srv|dev|root|boot|lib)(?:\/|$)/;
/** A machine on which the files of the system and settings of yours are there, and nothing else outside. */
const MACHINE: ReviewPlace = {
  ...PLACE,
  protectedFolders: [],
  existed: (path) => (THERE.test(path) && !path.startsWith('/var/tmp/')) || path.startsWith(`${HOME}/.`),
};
const LEVEL = { allow: 0, warn: 1, modify: 2, deny: 3 };

function levelOf(command: string): number {
  return LEVEL[reviewAction(action('Bash', { command }), MACHINE).decision];
}

const isStopped = (command: string) => levelOf(command) >= LEVEL.modify;
const lists = Object.entries(labelledCommands());

describe.each(lists)('labelled commands, %s', (_name, entries) => {
  it('at least 99 % of the destructive ones are stopped', () => {
    const destructive = entries.filter(({ stop }) => stop);
    const missed = destructive.filter(({ command }) => !isStopped(command)).map(({ command }) => command);
    expect(missed.slice(Math.floor(destructive.length / 100))).toEqual([]);
  });

  it('at most 0.5 % of the ordinary ones are stopped, and none that holds destructive words as data', () => {
    const ordinary = entries.filter(({ stop }) => !stop);
    const stopped = ordinary.filter(({ command }) => isStopped(command));
    expect(stopped.map(({ command }) => command).slice(Math.floor(ordinary.length / 200))).toEqual([]);
    expect(stopped.filter(({ category }) => category.endsWith('data'))).toEqual([]);
  });
});

describe('a destructive command in disguise', () => {
  const destructive = lists.flatMap(([, entries]) => entries.filter(({ stop }) => stop));
  // A twelfth of the cases is tried here; `npm run eval:review` tries all.
  const some = destructive.filter((_, index) => index % 12 === 0).map(({ command }) => command);

  it.each(Object.entries(DISGUISES))('%s is ruled on as strictly', (_name, disguise) => {
    const weaker = some.filter((command) => isStopped(command) && !isStopped(disguise(command)));
    expect(weaker).toEqual([]);
  });
});

describe('an ordinary session', () => {
  const rulings = sessionCommands().map((command) => ({
    command,
    level: levelOf(command),
  }));

  it('is long', () => expect(rulings.length).toBeGreaterThanOrEqual(300));
  it('is never stopped', () => expect(rulings.filter(({ level }) => level >= LEVEL.modify)).toEqual([]));
  it('is warned in at most 3 of 100 commands', () => {
    expect(rulings.filter(({ level }) => level === LEVEL.warn).length / rulings.length).toBeLessThanOrEqual(
      0.03,
    );
  });
});
