import { inWorkspace } from '../../src/app/setup/workspace.ts';
import { requestFrom } from '../../src/decide/index.ts';
import { type GateDraft, type GateFacts, NO_GATE_FACTS } from '../../src/domain/human/gate.ts';

/** Lets a task wait at a human gate, as an iteration with findings does. */
export async function openGate(
  cwd: string,
  gate: GateDraft['gate'],
  facts: Partial<GateFacts> & { readonly taskId: string },
): Promise<void> {
  const result = await inWorkspace({ cwd }, ({ store, config }) => {
    const at = new Date().toISOString();
    const triggers = [{ gate, name: 'tests_removed' as const, text: '2 tests removed' }];
    const draft = { gate, facts: { ...NO_GATE_FACTS, detectedAt: at, ...facts }, triggers, action: null };
    const opening = { draft, at, run: 'r-1', iteration: 1, gates: config.human.gates };
    store.commit(({ human }) => [{ type: 'human_gate_opened', request: requestFrom(opening, human) }]);
    store.writeViews();
    return { ok: true as const };
  });
  if (!result.ok) throw new Error(result.message);
}
