import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/**
 * Who may call the file system itself to read or write content; the others use `ralph-kit/files`, which follows no
 * link and waits for no pipe. Each with its reason.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  '../packages/kit/src/files/': 'the reader and the writer',
  'store/line-log.ts': 'a log that stays, in a proven folder, opened without following links',
  'store/lock/': 'locks, in a proven folder, by names that are new',
  'store/journal/': 'the journal, opened without following links',
  'app/eval/': 'scratch repositories, suites and results of an evaluation: no run of yours is in there',
  '../packages/kit/src/programs/table/': '/proc',
  'io/proc/agent-hook.ts':
    'the pipe of an agent, in a folder that this process made outside of the repository',
  'io/proc/run-agent.ts': "the folder of an agent's report, outside of the repository",
  '../packages/box/src/':
    'the own folders of a box, outside of the repository, and caches of your home folder',
  'app/doctor/checks/box.ts': 'the folder of the box that it tries',
  'io/hook/': 'the hook, in a folder that this process made outside of the repository',
  'io/signing/': 'what is signed, in a folder that this process made outside of the repository',
  'io/notify/run-shell.ts': 'input of a notification, in a folder that this process made',
  'git/': 'files of a folder that is proven when it is made; git itself writes by their names',
  'store/home/': 'the folder outside of the repository, and the id in the git folder',
  'cli/start.ts': 'a script of ralph itself, which the build puts beside it',
  'app/setup/own-copy.ts': 'a copy of ralph itself, in a folder of its own outside of the repository',
  'io/modules/': 'copies of modules and pipes, in a folder that this process made outside of the repository',
  'app/commands/demo.ts': 'the scratch repository that the demo made',
  'app/commands/land.ts': 'logs of gates, in a folder that this process made outside of the repository',
  'app/commands/gates.ts': 'logs of gates, in a folder that this process made outside of the repository',
  'app/commands/check-receipt.ts': 'a folder that this process made outside of the repository',
  'app/commands/verify.ts': 'records and logs, in a folder that this process made outside of the repository',
  'app/demo/': 'the scripted agent, a program of its own',
};

const RAW =
  /\b(?:writeFile|appendFile|copyFile|readFile|open|mkdir|mkdtemp|truncate|createReadStream|createWriteStream)(?:Sync)?\b/;

function isOffender(path: string): boolean {
  const imports = /import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g;
  const names = [...readFileSync(join(SRC, path), 'utf8').matchAll(imports)].map(([, list]) => list ?? '');
  return names.some((list) => RAW.test(list));
}

it('files are read and written by the modules that are made for it', () => {
  const offenders = sourceFiles().filter(isOffender);
  const isAllowed = (path: string) => Object.keys(ALLOWED).some((start) => path.startsWith(start));
  expect(offenders.filter((path) => !isAllowed(path))).toEqual([]);
  const unused = Object.keys(ALLOWED).filter((start) => !offenders.some((path) => path.startsWith(start)));
  expect(unused).toEqual([]);
});
