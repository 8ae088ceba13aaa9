import { join } from 'node:path';
import { addToReport, startReport } from '../../agent/index.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import type { OpenIteration } from '../../domain/records/state.ts';
import { readFileBytes } from '../../io/store/index.ts';
import { adapterNamed } from './choose-agent.ts';
import type { Project } from './project.ts';

/** Bytes from the beginning of a log, where agents name their session and model. */
const HEAD = 256 * 1024;

/** Model and session of an attempt that runs, as far as the agent has reported them by now. */
export function reportedSoFar(
  { root, config }: Pick<Project, 'root' | 'config'>,
  open: Pick<OpenIteration, 'run' | 'iteration' | 'agent'>,
) {
  const choice = adapterNamed(open.agent, root, config);
  if (!choice.ok) return { model: null, sessionId: null };
  const { parse, model: asked } = choice.adapter;
  const folder = join(root, '.ralph', iterationPath(open));
  const report = headOf(join(folder, 'output.log'))
    .split('\n')
    .flatMap((line) => parse(line))
    .reduce(addToReport, startReport({ sessionId: null, asked, before: [] }));
  return { model: report.model ?? asked, sessionId: report.sessionId };
}

function headOf(path: string): string {
  try {
    return readFileBytes(path).subarray(0, HEAD).toString('utf8');
  } catch {
    return '';
  }
}
