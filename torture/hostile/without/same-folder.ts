export const refuseReplaced = (): void => undefined;
export const refuseMoved = (): void => undefined;
