import type { HookPlace } from '../../domain/agent.ts';
import { askFunction, FREEZE } from './plugin-hook.ts';

export const OPENCODE_PLUGIN = 'hook.mjs';

/**
 * A plug-in that throws at its start is skipped silently, so it never does: without a reviewer each call is denied.
 * The model and a wait for the service, which its stream doesn't report, are reported.
 * What was allowed is what happens: another plug-in that wants to change the call finds it frozen, which blocks it.
 * A warning stands behind what the call gives.
 */
export function opencodePlugin(place: HookPlace): string {
  return `${askFunction(place)}
${FREEZE}
export const RalphHook = async () => {
  await ask({ kind: "ready" }).catch(() => undefined);
  let model;
  const warnings = new Map();
  return {
    event: async ({ event }) => {
      const { status, info } = event.properties ?? {};
      if (event.type === "message.updated" && info?.role === "assistant" && info.modelID !== model) {
        model = info.modelID;
        await ask({ kind: "model", text: info.providerID + "/" + info.modelID }).catch(() => undefined);
      }
      if (event.type !== "session.status" || status?.type !== "retry") return;
      const wait = { kind: "waits", text: String(status.message), now: Date.now(), until: status.next };
      await ask(wait).catch(() => undefined);
    },
    "tool.execute.before": async (call, { args }) => {
      const asked = JSON.stringify(args);
      const { input, warning } = await ask({ kind: "action", tool: call.tool, id: call.callID, input: args });
      if (JSON.stringify(args) !== asked) throw new Error("ralph: the call was changed while it was reviewed.");
      if (input !== undefined) {
        for (const name of Object.keys(args)) delete args[name];
        Object.assign(args, input);
      }
      freeze(args);
      if (warning !== undefined) warnings.set(call.callID, warning);
    },
    "tool.execute.after": async ({ callID }, result) => {
      const warning = warnings.get(callID);
      warnings.delete(callID);
      if (warning !== undefined && typeof result?.output === "string") result.output += "\\n\\n" + warning;
    },
  };
};
`;
}
