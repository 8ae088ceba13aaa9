import * as z from 'zod/mini';
import { section } from '../../lib/settings-section.ts';
import { Role, WorkflowKind } from '../workflow/roles.ts';

/** `[workflow]`: who works on a task beside the maker (docs/WORKFLOWS.md). */
export const WorkflowSettings = section({
  /** `solo`: the maker alone; `standard`: reviewed; `thorough`: planned and reviewed. */
  kind: z._default(WorkflowKind, 'solo'),
  /** Cycles of work and review before the task waits for you. */
  max_cycles: z._default(z.int().check(z.minimum(1)), 3),
  roles: z._default(
    z.partialRecord(
      Role,
      z.strictObject({
        /** The agent of the run by default. */
        agent: z.optional(z.string()),
        model: z.optional(z.string()),
        /** Your own prompt; `.ralph/PROMPT_ROLE.md` where there is one. */
        template: z.optional(z.string()),
        /** The agent that stands in at the second time; by default another one that the run knows. */
        replacement: z.optional(z.string()),
      }),
    ),
    {},
  ),
});
