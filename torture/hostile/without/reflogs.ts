export const captureReflogs = (): [] => [];
export const restoreReflogs = (): [] => [];
