import type { Action } from 'ralph-kit/actions/action';
import { match } from 'ralph-kit/match';
import type { ToolCall } from '../action.ts';
import { type HookPlace, inForce, NO_ANSWER, type SocketHook } from '../hook.ts';
import { fields, maybeObject, maybeText, readLine, text } from '../lenient.ts';
import { HOOK_WAITS_SECONDS, NOT_UNDERSTOOD, numberKey } from './hook-forms.ts';

const Message = fields({ kind: text, tool: text, id: maybeText, input: maybeObject });

/**
 * Returns the hook of an agent with ralph's plug-in; calls have the stream's numbers. The plug-in sends `{"kind":
 * "ready"}` or `{"kind": "action", "tool", "id", "input"}`. Exit code 0 allows: its text may have replacement
 * parameters (`input`) and an addition to the result (`warning`). Other codes deny with a reason.
 * @param modify Whether the plug-in can replace parameters.
 */
export function pluginHook(actionOf: (call: ToolCall) => Action, modify: boolean): SocketHook {
  const can = { warn: true, modify };
  return {
    transport: 'plug-in',
    unseenInput: false,
    key: numberKey,
    can,
    waitsSeconds: HOOK_WAITS_SECONDS,
    read: (line) => {
      const message = readLine(line, Message);
      if (message?.kind === 'ready') return { kind: 'ready' };
      if (message?.kind !== 'action' || message.tool === '' || message.input === null)
        return { kind: 'unknown', request: '' };
      const { id, tool, input } = message;
      return { kind: 'action', request: '', action: actionOf({ id, tool, input, cwd: null }) };
    },
    answer: (message, ruling) => {
      if (message.kind === 'unknown') return { text: NOT_UNDERSTOOD, exitCode: 2 };
      return match(inForce(ruling, can), 'decision', {
        allow: () => ({ text: '', exitCode: 0 }),
        modify: ({ input }) => ({ text: JSON.stringify({ input }), exitCode: 0 }),
        warn: ({ reason }) => ({ text: JSON.stringify({ warning: reason }), exitCode: 0 }),
        deny: ({ reason }) => ({ text: reason, exitCode: 2 }),
      });
    },
  };
}

/**
 * Source of the JavaScript function `ask(message)`, which resolves if allowed, and rejects with the reason of a denial
 * or a bad answer (`io/hook`).
 */
export function askFunction({ socket, token }: HookPlace): string {
  return `import { connect } from "node:net";

const NO_ANSWER = ${JSON.stringify(NO_ANSWER)};

async function ask(message) {
  const text = await answerTo(message);
  return text === "" ? {} : JSON.parse(text);
}

function answerTo(message) {
  return new Promise((allow, deny) => {
    const text = Buffer.from(JSON.stringify(message));
    let answer = "";
    const socket = connect(${JSON.stringify(socket)});
    socket.setEncoding("utf8");
    socket.setTimeout(20000, () => socket.destroy());
    socket.on("data", (part) => { answer += part; });
    const over = () => {
      const [, length, text] = /^0 ([0-9]+)\\n([^]*)$/.exec(answer) ?? [];
      if (length !== undefined && Buffer.byteLength(text) === Number(length)) allow(text);
      else deny(new Error(answer.slice(answer.indexOf("\\n") + 1) || NO_ANSWER));
    };
    socket.on("error", () => deny(new Error(NO_ANSWER)));
    socket.on("end", over);
    socket.on("close", over);
    socket.write(${JSON.stringify(token)} + " " + text.length + "\\n");
    socket.write(text);
  });
}
`;
}

/** Source of the JavaScript function `freeze(value)` of a plug-in, which freezes deeply. */
export const FREEZE = `function freeze(value) {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
`;
