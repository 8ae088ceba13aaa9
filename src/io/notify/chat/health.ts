import type { Chat } from './chat.ts';

/** Remembers which chat services are out of reach. */
export type Health = ReturnType<typeof openHealth>;

export function openHealth() {
  const away = new Set<Chat['name']>();
  const listeners = new Set<() => void>();
  return {
    /** Records that a service failed; returns whether it was in reach before. */
    failed: (name: Chat['name']): boolean => {
      const isNews = !away.has(name);
      away.add(name);
      return isNews;
    },
    isAway: (name: Chat['name']): boolean => away.has(name),
    worked: (name: Chat['name']): void => {
      if (!away.delete(name)) return;
      for (const listener of listeners) listener();
    },
    whenBack: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
