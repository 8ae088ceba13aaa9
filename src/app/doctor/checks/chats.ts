import { ntfyProblem, telegramProblem } from '../../../io/notify/index.ts';
import { chatSettings } from '../../setup/chat-secrets.ts';
import { check, ok, warning } from '../check.ts';

const SET_UP = 'docs/CONFIGURATION.md, "Answer from your phone"';

/** Checks whether chats can be read. No message is sent: `ralph notify test` does that. */
export const chatsCheck = check({
  gather: ({ config }) => {
    const { telegram, ntfy } = chatSettings(config);
    return {
      telegram: telegram && { chat: telegram.chat, problem: telegramProblem(telegram) },
      ntfy: ntfy && { problem: ntfyProblem(ntfy) },
    };
  },
  judge: ({ telegram, ntfy }) => [
    ...(telegram === null
      ? []
      : [finding('telegram', telegram.problem, `whoever can write to chat ${telegram.chat} can answer`)]),
    ...(ntfy === null ? [] : [finding('ntfy', ntfy.problem, 'whoever can write to your topic can answer')]),
  ],
});

function finding(name: string, problem: string | null, who: string) {
  const id = `notify.${name}`;
  return problem === null
    ? ok(id, `[notify] ${name}`, `${who}; try it: ralph notify test`)
    : warning(id, `[notify] ${name} isn't set up`, problem, SET_UP);
}
