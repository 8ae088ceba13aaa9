import { join } from 'node:path';
import { addToReport, startReport } from 'ralph-agents';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import type { OpenIteration } from '../../domain/records/state.ts';
import { adapterNamed } from './choose-agent.ts';
import type { Project } from './project.ts';

/** Bytes that are read from the beginning of a log, where agents report their session and model. */
const HEAD = 256 * 1024;

/** Returns model and session that a running agent has reported. */
export function reportedSoFar(
  { root, folder: own, config }: Pick<Project, 'root' | 'folder' | 'config'>,
  open: Pick<OpenIteration, 'run' | 'iteration' | 'agent'>,
) {
  const choice = adapterNamed(open.agent, root, config);
  if (!choice.ok) return { model: null, sessionId: null };
  const { parse, model: requestedModel } = choice.adapter;
  const folder = join(own, iterationPath(open));
  const report = headOf(join(folder, 'output.log'))
    .split('\n')
    .flatMap((line) => parse(line))
    .reduce(addToReport, startReport({ sessionId: null, requestedModel, earlierUsage: [] }));
  return { model: report.model ?? requestedModel, sessionId: report.sessionId };
}

function headOf(path: string): string {
  return tryOr('', () => readFileBytes(path).subarray(0, HEAD).toString('utf8'));
}
