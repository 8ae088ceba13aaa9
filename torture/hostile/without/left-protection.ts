export const restoreLeft = async () => ({ ok: true, finish: () => [], leave: () => undefined });
export const restoreDamaged = async () => null;
