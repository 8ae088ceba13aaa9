export const captureReflogs = (): [] => [];
export const restoreReflogs = (): [] => [];
export const hasLostStash = (): boolean => false;
export const clearReflogs = (): [] => [];
