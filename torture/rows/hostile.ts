import { dirname } from 'node:path';
import type { Attack } from '../hostile/attack.ts';
import { ATTACKS } from '../hostile/attacks/index.ts';
import { boxProblem, type Lab, openLab } from '../hostile/harness.ts';
import { measured, type Row } from '../row.ts';

export const hostile: Row = {
  id: 'hostile',
  what: 'attacks of docs/THREAT_MODEL.md, each with its protection and without it',
  target: 'none succeeds with it, each succeeds without it',
  run: async ({ progress, root, attack: only }) => {
    const problem = boxProblem();
    if (problem !== null) return { kind: 'not_run', reason: problem };
    const attacks = ATTACKS.filter(
      ({ name, point }) => only === null || name === only || String(point) === only,
    );
    if (attacks.length === 0) return { kind: 'not_run', reason: `there is no attack ${only}` };
    const lab = openLab(root, dirname(process.argv[1] ?? ''));
    const failures: string[] = [];
    for (const [index, attack] of attacks.entries()) {
      progress(index, attacks.length, `${attack.name}, ${failures.length} findings`);
      failures.push(...(await judge(lab, attack)));
    }
    return measured(attacks.length, `${failures.length} findings`, failures);
  },
};

async function judge(lab: Lab, attack: Attack): Promise<string[]> {
  const name = `${attack.point} ${attack.name}`;
  try {
    const whole = await lab.play(attack, lab.whole);
    const lacking = await lab.play(attack, lab.lacking(attack.without));
    return [
      ...(whole.kind === 'broken' ? [`${name}: succeeded: ${whole.note}`] : []),
      ...(lacking.kind === 'held' ? [`${name}: failed without its protection, too: ${lacking.note}`] : []),
    ];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
