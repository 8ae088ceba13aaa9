export function removeFolderInPlace(): void {}
