import type { KeptSignIn } from 'ralph-box';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { Store } from '../../domain/ports.ts';
import { eventInAttempt } from './refused-command.ts';

const HOW: Readonly<Record<KeptSignIn['how'], string>> = {
  account: 'has another account in the box',
  entries: 'has other entries in the box',
  values: 'has something in the box that no refresh writes',
  expiry: "changed in the box and isn't newer",
  unproven: 'was refreshed in the box, and nothing in it says whose it is',
};

/** Records that a sign-in wasn't copied back. @throws StoreError if the record can't be written. */
export function recordKeptSignIn(
  store: Pick<Store, 'state' | 'commit'>,
  worker: number,
  agent: string,
  kept: KeptSignIn,
): void {
  const summary = keptSignInText(agent, kept);
  store.commit((state) => [
    eventInAttempt(state, worker, '', {
      event_type: 'sign_in_kept',
      severity: 'warning',
      details: { summary },
    }),
  ]);
}

export function keptSignInText(agent: string, { how, users, place }: KeptSignIn): string {
  const what = `${agent}'s sign-in ${HOW[how]}; yours is as it was.`;
  if (how !== 'unproven') return `${what} The other one is in ${place}.`;
  return `${what} If ${agent} asks you to sign in: cp ${shellQuote(place)} ${shellQuote(users)}`;
}
