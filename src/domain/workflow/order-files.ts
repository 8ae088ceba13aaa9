import type { Config } from '../config.ts';
import { type Role, rolesBesideMaker } from './roles.ts';

/** The file of your own prompt of a role beside the maker: relative to the repository, as configured. */
export function rolePromptFile(role: Role, { roles }: Pick<Config['workflow'], 'roles'>): string {
  return roles[role]?.template ?? `.ralph/PROMPT_${role}.md`;
}

/** All prompts of your own: the maker's, and those of the roles that the workflow has; as configured. */
export function promptFiles({ files, workflow }: Pick<Config, 'files' | 'workflow'>): readonly string[] {
  return [files.prompt, ...rolesBesideMaker(workflow.kind).map((role) => rolePromptFile(role, workflow))];
}

/** What agents take orders from beside the task list; as configured. */
export function orderFiles(config: Pick<Config, 'files' | 'workflow'>): readonly string[] {
  return [...promptFiles(config), config.files.feedback];
}
