import { changesFiles, isReadKind } from 'ralph-kit/actions/action';
import { readsOnly } from '../../../effects/index.ts';
import { deny, type Opinion, type Rule, type Subject } from '../../rule.ts';

/** The agent may only read, edit outside of `.git` and run gates, by known tools, after `ralph resume --option resume_with_limits`. */
export const restricted: Rule = {
  name: 'restricted',
  essential: true,
  fixed: true,
  ruling: 'deny',
  finds: 'Does more than look, edit files and run gates while you restrict the agent.',
  instead: 'Use the file tools, and run gates alone.',
  judge,
};

function judge({ action, effects, place }: Subject): Opinion | null {
  if (place.restricted === null || isReadKind(action)) return null;
  if (changesFiles(action)) {
    // Files below `.git` can name programs that git runs.
    const inGit = action.paths.some(({ path }) => /(?:^|\/)\.git(?:\/|$)/.test(path));
    return inGit ? against('Nothing is written below .git after the emergency stop.') : null;
  }
  const gates = place.restricted;
  const [runs] = effects.filter((effect) => effect.kind === 'executes');
  const allowed =
    action.kind === 'system_command' &&
    runs !== undefined &&
    (gates.includes(runs.text.trim()) || readsOnly(runs.text));
  return allowed
    ? null
    : against(
        'After the emergency stop only files may be edited, and only commands run that look or are gates. Use the file tools.',
      );
}

function against(reason: string): Opinion {
  return { ruling: deny('restricted', reason), effect: null };
}
