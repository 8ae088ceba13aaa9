import type { GateAnswer, GateMessage, GatePlace, HookContract } from '../domain/agent.ts';
import type { Ruling } from '../domain/review.ts';
import { numberKey } from './hook-gate.ts';
import { fields, maybeRecord, maybeText, readLine, text } from './lenient.ts';

const Message = fields({ kind: text, tool: text, id: maybeText, input: maybeRecord });

/** The gate of an agent with a plug-in of ours. Calls have the same number in the stream. */
export const pluginGate: HookContract = {
  transport: 'plug-in',
  unseenInput: false,
  callKey: numberKey,
  actionKey: numberKey,
  read: readPlugin,
  answer: pluginAnswer,
};

/** What a plug-in of ours says: `{"kind": "ready"}`, or `{"kind": "action", "tool", "id", "input"}`. */
export function readPlugin(message: string): GateMessage {
  const said = readLine(message, Message);
  if (said?.kind === 'ready') return { kind: 'ready' };
  if (said?.kind !== 'action' || said.tool === '' || said.input === null)
    return { kind: 'unknown', request: '' };
  const { id, tool, input } = said;
  return { kind: 'action', request: '', action: { id, tool, input, cwd: null } };
}

/** 0 lets the call happen; anything else denies it with the text as the reason. */
function pluginAnswer(message: GateMessage, ruling: Ruling): GateAnswer {
  if (message.kind === 'unknown') return { text: 'ralph: the message was not understood.', exitCode: 2 };
  return ruling.decision === 'allow' ? { text: '', exitCode: 0 } : { text: ruling.reason, exitCode: 2 };
}

/**
 * The function `ask(message)` of a plug-in, as JavaScript: resolves when the reviewer allows, rejects with the reason
 * when it denies and when nobody answers (`io/gate` has the form).
 */
export function askFunction({ socket, token }: GatePlace): string {
  return `import { connect } from "node:net";

const NOBODY = "ralph: the reviewer did not answer, so this action is denied.";

function ask(message) {
  return new Promise((allow, deny) => {
    const text = Buffer.from(JSON.stringify(message));
    let answer = "";
    const socket = connect(${JSON.stringify(socket)});
    socket.setEncoding("utf8");
    socket.setTimeout(20000, () => socket.destroy());
    socket.on("data", (part) => { answer += part; });
    const over = () => {
      if (answer.startsWith("0 0\\n")) allow();
      else deny(new Error(answer.slice(answer.indexOf("\\n") + 1) || NOBODY));
    };
    socket.on("error", () => deny(new Error(NOBODY)));
    socket.on("end", over);
    socket.on("close", over);
    socket.write(${JSON.stringify(token)} + " " + text.length + "\\n");
    socket.write(text);
  });
}
`;
}

/** The function `freeze(value)` of a plug-in: nobody changes anything in it any more. */
export const FREEZE = `function freeze(value) {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
`;
