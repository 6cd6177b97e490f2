import { catchError, distinctUntilChanged, EMPTY, fromEvent, map, startWith, switchMap } from 'rxjs';
import { useEffect, useState } from 'react';
import type { RemoteServer } from '../../remote.js';
import { useStudio } from './use-studio.js';

const isSeen = fromEvent(document, 'visibilitychange').pipe(
  startWith(undefined),
  map(() => document.visibilityState === 'visible'),
  distinctUntilChanged(),
);

/** The servers behind the gateway, for a caller with the right to see them; a hidden tab keeps no connection open for them. */
export const useServers = (): readonly RemoteServer[] => {
  const { remote, world } = useStudio();
  const [servers, setServers] = useState<readonly RemoteServer[]>([]);
  useEffect(() => {
    if (!world.hasServers) return undefined;
    const watching = isSeen
      .pipe(
        switchMap((seen) => (seen ? remote.servers : EMPTY)),
        catchError(() => EMPTY),
      )
      .subscribe(setServers);
    return () => watching.unsubscribe();
  }, [remote, world]);
  return servers;
};
