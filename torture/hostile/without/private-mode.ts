export const keepPrivate = (): void => undefined;
