import type { Action } from '../../lib/actions/action.ts';

/** Characters of an action that a request shows. */
const LONGEST = 2000;

/** The whole of an action, as far as you have to see it to decide: its command, or what it writes. */
export function actionDetail(
  { command, content, paths }: Pick<Action, 'command' | 'content' | 'paths'>,
  hide: (text: string) => string,
): string {
  const named = paths.map(({ path, change }) => `${change} ${path}`);
  const whole = hide([...(command === null ? [] : [command]), ...named, ...content].join('\n'));
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST)}\n… (${whole.length} characters)`;
}
