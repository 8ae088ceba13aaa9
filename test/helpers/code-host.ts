import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from './repository.ts';

/** A call of the program: its arguments, and the JSON on its standard input. */
export type HostCall = { readonly argv: readonly string[]; readonly body: Record<string, unknown> | null };

type Pull = { number: number; head: string; base: string; title: string; text: string; draft: boolean };

/** A program in place of `gh` or `glab` with pull requests of its own, and the calls that it got. */
export type FakeHost = {
  readonly calls: () => readonly HostCall[];
  readonly pulls: () => readonly Pull[];
  /** Edits the text of the only pull request, as someone else. */
  readonly edit: (text: string) => void;
  /** Closes all pull requests, as someone else. */
  readonly close: () => void;
  readonly signOut: (isOut?: boolean) => void;
  /** PATH with the program's folder in front. */
  readonly path: string;
};

const PROGRAM = `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const [, script, ...argv] = process.argv;
const at = (name) => join(__dirname, name);
const isHub = basename(script) === 'gh';
const input = argv.includes('--input') ? readFileSync(0, 'utf8') : '';
const body = input === '' ? null : JSON.parse(input);
appendFileSync(at('calls'), JSON.stringify({ argv, body }) + '\\n');
if (existsSync(at('signed-out'))) {
  process.stderr.write('To get started with the command line, please run: ' + basename(script) + ' auth login\\n');
  process.exit(isHub ? 4 : 1);
}
if (argv[0] === 'auth') process.exit(0);
const method = argv[argv.indexOf('--method') + 1];
const path = argv.find((word) => /^(?:repos|projects)\\//.test(word));
const pulls = JSON.parse(readFileSync(at('pulls'), 'utf8'));
const shown = ({ number, text }) => isHub
  ? { number, html_url: 'https://code.test/pulls/' + number, body: text }
  : { iid: number, web_url: 'https://code.test/pulls/' + number, description: text };
const query = new URLSearchParams(path.split('?')[1] ?? '');
if (method === 'GET') {
  const head = isHub ? query.get('head').split(':')[1] : query.get('source_branch');
  console.log(JSON.stringify(pulls.filter((one) => one.head === head).map(shown)));
} else if (method === 'POST') {
  const head = isHub ? body.head : body.source_branch;
  const made = { number: pulls.length + 1, head, base: isHub ? body.base : body.target_branch, title: body.title,
    text: isHub ? body.body : body.description, draft: isHub ? body.draft : body.title.startsWith('Draft: ') };
  writeFileSync(at('pulls'), JSON.stringify([...pulls, made]));
  console.log(JSON.stringify(shown(made)));
} else {
  const number = Number(path.split('/').at(-1));
  const text = isHub ? body.body : body.description;
  writeFileSync(at('pulls'), JSON.stringify(pulls.map((one) => (one.number === number ? { ...one, text } : one))));
  console.log(JSON.stringify(shown(pulls.find((one) => one.number === number))));
}
`;

/** Makes the program in a folder of its own. */
export function fakeHost(program: 'gh' | 'glab'): FakeHost {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at(program), `#!${process.execPath}\n${PROGRAM}`, { mode: 0o755 });
  writeFileSync(at('pulls'), '[]');
  writeFileSync(at('calls'), '');
  const pulls = (): Pull[] => JSON.parse(readFileSync(at('pulls'), 'utf8'));
  return {
    pulls,
    calls: () =>
      readFileSync(at('calls'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    edit: (text) => writeFileSync(at('pulls'), JSON.stringify(pulls().map((one) => ({ ...one, text })))),
    close: () => writeFileSync(at('pulls'), '[]'),
    signOut: (isOut = true) => (isOut ? writeFileSync(at('signed-out'), '') : rmSync(at('signed-out'))),
    path: `${folder}${delimiter}${process.env.PATH}`,
  };
}

/** A bare repository that is the remote `origin` of another repository, which pushed its branch there. */
export type BareRemote = {
  readonly path: string;
  readonly git: (...args: string[]) => string;
  /** Writes a hook of the remote. */
  readonly hook: (name: string, text: string) => void;
  /** Commits on a branch of the remote, as someone else. */
  readonly commit: (branch: string) => void;
};

/**
 * Makes the remote. @param address Name of the remote in the repository, such as an address at a code host; git still
 * goes to the folder. Absent: the folder itself.
 */
export function bareRemote(
  repository: { readonly git: (...args: string[]) => string },
  address: string | null = null,
): BareRemote {
  const path = temporaryFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--bare', '--initial-branch=main');
  repository.git('remote', 'add', 'origin', address ?? path);
  if (address !== null) repository.git('config', `url.${path}.insteadOf`, address);
  repository.git('push', '--quiet', 'origin', 'HEAD');
  return {
    path,
    git,
    hook: (name, text) => writeFileSync(join(path, 'hooks', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 }),
    commit: (branch) => {
      const env = ['-c', 'user.name=Other', '-c', 'user.email=other@example.org'];
      const made = git(...env, 'commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'by someone else');
      git('update-ref', `refs/heads/${branch}`, made);
    },
  };
}
