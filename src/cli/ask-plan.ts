import type { ShownPlan } from '../app/commands/plan/shown-plan.ts';
import type { TrustAnswer } from '../app/setup/check-trust.ts';
import { printable, terminalOf } from '../io/ui/index.ts';
import { type Place, questionsAt, STOPPED } from './ask.ts';
import { planText } from './render/plan-text.ts';

/** Shows a plan and asks once whether to add it to the list. Anything but yes is a no, and Ctrl-C is `stopped`. */
export async function askPlan(plan: ShownPlan, place: Place): Promise<TrustAnswer> {
  const terminal = terminalOf(place.output as NodeJS.WriteStream, !place.color);
  place.output.write(`${planText(printable(plan), terminal)}\n`);
  const checks = plan.tasks.flatMap(({ criteria }) => criteria.filter(({ check }) => check !== null));
  const what = checks.length === 0 ? '' : ', and accept that its checks are run';
  const answer = await questionsAt(place).confirm(`Add these tasks to the list${what}?`);
  if (answer === STOPPED) return 'stopped';
  return answer === true ? 'yes' : 'no';
}
