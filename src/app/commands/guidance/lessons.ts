import { didYouMean } from 'ralph-kit/nearest';
import { shareable } from 'ralph-kit/redact-deep';
import { LESSON_FROM } from '../../../domain/policy.ts';
import { lessonsDocument } from '../../../state/index.ts';
import { type DataOf, failure, success } from '../../result.ts';
import { secretsOf } from '../../setup/secrets-of.ts';
import { inWorkspace, type ProjectInput } from '../../setup/workspace.ts';

export type LessonsInput = ProjectInput & {
  readonly action: 'list' | 'drop';
  readonly key: string;
};

export type LessonsResult = DataOf<typeof lessons>;

export function lessons(input: LessonsInput) {
  return inWorkspace(input, ({ store, config }) => {
    const { action, key } = input;
    if (action === 'drop') {
      const known = store
        .refresh()
        .policy.lessons.filter(({ count }) => count >= LESSON_FROM)
        .map((one) => one.key);
      if (!known.includes(key))
        return failure(`There is no lesson ${key}.${didYouMean(key, known)}`, 'ralph lessons');
      store.commit(() => [{ type: 'lesson_dropped', key }]);
      store.writeViews();
    }
    const { lessons } = lessonsDocument(store.state);
    const secrets = secretsOf(config);
    return success({
      action,
      lessons: lessons.map((one) => ({ ...one, text: shareable(one.text, secrets) })),
    });
  });
}
