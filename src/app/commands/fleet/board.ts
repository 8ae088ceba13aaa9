import { failure, success } from '../../result.ts';
import { serveFleetBoard } from '../../setup/fleet.ts';
import { inProject } from '../../setup/project.ts';
import type { ProjectInput } from '../../setup/workspace.ts';

type BoardInput = ProjectInput & {
  /** 0: one that is free. */
  readonly port: number;
  readonly stop: AbortSignal;
  readonly onReady: (url: string) => void;
};

/** `ralph fleet board`: the queues and jobs of the engine on a page of this machine, until it is stopped. */
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
