import { httpAddress } from '../../http-address.ts';
import type { ChatSettings } from '../channel.ts';

/** Returns why a service can't be used, as the end of a sentence; `null`: nothing is wrong with its settings. */
export function telegramProblem({ token }: NonNullable<ChatSettings['telegram']>): string | null {
  if (token === '') return "RALPH_TELEGRAM_TOKEN isn't set: it holds the token of your bot";
  return /^\d+:[\w-]+$/.test(token) ? null : "RALPH_TELEGRAM_TOKEN isn't the token of a bot";
}

export function ntfyProblem({ server, topic }: NonNullable<ChatSettings['ntfy']>): string | null {
  if (httpAddress(server) === null)
    return "the server isn't an http:// or https:// address: correct [notify] ntfy";
  if (topic === '') return "RALPH_NTFY_TOPIC isn't set: it holds the name of your topic";
  // A topic is a secret: whoever guesses it can answer. A short one would also be hidden wherever it occurs
  // in a text.
  return /^[\w-]{12,58}$/.test(topic) ? null : 'RALPH_NTFY_TOPIC takes 12 to 58 letters, digits, "-" and "_"';
}
