import { type Attempt, type AttemptQuery, findAttempts } from '../records/find-attempts.ts';
import { iterationFolders } from '../records/iteration-files.ts';
import { type LogView, loggedAttempt } from '../records/logged-attempt.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inWorkspace, type ProjectInput } from '../setup/workspace.ts';

export type LogsInput = ProjectInput & AttemptQuery & { readonly show: LogView };

export type LogsResult = DataOf<typeof logs>;

/** Returns an agent's words and actions, and the attempt's result. Secrets are redacted. */
export function logs({ show, ...input }: LogsInput) {
  return inWorkspace(input, (project) => {
    const found = findAttempts(project, input, 'ralph logs');
    if (!found.ok) return found;
    const folders = iterationFolders(project.folder);
    const kept = found.attempts.flatMap((attempt) => {
      const folder = folders.find(({ iteration }) => iteration === attempt.iteration);
      return folder === undefined ? [] : [loggedAttempt(project, attempt, folder, show)];
    });
    const gone = found.attempts.length - kept.length;
    if (kept.length === 0) return filesGone(found.attempts);
    return success({ attempts: kept, gone });
  });
}

function filesGone(attempts: readonly Attempt[]): Failure {
  const numbers = attempts.map(({ iteration }) => `#${iteration}`).join(', ');
  return failure(
    `The files of ${numbers} were removed: only the newest runs are kept.`,
    `ralph diff ${attempts.at(-1)?.iteration}`,
  );
}
