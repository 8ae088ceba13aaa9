/** @module-tag slow */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project, withoutBox } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

// The agents count their calls outside of the repository, which a box would forbid.
withoutBox();

const limit = readFileSync(
  fileURLToPath(new URL('../fixtures/transcripts/claude/f-usage-limit-subscription.jsonl', import.meta.url)),
);
const says = (text: string) =>
  `printf '%s\\n' '${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: 's', result: text }).replace('NONCE', `'"$nonce"'`)}'`;
const CLAIMS = says('RALPH_STATUS\nTASK: T-1\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS');
/** A reviewer repeats the nonce in its prompt. */
const ASKED = `nonce=$(sed -n 's/^  "nonce": "\\(.*\\)",$/\\1/p')`;
const APPROVES = says('{"nonce":"NONCE","verdict":"APPROVED","findings":[]}');
/** Returns the recorded limit, reset in this number of seconds. */
const limited = (seconds: number) =>
  `sed "s/1900000000/$(( $(date +%s) + ${seconds} ))/g" "$PLACE/limit.jsonl"; exit 1`;

type Made = { readonly project: Project; readonly calls: (name: string) => number };

/** @param guardian What the agent of the run does the first time that it is asked to review as guardian. */
function made(guardian: string, { roles = '', other = APPROVES } = {}): Made {
  const place = temporaryFolder();
  writeFileSync(join(place, 'limit.jsonl'), limit);
  const runner = (name: string) =>
    `[runners.${name}]\nargv = ["sh", "./${name}.sh"]\noutput = "claude-stream"\nenv = { PLACE = "${place}" }\n`;
  const project = makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[workflow]\nkind = "standard"\n${roles}\n${runner('mine')}${runner('other')}`,
    'mine.sh': `${ASKED}
case "$RALPH_ROLE" in
guardian)
  echo asked >> "$PLACE/guardian"
  [ "$(wc -l < "$PLACE/guardian")" -gt 1 ] || { ${guardian}; }
  ${APPROVES};;
sage) ${APPROVES};;
*)
  echo asked >> "$PLACE/maker"
  [ -e a.js ] || echo one > a.js
  ${CLAIMS};;
esac
`,
    'other.sh': `${ASKED}\necho asked >> "$PLACE/other"\n${other}\n`,
  });
  const calls = (name: string) => readFileSync(join(place, name), 'utf8').trim().split('\n').length;
  return { project, calls };
}

const OTHER_REVIEWS = '[workflow.roles.guardian]\nagent = "other"';

describe.concurrent('a reviewer whose service is in trouble', () => {
  it('is waited for like the maker: the work stays, and no attempt is lost', async () => {
    const { project, calls } = made(limited(2));
    expect((await project.jsonLater('run')).ending).toBe('all_done');
    expect(project.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'rate_limited' },
      failedAttempt: false,
      parkedBecause: null,
      unavailable: { kind: 'rate_limited' },
      feedback: [],
      workflow: { next: { cycles: 0, reviews: [{ role: 'sage' }] } },
    });
    expect(project.iteration(2).facts.attempt).toBe(1);
    expect(project.iteration(2).decisions.verdict.kind).toBe('done');
    expect(calls('maker')).toBe(2);
  });

  it('is waited for by the next run where this one may not wait', async () => {
    const { project } = made(limited(2));
    const cut = await project.jsonLater('run', '--no-wait');
    expect(cut).toMatchObject({ ending: 'agent_unavailable' });
    expect((await project.jsonLater('run')).ending).toBe('all_done');
  });

  it('has the agents stand in that are not', async () => {
    const { project, calls } = made(':', { roles: OTHER_REVIEWS, other: limited(3600) });
    expect((await project.jsonLater('run')).ending).toBe('all_done');
    expect(calls('maker')).toBe(1);
    const [first, second] =
      project.iteration(1).facts.workflow?.runs.filter(({ role }) => role === 'guardian') ?? [];
    expect([first?.agent, first?.turns[0]?.outside?.kind]).toEqual(['other', 'rate_limited']);
    expect([second?.agent, second?.turns[0]?.outside]).toEqual(['mine', null]);
  });

  it('does not keep what another reviewer asks for from the maker', async () => {
    const asks = says(
      '{"nonce":"NONCE","verdict":"CHANGES_REQUESTED","findings":[{"category":"tests","severity":"WARNING","file":"a.js","line":1,"claim":"no test","fix":"add one"}]}',
    );
    const { project } = made(limited(3600), {
      roles: `[workflow.roles.sage]\nagent = "other"`,
      other: `[ "$(wc -l < "$PLACE/other")" -gt 1 ] || { ${asks}; exit; }\n${APPROVES}`,
    });
    await project.jsonLater('run', '--max-iterations', '1');
    expect(project.iteration(1).decisions.verdict.kind).toBe('changes_requested');
    expect(project.iteration(1).decisions.feedback[0]?.text).toContain('no test');
  });
});
