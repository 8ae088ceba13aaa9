import { evaluate } from '../../../evaluate/evaluate.ts';
import { formatDuration } from '../../../lib/duration.ts';
import type { Call } from '../../call.ts';
import { evaluationMarkdown, evaluationText } from '../../render/evaluation.ts';

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

/** What makes pages is loaded where one is wanted. */
async function pageIn(file: string | undefined) {
  if (file === undefined) return null;
  const { evaluationPage } = await import('../../render/page/evaluation-page.ts');
  return { file, render: evaluationPage };
}

/** `ralph eval` */
export async function run(call: Call, suite: string | undefined, options: EvalOptions) {
  const loud = call.format !== 'json' && !call.quiet;
  const result = await evaluate({
    ...{ cwd: call.cwd, suite: suite ?? 'study', seeds: options.seeds },
    arms: options.arms.split(',').map((arm) => arm.trim()),
    jobs: options.jobs ?? null,
    resume: options.resume === true,
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
