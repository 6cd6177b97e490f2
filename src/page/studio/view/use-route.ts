import { useSyncExternalStore } from 'react';

/** A view of the page, as the address names it after the `#`: bookmarks and the buttons of the browser work. */
export type Route = { readonly view: 'create' | 'gallery' } | { readonly view: 'job'; readonly id: string };

/** Reads the view of an address; an unknown one is the first view. */
export const routeOf = (hash: string): Route => {
  const [view, id = ''] = hash.replace(/^#\/?/u, '').split('/');
  if (view === 'job' && /^[\w-]+$/u.test(id)) return { view: 'job', id };
  return { view: view === 'gallery' ? 'gallery' : 'create' };
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

/** The view that the address names. */
export const useRoute = (): Route => routeOf(useSyncExternalStore(subscribe, () => location.hash));
