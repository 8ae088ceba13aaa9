import type { Answer } from 'ralph-task-lists/services';
import { askGh } from 'ralph-task-lists/services/gh';

/** Returns the branch that a pull request would be merged into, and its repository as `OWNER/NAME`. */
export async function pullRequest(
  cwd: string,
  number: number,
): Promise<Answer<{ readonly base: string; readonly repository: string }>> {
  const answer = await askGh(cwd, ['pr', 'view', String(number), '--json=baseRefName,url']);
  if (!answer.ok) return answer;
  const message = '`gh pr view` names no branch and no address. Run it by hand to see why';
  try {
    const { baseRefName: base, url } = JSON.parse(answer.value) as { baseRefName: unknown; url: unknown };
    const repository = /^https?:\/\/[^/]+\/(.+)\/pull\/\d+/.exec(String(url))?.[1];
    return typeof base === 'string' && repository !== undefined
      ? { ok: true, value: { base, repository } }
      : { ok: false, message };
  } catch {
    return { ok: false, message };
  }
}
