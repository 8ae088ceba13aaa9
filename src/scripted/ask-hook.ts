import { connect } from 'node:net';
import { SCRIPTED_HOOK } from '../domain/scenario.ts';

const NOBODY = 'the reviewer did not answer';

/** Asks whether an action may happen; `null` when it may, or when there is no gate, else the reason why not. */
export async function askHook(message: Readonly<Record<string, unknown>>): Promise<string | null> {
  const socket = process.env[SCRIPTED_HOOK.socket];
  const token = process.env[SCRIPTED_HOOK.token] ?? '';
  if (socket === undefined) return null;
  const text = Buffer.from(JSON.stringify(message));
  return new Promise((resolve) => {
    let answer = '';
    const connection = connect(socket);
    connection.setEncoding('utf8');
    connection.on('data', (part) => {
      answer += part;
    });
    connection.on('error', () => resolve(NOBODY));
    connection.on('close', () => {
      const line = answer.indexOf('\n');
      resolve(answer.slice(0, line) === '0 0' ? null : answer.slice(line + 1) || NOBODY);
    });
    connection.write(`${token} ${text.length}\n`);
    connection.write(text);
  });
}
