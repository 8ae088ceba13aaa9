export const objectBackup = () => ({
  add: () => undefined,
  takeIn: () => ({ forged: [], packs: [] }),
  bringBack: () => [],
  accept: () => undefined,
  remove: () => undefined,
});
