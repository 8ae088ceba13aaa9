import { failure, success } from '../../result.ts';
import { serveFleetBoard } from '../../setup/fleet.ts';
import { inProject } from '../../setup/project.ts';
import type { ProjectInput } from '../../setup/workspace.ts';

type BoardInput = ProjectInput & {
  /** Port of the page; 0: any free port. */
  readonly port: number;
  readonly stop: AbortSignal;
  readonly onReady: (url: string) => void;
};

/** Serves a page with the engine's queues and jobs on this machine until `stop`. */
export function fleetBoard({ port, stop, onReady, ...input }: BoardInput) {
  return inProject(input, async (project) => {
    try {
      const served = await serveFleetBoard(project, { port, stop, onReady });
      return served.ok ? success({}) : served;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      return failure(`Port ${port} is in use.`, 'ralph fleet board');
    }
  });
}
