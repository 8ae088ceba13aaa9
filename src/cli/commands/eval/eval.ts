import { type Command, InvalidArgumentError } from 'commander';

import { formatDuration } from 'ralph-kit/duration';
import { actionOf, type Call, calledWith, type Examples, wholeNumber } from '../../call.ts';
import { evaluationMarkdown, evaluationText } from '../../render/evaluation.ts';

export const examples: Examples = {
  eval: [
    'eval study',
    'eval study --arms baseline,interventions,full --seeds 10',
    'eval proof --arms proof-off,full --cheats 0.1,0.5',
    'eval ./my-suite --arms full,other.toml',
  ],
};

/** Defines `ralph eval`, which has subcommands, and returns it. */
export function define(program: Command): Command {
  return program
    .command('eval')
    .argument(
      '[suite]',
      'study, poison, liars, honest, proof, or a folder with a suite.json; study by default',
    )
    .option(
      '--arms <list>',
      'baseline, detection, adaptive-timeout, interventions, proof-off, full, checks, proof-tests, or configuration files',
      'baseline,full',
    )
    .option('--seeds <n>', 'repetitions, each with other random numbers', atLeastOne, 5)
    .option('--jobs <n>', 'runs at the same time; by default one for each core', atLeastOne)
    .option(
      '--reacts <list>',
      'shares of feedback that the modelled agent reacts to, such as 0,0.5,1',
      shares,
    )
    .option('--cheats <list>', 'shares of attempts in which it cheats, such as 0.1,0.5', shares)
    .option('--out <dir>', 'folder for the results; ralph-eval/SUITE by default')
    .option('--html <file>', 'write the results as a page with charts, too')
    .option('--resume', 'continue an evaluation that was stopped')
    .description('measure what the loop does with a suite of tasks, arm by arm')
    .action(actionOf(run, false));
}

type EvalOptions = {
  readonly arms: string;
  readonly seeds: number;
  readonly jobs?: number;
  readonly reacts?: readonly number[];
  readonly cheats?: readonly number[];
  readonly out?: string;
  readonly html?: string;
  readonly resume?: boolean;
};

/** Code for pages is only loaded if a page is requested. */
async function pageIn(file: string | undefined) {
  if (file === undefined) return null;
  const { evaluationPage } = await import('../../render/page/evaluation-page.ts');
  return { file, render: evaluationPage };
}

export async function run(call: Call, suite: string | undefined, options: EvalOptions) {
  const { evaluate } = await import('../../../app/eval/evaluate.ts');
  const loud = call.format !== 'json' && !call.quiet;
  const result = await evaluate({
    cwd: call.cwd,
    suite: suite ?? 'study',
    seeds: options.seeds,
    arms: options.arms.split(',').map((arm) => arm.trim()),
    jobs: options.jobs ?? null,
    resume: options.resume === true,
    again: calledWith('eval', '--resume'),
    reacts: options.reacts ?? [],
    cheats: options.cheats ?? [],
    out: options.out ?? null,
    page: await pageIn(options.html),
    onProgress: ({ finished, total, leftMs }) => {
      const left = leftMs === null || finished === total ? '' : `, about ${formatDuration(leftMs)} left`;
      if (loud) process.stderr.write(`${finished} of ${total} runs${left}\n`);
    },
  });
  const markdown = call.format === 'markdown';
  await call.print(
    result,
    (data, terminal) => (markdown ? evaluationMarkdown(data) : evaluationText(data, terminal)),
    markdown,
  );
}

function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value < 1) throw new InvalidArgumentError('Use 1 or more.');
  return value;
}

function shares(text: string): number[] {
  const values = text.split(',').map(Number);
  if (values.some((value) => !(value >= 0 && value <= 1)))
    throw new InvalidArgumentError('Use numbers from 0 to 1 with commas between.');
  return values;
}
