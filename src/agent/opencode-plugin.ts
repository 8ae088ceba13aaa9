import type { GatePlace } from '../domain/agent.ts';
import { askFunction, FREEZE } from './plugin-gate.ts';

export const OPENCODE_PLUGIN = 'gate.mjs';

/**
 * A plug-in that throws at its start is left out in silence, so it never does: without a reviewer each call is denied.
 * A wait for the service, which its stream says nothing of, is told.
 * What was allowed is what happens: another plug-in that wants to change the call finds it frozen, which blocks it.
 */
export function opencodePlugin(place: GatePlace): string {
  return `${askFunction(place)}
${FREEZE}
export const RalphGate = async () => {
  await ask({ kind: "ready" }).catch(() => undefined);
  return {
    event: async ({ event }) => {
      const { status } = event.properties ?? {};
      if (event.type !== "session.status" || status?.type !== "retry") return;
      const wait = { kind: "waits", text: String(status.message), now: Date.now(), until: status.next };
      await ask(wait).catch(() => undefined);
    },
    "tool.execute.before": async (call, output) => {
      freeze(output);
      await ask({ kind: "action", tool: call.tool, id: call.callID, input: output.args });
    },
  };
};
`;
}
