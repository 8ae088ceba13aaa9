export const restoreLeft = async () => ({ ok: true, finish: () => [], leave: () => undefined });
