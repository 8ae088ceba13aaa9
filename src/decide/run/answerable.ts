import type { HumanSettings } from '../../domain/human/settings.ts';
import type { Answerable, Waits } from '../../domain/notification.ts';
import type { State } from '../../domain/records/state.ts';
import { authorityFor } from '../../respond/human/index.ts';
import { optionsOf } from '../../tell/index.ts';

/** Settings that decide whether something may be answered from a chat. */
export type Deciding = {
  readonly human: HumanSettings;
  /** Whether runs have a limit of cost or time. */
  readonly hasBudget: boolean;
};

/**
 * Returns how something that waits can be answered from a chat. What needs a signature or a role, emergency stops, and
 * higher limits of cost must be decided on the machine: in a chat, everyone who can write there counts as you.
 */
export function answerableOf(waits: Waits, state: State, { human, hasBudget }: Deciding): Answerable {
  switch (waits.kind) {
    case 'question':
      return { ok: true, choices: [], words: 'Your words go to the agent, which continues.' };
    case 'task': {
      const retry = { name: 'retry', label: 'Try again' };
      return { ok: true, choices: [retry], words: 'Your words go to the agent, which tries again.' };
    }
    case 'incident':
      return no('An emergency stop is resolved on the machine.');
    case 'stop':
      if (hasBudget) return no('Continuing gives runs a new budget, which is decided on the machine.');
      return { ok: true, choices: [{ name: 'resume', label: 'Let runs continue' }], words: null };
    case 'gate': {
      const request = state.human.requests.find(({ id }) => id === waits.request);
      if (request === undefined) return no('It was decided meanwhile.');
      if (authorityFor(request, human.gates).signed) return no('It needs a signature.');
      if (Object.keys(human.people).length > 0) return no('[human.people] names who may decide.');
      const options = optionsOf(request).filter(({ effect }) => effect !== 'shows');
      // An option that names an agent isn't offered: agents' names are hard to remember, and the next run would start
      // the agent.
      const worded = options.filter(({ needs }) => needs === 'reason' || needs === 'guidance');
      return {
        ok: true,
        choices: options
          .filter(({ needs }) => needs === null)
          .map(({ option, label }) => ({ name: option, label })),
        words:
          worded.length === 0
            ? null
            : `Begin with ${worded.map(({ option }) => option).join(' or ')}, then say why.`,
      };
    }
  }
}

function no(why: string): Answerable {
  return { ok: false, why };
}
