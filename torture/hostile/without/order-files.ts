import type * as real from '../../../src/domain/workflow/order-files.ts';

export const rolePromptFile: typeof real.rolePromptFile = (role) => `.ralph/PROMPT_${role}.md`;
export const promptFiles: typeof real.promptFiles = ({ files }) => [files.prompt];
/** Nothing is an order that has to stay the same. */
export const orderFiles: typeof real.orderFiles = () => [];
