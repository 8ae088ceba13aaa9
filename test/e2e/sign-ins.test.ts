import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { detectBox } from 'ralph-box';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeProject, SHELL_CLAIM } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';

/** Returns a sign-in of pi; a refresh keeps `account` and changes `at`. */
const signIn = (account: string, at: number) =>
  `${JSON.stringify({ 'openai-codex': { type: 'oauth', access: `a-${at}`, refresh: `r-${at}`, expires: at, accountId: account } }, null, 2)}\n`;

/** Returns a project whose agent is a program named `pi` that writes this text to its sign-in. */
function projectThatWrites(written: string) {
  const [programs, folder] = [temporaryFolder(), join(homedir(), '.pi', 'agent')];
  const agent = join(programs, 'pi');
  writeFileSync(
    agent,
    `#!/bin/sh\ncp ./written.json "$PI_CODING_AGENT_DIR/auth.json"\necho parser > parser.txt\n${SHELL_CLAIM}`,
  );
  chmodSync(agent, 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  mkdirSync(folder, { recursive: true });
  const userFile = join(folder, 'auth.json');
  writeFileSync(userFile, signIn('mine', 1));
  const project = makeProject({
    'written.json': written,
    '.ralph/ralph.toml':
      '[loop]\nagent = "pi"\nmax_iterations = 1\n[review]\nenabled = false\n[runners.pi]\noutput = "text"\n',
  });
  return { project, userFile };
}

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(!isWhole)('a sign-in that an agent changes in its box', () => {
  it('is yours again after a refresh, and the report says nothing', () => {
    const { project, userFile } = projectThatWrites(signIn('mine', 2));
    expect(project.ralph('run').stdout).toMatch(/(\d+) of \1 tasks? done\./);
    expect(readFileSync(userFile, 'utf8')).toBe(signIn('mine', 2));
    expect(project.ralph('report').stdout).not.toContain('sign-in');
  });

  it('stays in there with another account, and the report names it', () => {
    const { project, userFile } = projectThatWrites(signIn('other', 2));
    const { stdout } = project.ralph('run');
    const notice =
      /pi's sign-in has another account in the box; yours is as it was\. The other one is in \S+/;
    expect(stdout.replace(/\n\s*/g, ' ')).toMatch(notice);
    expect(readFileSync(userFile, 'utf8')).toBe(signIn('mine', 1));
    const [kept] = project.json('report').sign_ins_kept;
    expect(readFileSync(/ is in (\S+)\.$/.exec(kept ?? '')?.[1] ?? '', 'utf8')).toBe(signIn('other', 2));
    expect(project.ralph('report', '--format', 'markdown').stdout).toContain(
      'has another account in the box',
    );
    expect(project.ralph('interventions', '--type', 'sign_in_kept').stdout).toContain('another account');
  });
});
