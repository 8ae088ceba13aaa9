export const objectBackup = () => ({
  add: () => undefined,
  takeIn: () => ({ forged: [], packs: [] }),
  bringBack: () => [],
  holds: () => true,
  accept: () => undefined,
  remove: () => undefined,
});
