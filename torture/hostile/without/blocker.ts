export async function findBlocker(): Promise<null> {
  return null;
}
