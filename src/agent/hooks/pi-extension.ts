import type { HookPlace } from '../../domain/agent.ts';
import { askFunction, FREEZE } from './plugin-hook.ts';

export const PI_EXTENSION = 'hook.ts';

/**
 * An extension that does not load ends Pi; what a handler of `tool_call` throws blocks the call.
 *
 * What was allowed is what happens: Pi takes `@/x`, `~/x` and `file:///x` for paths elsewhere, so that each path is
 * made a plain one before it is judged; and your extensions, which come later and may change the input of a call, find
 * it frozen: a call that one of them wants to change is blocked. A warning stands behind what the call gives.
 */
export function piExtension(place: HookPlace): string {
  return `${askFunction(place)}
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const WITH_PATH = ["read", "write", "edit", "ls", "find", "grep"];

function plainPath(cwd, path) {
  const named = path.replace(/[\\u00A0\\u2000-\\u200A\\u202F\\u205F\\u3000]/g, " ").replace(/^@/, "");
  const whole = named.replace(/^~(?=\\/|$)/, () => homedir());
  return resolve(cwd, whole.startsWith("file://") ? fileURLToPath(whole) : whole);
}

${FREEZE}
const warnings = new Map();

export default function (pi) {
  pi.on("session_start", async () => {
    await ask({ kind: "ready" }).catch(() => undefined);
  });
  pi.on("tool_call", async ({ toolName, toolCallId, input }, { cwd }) => {
    try {
      if (WITH_PATH.includes(toolName) && typeof input.path === "string") input.path = plainPath(cwd, input.path);
      freeze(input);
      const { warning } = await ask({ kind: "action", tool: toolName, id: toolCallId, input });
      if (warning !== undefined) warnings.set(toolCallId, warning);
    } catch (error) {
      return { block: true, reason: error.message };
    }
  });
  pi.on("tool_result", async ({ toolCallId, content }) => {
    const warning = warnings.get(toolCallId);
    warnings.delete(toolCallId);
    return warning === undefined ? undefined : { content: [...content, { type: "text", text: warning }] };
  });
}
`;
}
