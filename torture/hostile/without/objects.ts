export const objectBackup = () => ({
  add: () => undefined,
  restore: () => ({ forged: [], packs: [] }),
  accept: () => undefined,
  remove: () => undefined,
});
