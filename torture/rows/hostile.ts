import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Attack, AttackResult } from '../hostile/attack.ts';
import { ATTACKS } from '../hostile/attacks/index.ts';
import { BOX_HOLDS } from '../hostile/box-holds.ts';
import { boxProblem, type Lab, openLab } from '../hostile/harness.ts';
import { measured, type Row } from '../row.ts';

export const hostile: Row = {
  id: 'hostile',
  what: 'attacks of docs/internals/attacks.md, each with its protection and without it; what writes, deletes or signals also in the box',
  target: 'none succeeds with it, each succeeds without it',
  run: async ({ progress, root, attack: only }) => {
    const problem = boxProblem();
    if (problem !== null) return { kind: 'not_run', reason: problem };
    const wanted = only?.split(',') ?? null;
    const unknown = wanted?.filter((one) => !ATTACKS.some((attack) => isNamed(attack, one))) ?? [];
    if (unknown.length > 0) return { kind: 'not_run', reason: `there is no attack ${unknown.join(', ')}` };
    const attacks = ATTACKS.filter((attack) => wanted?.some((one) => isNamed(attack, one)) ?? true);
    const lab = openLab(root, dirname(process.argv[1] ?? ''));
    const failures: string[] = [];
    const left = [...attacks];
    const worker = async (): Promise<void> => {
      for (let attack = left.shift(); attack !== undefined; attack = left.shift()) {
        progress(attacks.length - left.length, attacks.length, `${attack.name}, ${failures.length} findings`);
        failures.push(...(await judge(lab, attack, wanted !== null)));
      }
    };
    // Each attack has a box of its own.
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
    return measured(attacks.length, `${failures.length} findings`, failures);
  },
};

function isNamed({ name, point }: Attack, wanted: string): boolean {
  return name === wanted || String(point) === wanted;
}

async function judge(lab: Lab, attack: Attack, isShown: boolean): Promise<string[]> {
  const name = `${attack.point} ${attack.name}`;
  const show = (side: string, { kind, note }: AttackResult) =>
    isShown && process.stdout.write(`${name}, ${side}: ${kind}\n  ${note.trim().replaceAll('\n', '\n  ')}\n`);
  try {
    const mode = attack.needsBox === true ? 'require' : 'off';
    const whole = await lab.play(attack, lab.whole, mode);
    show('with its protection', whole);
    const without = await lab.lacking(attack.without);
    const lacking = await lab.play(attack, without, mode);
    show('without it', lacking);
    const boxed = BOX_HOLDS.has(attack.name) ? await lab.play(attack, without, 'require') : null;
    if (boxed !== null) show('without it, in the box', boxed);
    return [
      ...(whole.kind === 'broken' ? [`${name}: succeeded: ${whole.note}`] : []),
      ...(lacking.kind === 'held' ? [`${name}: failed without its protection, too: ${lacking.note}`] : []),
      ...(boxed?.kind === 'broken' ? [`${name}: succeeded in the box: ${boxed.note}`] : []),
    ];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
