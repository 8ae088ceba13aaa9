import { type Place, questionsAt } from './ask.ts';

/** Returns a text on what serving at an address other than loopback means, and on the two other ways. */
export function inClearText(listen: string): string {
  return `At ${listen}, all of the page travels in clear: tasks, output, your answers, and the cookie by which others could decide for you.`;
}

const WAYS = `Two ways without that:
  an SSH tunnel      ssh -L 8080:127.0.0.1:8080 THIS-MACHINE, with ralph page --port 8080 here
  your own TLS proxy ralph page --port 8080 --origin https://YOUR-NAME; the cookie is for TLS alone then
`;

/** Asks whether to serve the page at this address; anything but a yes is a no. */
export async function askToListen(listen: string, place: Place): Promise<boolean> {
  place.output.write(`${inClearText(listen)}\n${WAYS}`);
  return (await questionsAt(place).confirm('Serve it there anyway?')) === true;
}
