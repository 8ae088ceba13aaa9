export const objectBackup = () => ({
  add: () => undefined,
  restore: () => undefined,
  remove: () => undefined,
});
