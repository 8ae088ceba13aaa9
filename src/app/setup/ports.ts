import { arch, availableParallelism, freemem, hostname } from 'node:os';
import { basename } from 'node:path';
import type { Box } from 'ralph-box';
import { inCopy } from 'ralph-box/in-copy';
import { realPathOf } from 'ralph-kit/files/real-path';
import type { NewEntries, Ports, Store } from '../../domain/ports.ts';
import type { Workplace } from '../../domain/records/state.ts';
import { openPullRequest } from '../../io/code-host/index.ts';
import { NO_HANDLERS, openHandlers } from '../../io/handlers/open-handlers.ts';
import { systemIds } from '../../io/ids.ts';
import type { ModuleHost } from '../../io/modules/index.ts';
import { openGateFiles } from '../../io/proc/gate-files.ts';
import { type LaunchAgent, openProc } from '../../io/proc/index.ts';
import { reportMarkdown } from '../../io/ui/index.ts';
import { watchFiles } from '../../io/watch-files.ts';
import { VERSION } from '../version.ts';
import { instructionPaths } from './box.ts';
import { heldOutOf } from './held-out.ts';
import { notifyOf } from './notify-of.ts';
import type { Project } from './project.ts';
import { secretsOf } from './secrets-of.ts';

type Worker = { readonly ports: Ports; readonly workplace: Workplace };

type OpenedPorts = Pick<Worker, 'ports'> & { readonly workers: readonly Worker[] };

/** Opens everything by which a run changes the world. Without `host`, your modules aren't called. */
export function openPorts(
  project: Project,
  stop: Ports['stop'],
  box: Box | null,
  { host, launchAgent }: { readonly host?: ModuleHost; readonly launchAgent?: LaunchAgent } = {},
): OpenedPorts {
  const { root, config, clock, store, git, tracker, readFile, exists, line, workplace } = project;
  const { env } = process;
  const ids = systemIds();
  const secrets = secretsOf(config);
  const { handlers: named, strategy } = config.interventions;
  // Handlers judge attempts, which only a run with a module host makes.
  const handlers =
    host === undefined
      ? NO_HANDLERS
      : openHandlers({ handlers: named, strategyModule: strategy.module, host, env });
  const launcher = launchAgent === undefined ? {} : { launchAgent };
  const shared: Omit<Ports, 'work' | 'proc' | 'gateFiles'> = {
    clock,
    ids,
    store,
    git,
    line,
    tracker,
    readFile,
    exists,
    handlers,
    stop,
    watchOutside: async () => {
      if (box !== null) return async () => ({ files: [], git: [], commits: [] });
      const [files, ofGit] = [watchFiles(root, instructionPaths(project)), await git.watch()];
      return async () => ({ files: files(), ...(await ofGit()) });
    },
    realPath: realPathOf,
    room: async () => ({ disk: await git.room(), memory: availableMemory() }),
    notify: notifyOf(project, box),
    openPullRequest: (wanted) => openPullRequest(root, { ...wanted, report: reportMarkdown(wanted.report) }),
    process: {
      pid: process.pid,
      host: hostname(),
      version: VERSION,
      machine: `${availableParallelism()} ${arch()}`,
    },
  };
  const { workers: count } = config.parallel;
  const workerAt = (worker: number): Worker => {
    const work = git.work(worker);
    const ofWorker =
      count === 1
        ? {}
        : workerVariables({
            root,
            worker,
            folder: box === null ? work.temporary() : null,
          });
    return {
      workplace: { ...workplace, worker },
      ports: {
        ...shared,
        work,
        store: count === 1 ? store : asWorker(store, worker),
        proc: openProc({ clock, env, secrets, ofWorker, root, box, ...launcher }),
        gateFiles: openGateFiles({
          env,
          root: box === null ? work.mounted.files : root,
          at: inCopy(root, work.mounted, () => [...instructionPaths(project), ...heldOutOf(project.gates)]),
        }),
      },
    };
  };
  const workers = Array.from({ length: count }, (_, index) => workerAt(index + 1));
  const [first = workerAt(1)] = workers;
  return { ports: { ...first.ports, store }, workers };
}

/** Returns available memory in bytes, limited by the container if there is one; `null`: unknown. */
function availableMemory(): number {
  return process.availableMemory?.() ?? freemem();
}

/** First port of worker 1. */
const FIRST_PORT = 20_000;
/** Number of ports of each worker. */
const PORTS = 10;

type OfWorker = {
  readonly root: string;
  readonly worker: number;
  /** Folder for temporary files; `null`: the worker's box has one. */
  readonly folder: string | null;
};

/** Returns environment variables that keep programs of parallel workers from using the same ports and folders. */
function workerVariables({ root, worker, folder }: OfWorker): Readonly<Record<string, string>> {
  return {
    ...(folder === null ? {} : { TMPDIR: folder }),
    RALPH_SLOT: String(worker),
    RALPH_PORT_BASE: String(FIRST_PORT + (worker - 1) * PORTS),
    COMPOSE_PROJECT_NAME: `${
      basename(root)
        .toLowerCase()
        .replace(/[^a-z0-9_-]/g, '') || 'ralph'
    }-${worker}`,
  };
}

function asWorker(store: Store, worker: number): Store {
  return Object.create(store, {
    commit: { value: (entries: NewEntries) => store.commit(entries, worker) },
  });
}
