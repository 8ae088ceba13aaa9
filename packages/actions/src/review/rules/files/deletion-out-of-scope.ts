import { outOfScope } from '../../judgement/scope.ts';
import { judgeEffects } from '../../rule.ts';

export const warnDeletionOutOfScope = judgeEffects(
  {
    name: 'warn_deletion_out_of_scope',
    essential: false,
    ruling: 'warn',
    finds:
      'Deletes files of the repository that were there before the attempt, where the task names other files.',
    instead: 'Delete only what the task is about; say in the report why another file has to go.',
  },
  (effect, { goal, place }) => {
    if (effect.kind !== 'deletes' || effect.by === 'mv') return null;
    const { outside } = outOfScope([effect], goal, place);
    const [first] = outside.filter((path) => place.existed(`${place.root}/${path}`));
    return first === undefined
      ? null
      : { warn: `The task doesn't speak of "${first}". Delete it only if the task needs that.` };
  },
);
