import { type Project, projectAt, type Started } from './cli.ts';
import { type EngineName, startEngine } from './engines.ts';
import { runTestGit, temporaryFolder } from './repository.ts';
import { workersProject } from './workers.ts';

/** Length of a lease in seconds, short so that lost ones are noticed soon. */
export const LEASE = 2;

/**
 * Makes a project whose branch is on a bare remote, with an engine's server of its own, whose address the commands of
 * this process get.
 * @param given As for `workersProject`.
 */
export async function fleetProject(
  tasks: readonly string[],
  given: Parameters<typeof workersProject>[1],
  engine: EngineName = 'redis',
) {
  const server = await startEngine(engine);
  process.env.RALPH_FLEET_URL = server.url;
  const project = workersProject(tasks, given);
  project.git('add', '-f', '.ralph/ralph.toml');
  project.commitAll('settings');
  const bare = `${temporaryFolder()}/remote.git`;
  project.git('clone', '-q', '--bare', '.', bare);
  project.git('remote', 'add', 'origin', bare);
  const clone = (): Project => {
    const folder = temporaryFolder();
    runTestGit(folder, ['clone', '-q', bare, 'clone']);
    return projectAt(`${folder}/clone`);
  };
  return {
    ...{ server, project, bare, clone },
    /** Makes a clone for a worker. A job names the workers that were enrolled when it was offered. */
    place: () => {
      const at = clone();
      enrol(at, project);
      enrol(project, at);
      return at;
    },
    /** Starts a worker in a clone of its own. */
    worker: (name: string, at: Project, ...args: string[]) =>
      at.start('fleet', 'worker', '--name', name, '--lease', String(LEASE), ...args),
    /** Starts the coordinator with this number of attempts at once; the one document that it prints is its report. */
    coordinate: (atOnce = tasks.length) => {
      const options = ['--lease', String(LEASE), '--workers', String(atOnce)];
      return project.start('--format', 'json', 'fleet', 'run', ...options);
    },
    /** Returns the subjects of the tasks' commits on the remote's branch, oldest first. */
    landed: () =>
      runTestGit(bare, ['log', '--format=%s', '--reverse', 'main'])
        .split('\n')
        .filter((subject) => /T-\d/.test(subject)),
    /** Returns ralph's refs on the remote, with their values. */
    refs: () =>
      runTestGit(bare, ['for-each-ref', '--format=%(refname) %(contents:subject)', 'refs/ralph'])
        .split('\n')
        .filter((line) => line !== ''),
  };
}

/** Lets one clone trust the other. */
export function enrol(one: Project, other: Project): void {
  one.json('fleet', 'enrol', other.json('fleet', 'key').key);
}

/** Resolves with the report that a coordinator printed at its end. */
export async function reportOf({ ended }: Started): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await ended;
  return JSON.parse(stdout === '' ? JSON.stringify({ stderr }) : stdout) as Record<string, unknown>;
}
