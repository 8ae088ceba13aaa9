export const refuseReplaced = (): void => undefined;
