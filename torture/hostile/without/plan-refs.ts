export const planRefs = (): [] => [];
export const mayHeadStay = (): boolean => true;
export const branchOf = (head: string | null): string | null => head?.replace('ref: ', '') ?? null;
export const isRefName = (name: string): boolean => name.startsWith('refs/');
