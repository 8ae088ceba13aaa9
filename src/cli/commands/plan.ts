import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { PlanOf } from '../../app/commands/plan/draft.ts';
import type { PlanResult, ProposalsResult } from '../../app/commands/plan/proposals.ts';
import type { ReviewResult } from '../../app/commands/plan/review-list.ts';
import type { ShownPlan } from '../../app/commands/plan/shown-plan.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { nextLine, whosePlan } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { atTerminal, openLoop } from '../loop-input.ts';
import { type DraftOptions, draftOptions } from '../loop-options.ts';
import { planText } from '../render/plan-text.ts';

export const examples: Examples = {
  plan: [
    'plan "Log in by e-mail, with a link that expires"',
    'plan idea.md',
    'plan https://github.com/OWNER/NAME/issues/12',
    'plan --review',
  ],
  'plan accept': ['plan accept', 'plan accept P-2 --yes'],
  'plan drop': ['plan drop P-2'],
};

export function define(program: Command): void {
  const plan = program.command('plan');
  draftOptions(plan)
    .argument('[idea...]', 'what you want: text, a file, or the address of a GitHub issue')
    .option('--review', 'read the list instead, and name what is vague, too large or not shown')
    .description('have agents draft tasks, which are checked; your yes writes them into the list')
    .action(
      actionOf(
        (call, words: string[], options: DraftOptions & { readonly review?: boolean }) =>
          options.review === true ? review(call) : draftPlan(call, { kind: 'idea', words }, options),
        (_, options) => options.review !== true,
      ),
    );
  plan.command('list').description('List the proposals that wait for your yes').action(actionOf(list, false));
  plan
    .command('accept')
    .argument('[id]', 'the proposal; the only one by default')
    .option('-y, --yes', 'without asking')
    .summary("Take a proposal's tasks into the list")
    .description('take the tasks of a proposal into the list, with their checks')
    // commander gives options that `plan` has too to `plan`, wherever they are written.
    .action((id: string | undefined, _options, command: Command) =>
      actionOf((call) => settle(call, 'accept', id, command.optsWithGlobals().yes === true), true)(command),
    );
  plan
    .command('drop')
    .argument('[id]', 'the proposal; the only one by default')
    .description('Forget a proposal')
    .action(actionOf((call, id: string | undefined) => settle(call, 'drop', id, true), true));
}

function asking(call: Call) {
  return atTerminal(call)(async (plan: ShownPlan, place) =>
    (await import('../ask-plan.ts')).askPlan(plan, place),
  );
}

export async function draftPlan(call: Call, source: PlanOf, options: DraftOptions) {
  const { draft } = await import('../../app/commands/plan/draft.ts');
  const { yes = false, model = null, ...others } = options;
  const { input, dispose } = openLoop(call, { ...others, commit: true, wait: true });
  const result = await draft({ ...input, source, yes, model, ask: asking(call) });
  dispose();
  await call.print(result, planResultText);
}

async function review(call: Call) {
  const { reviewList } = await import('../../app/commands/plan/review-list.ts');
  await call.print(await reviewList(call), reviewText);
}

async function list(call: Call) {
  const { proposals } = await import('../../app/commands/plan/proposals.ts');
  await call.print(await proposals(call), proposalsText);
}

async function settle(call: Call, action: 'accept' | 'drop', id: string | null = null, yes = false) {
  const { settleProposal } = await import('../../app/commands/plan/proposals.ts');
  await call.print(await settleProposal({ ...call, action, id, yes, ask: asking(call) }), planResultText);
}

export function planResultText(data: PlanResult, terminal: Terminal): string {
  const { outcome, plan, tracker, asked, added, next } = data;
  const { style, para } = terminal;
  // A plan that you were asked about is already on the screen.
  const shown = asked ? [] : [planText(plan, terminal), ''];
  if (outcome === 'dropped') return `${plan.id} is dropped; the list is as it was.`;
  if (outcome === 'kept')
    return [
      ...shown,
      `Nothing was written. To take it: ralph plan accept ${plan.id}${asked ? '' : ' --yes'}`,
    ].join('\n');
  const { task_id: split = null } = plan.by as { readonly task_id?: string };
  return [
    ...shown,
    ...added.map(({ id, title }) => para(`${style.green('✔')} ${style.bold(id)} ${title}`)),
    para(plan.by.kind === 'split' ? `In ${tracker}, in the place of ${split}.` : `In ${tracker}.`),
    nextLine(next),
  ].join('\n');
}

export function proposalsText({ proposals }: ProposalsResult, { style, para }: Terminal): string {
  if (proposals.length === 0) return 'No proposal waits.';
  const list = proposals.map((plan) =>
    [
      para(`${style.bold(plan.id)} ${whosePlan(plan)}`),
      ...plan.tasks.map(({ title }) => para(title, '  - ', '    ')),
      `  ${style.cyan(`ralph plan accept ${plan.id}`)}`,
    ].join('\n'),
  );
  return list.join('\n');
}

export function reviewText({ tracker, reviewed, problems, tasks }: ReviewResult, terminal: Terminal): string {
  const { style, para } = terminal;
  const wrong = problems.map(({ place, message }) => style.yellow(para(`${place}: ${message}`, '! ')));
  const found = tasks.map(({ id, title, findings, next }) =>
    [
      para(`${style.bold(id)} ${title}`),
      ...findings.map((one) => para(one, '  - ', '    ')),
      ...(next === null ? [] : [`  ${style.cyan(next)}`]),
    ].join('\n'),
  );
  const end =
    tasks.length === 0 && wrong.length === 0
      ? `${counted(reviewed, 'open task')} in ${tracker}: nothing to improve.`
      : `${counted(reviewed, 'open task')} in ${tracker}, ${tasks.length} to improve. How: docs/WRITING_TASKS.md`;
  return [...wrong, ...found, end].join('\n');
}
