import { join } from 'node:path';
import { commandTrials } from '../../test/helpers/damage/command-trials.ts';
import { fileTargets, projectTargets } from '../../test/helpers/damage/project-targets.ts';
import { storeTargets } from '../../test/helpers/damage/store-targets.ts';
import { damageTrials } from '../../test/helpers/damage/target.ts';
import { measured, type Row } from '../row.ts';

export const damage: Row = {
  id: 'damage',
  what: 'damaged versions of each file that ralph reads',
  target: 'never a crash, never a silent reset',
  run: async ({ size, progress, random, root }) => {
    const each = size(1000);
    const targets = [...storeTargets(), ...fileTargets(), ...projectTargets(join(root, 'bin', 'ralph.js'))];
    const failures: string[] = [];
    for (const [index, target] of targets.entries()) {
      progress(index, targets.length, `${target.file}, ${failures.length} findings`);
      failures.push(...(await damageTrials(target, each, random)));
    }
    const what = `${targets.length} readings of files × ${each}: ${failures.length} findings`;
    return measured(targets.length * each, what, grouped(failures));
  },
};

export const damageCommands: Row = {
  id: 'damage-commands',
  what: 'damaged files and the built program, a file and a command at random',
  target: 'never a crash, never a hang',
  run: async ({ size, progress, random, root }) => {
    const trials = size(500);
    const failures = commandTrials(join(root, 'bin', 'ralph.js'), trials, random, (done, wrong) =>
      progress(done, trials, `${wrong} findings`),
    );
    return measured(trials, `${failures.length} findings`, grouped(failures));
  },
};

/** Returns each problem once for each kind of damage, with its count; the first one is described in full. */
function grouped(failures: readonly string[]): string[] {
  const groups = new Map<string, { first: string; count: number }>();
  for (const failure of failures) {
    const kind = failure
      .replace(/, version \d+/, '')
      .replace(/\/\S+/g, '')
      .slice(0, 90);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, { first: failure, count: 1 });
    else group.count += 1;
  }
  return [...groups.values()].map(({ first, count }) => (count === 1 ? first : `${count} times: ${first}`));
}
