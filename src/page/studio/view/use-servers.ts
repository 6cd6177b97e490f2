import { catchError, EMPTY, switchMap } from 'rxjs';
import { useEffect, useState } from 'react';
import type { RemoteServer } from '../../../remote.js';
import { useStudio } from './use-studio.js';

/** The servers behind the gateway, for a caller with the right to see them. */
export const useServers = (): readonly RemoteServer[] => {
  const { remote, world } = useStudio();
  const [servers, setServers] = useState<readonly RemoteServer[]>([]);
  useEffect(() => {
    if (!world.hasServers) return undefined;
    const watching = world.seen
      .pipe(
        switchMap((isSeen) => (isSeen ? remote.servers : EMPTY)),
        catchError(() => EMPTY),
      )
      .subscribe(setServers);
    return () => watching.unsubscribe();
  }, [remote, world]);
  return servers;
};
