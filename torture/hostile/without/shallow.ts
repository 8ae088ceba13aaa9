export const shallowPath = (): string => '/nonexistent/shallow';
export const restoreShallow = async (): Promise<boolean> => false;
