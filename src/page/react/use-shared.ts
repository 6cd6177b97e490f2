import { isServiceError } from '../../core/errors/tagged-error.js';
import type { Shared, View } from './shared.js';
import { useMemo, useSyncExternalStore } from 'react';

/** Throws an error that is no `ServiceError`: it is a bug, and goes to the nearest error boundary. */
export const throwBug = (error: unknown): void => {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- as it came
  if (error !== undefined && !isServiceError(error)) throw error;
};

/** The current views in one snapshot: the same array until one of them changes. The caller keeps `all` from render to render. */
export const useShared = <Shown extends View>(all: readonly Shared<Shown>[]): readonly Shown[] => {
  const { subscribe, getSnapshot, getServerSnapshot } = useMemo(() => together(all), [all]);
  const views = useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
  for (const { error } of views) throwBug(error);
  return views;
};

/** The view of a source with an id, made again for another source or id; `none` where one of them is missing or the id is empty. */
export const useView = <Source, Shown extends View>(
  source: Source | undefined,
  id: string | undefined,
  viewOf: (source: Source, id: string) => Shared<Shown>,
  none: Shown,
): Shown => {
  const all = useMemo(
    () => (source === undefined || id === undefined || id === '' ? [] : [viewOf(source, id)]),
    [source, id, viewOf],
  );
  return useShared(all)[0] ?? none;
};

const together = <Shown extends View>(all: readonly Shared<Shown>[]) => {
  const first = all.map((one) => one.first);
  let last: readonly Shown[] = first;
  return {
    subscribe: (listener: () => void) => {
      const stops = all.map(({ subscribe }) => subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    getSnapshot: () => {
      const views = all.map(({ getSnapshot }) => getSnapshot());
      if (views.some((view, index) => view !== last[index])) last = views;
      return last;
    },
    getServerSnapshot: () => first,
  };
};
