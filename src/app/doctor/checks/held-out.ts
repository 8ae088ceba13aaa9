import { gateSpecs } from '../../../config/index.ts';
import type { GateSpec } from '../../../domain/gate.ts';
import { boxStatusOf } from '../../setup/box.ts';
import { heldOutProblem, withHeldOutPlaces } from '../../setup/held-out.ts';
import { check, error, ok, warning } from '../check.ts';
import type { Scene } from '../scene.ts';

type Held = {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly gates: readonly Pick<GateSpec, 'name' | 'heldOut'>[];
  readonly isBoxed: boolean;
};

export const heldOutCheck = check({
  gather: async ({ gates, isBoxed, ...place }: Held) => {
    const held = gates.flatMap(({ name, heldOut }) => (heldOut === null ? [] : [{ name, path: heldOut }]));
    const problems = await Promise.all(held.map(({ path }) => heldOutProblem(path, place)));
    return { isBoxed, held: held.map((one, index) => ({ ...one, problem: problems[index] ?? null })) };
  },
  judge: ({ isBoxed, held }) => {
    const id = 'gates.held_out';
    const wrong = held.flatMap(({ name, path, problem }) =>
      problem === null ? [] : [error(id, `held_out of gate ${name}`, `${path} ${problem}`, FIX)],
    );
    if (wrong.length > 0 || held.length === 0) return wrong;
    const names = held.map(({ name }) => name).join(', ');
    if (isBoxed) return [ok(id, 'held out from agents', names)];
    const detail = `there is no box, so agents can read what ${names} ${held.length === 1 ? 'is' : 'are'} run with, and that shows less`;
    return [warning(id, 'nothing is held out', detail, 'ralph doctor says what the box needs.')];
  },
});

const FIX = 'Change held_out in .ralph/ralph.toml. docs/PROOF.md, Held-out gates.';

/** Checks held-out gates for `ralph doctor`, which opens no project. */
export const heldOutInScene = check({
  gather: ({ located, root, config }: Scene) => {
    if (!located.ok) return { isBoxed: false, held: [] };
    const { gitDir, commonDir } = located.tree;
    const isBoxed = config.box.mode !== 'off' && boxStatusOf({ root }).kind === 'on';
    const gates = withHeldOutPlaces(gateSpecs(config), root);
    return heldOutCheck.gather({ root, gitDir, commonDir, isBoxed, gates });
  },
  judge: heldOutCheck.judge,
});
