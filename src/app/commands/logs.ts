import { join } from 'node:path';
import type { IterationRecord } from '../../domain/records/iteration.ts';
import { namesIn } from '../../io/names-in.ts';
import { readFileBytes } from '../../io/store/index.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import { stripControl } from '../../lib/text.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inWorkspace, type ProjectInput } from '../setup/project.ts';

/** Characters of an agent's output that are shown, from the end. */
const LOG_LIMIT = 100_000;

export type LogsResult = DataOf<typeof logs>;

/** `ralph logs [ITERATION]`: what an iteration printed and its result; the newest one by default. Secrets are redacted. */
export function logs(input: ProjectInput & { readonly iteration: number | null }) {
  return inWorkspace(input, ({ root }) => {
    const folders = iterationFolders(root);
    const wanted = input.iteration ?? folders.at(-1)?.iteration;
    if (wanted === undefined) return failure('There are no iterations yet.', 'ralph run');
    // A run that was killed may have made a folder for what the next run then recorded.
    const found = folders.findLast(({ iteration }) => iteration === wanted);
    if (found === undefined) {
      const kept =
        folders.length === 0 ? 'none yet' : `${folders[0]?.iteration} to ${folders.at(-1)?.iteration}`;
      return failure(`There is no iteration ${wanted}. Kept: ${kept}.`, 'ralph logs');
    }
    const secrets = secretsFromEnv(process.env);
    const clean = (text: string) => redact(stripControl(text), secrets);
    const { facts, decisions } = readRecord(join(found.path, 'iteration.json'));
    return success({
      iteration: found.iteration,
      folder: found.path.slice(root.length + 1),
      task_id: facts?.task?.id ?? null,
      verdict: decisions?.verdict?.kind ?? null,
      cause: decisions?.cause ?? null,
      output: clean(readEnd(join(found.path, 'output.log'))),
      errors: clean(readEnd(join(found.path, 'errors.log'))),
      interventions: (decisions?.interventions ?? []).map(({ record: { type }, why }) => ({
        type,
        why: clean(why),
      })),
      denied: (facts?.review?.blocked ?? []).map(({ action, reason }) => ({
        action: clean(action),
        reason: clean(reason),
      })),
      gates: (facts?.gates ?? []).map(({ name, outcome, outputTail }) => ({
        name,
        outcome: outcome.kind,
        output: clean(outputTail),
      })),
    });
  });
}

/** Of a damaged record, anything may be missing: it is shown as far as it goes. */
type LooseRecord = {
  readonly facts?: Partial<IterationRecord['facts']>;
  readonly decisions?: Partial<IterationRecord['decisions']>;
};

function readRecord(path: string): LooseRecord {
  try {
    return (JSON.parse(readFileBytes(path).toString('utf8')) as LooseRecord | null) ?? {};
  } catch {
    return {};
  }
}

function readEnd(path: string): string {
  try {
    const text = readFileBytes(path).toString('utf8');
    const cut = text.length - LOG_LIMIT;
    return cut <= 0 ? text : `[… ${cut} characters cut]\n${text.slice(-LOG_LIMIT)}`;
  } catch {
    return '';
  }
}

function iterationFolders(root: string): { iteration: number; path: string }[] {
  const runs = join(root, '.ralph', 'runs');
  return namesIn(runs)
    .toSorted()
    .map((run) => join(runs, run, 'iterations'))
    .flatMap((folder) =>
      namesIn(folder).map((name) => ({ iteration: Number(name), path: join(folder, name) })),
    )
    .filter(({ iteration }) => iteration > 0)
    .sort((a, b) => a.iteration - b.iteration);
}
