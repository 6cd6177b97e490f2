import type { ClientStop } from '../../core/http/client-stop.js';
import { distinctUntilChanged, map, type Observable, scan, startWith } from 'rxjs';
import type { PoolServers } from './pool-servers.js';

/** Whether all servers refuse submissions: then why the first of them does. */
export const stopsOf = (servers: Pick<PoolServers, 'each' | 'all'>): Observable<ClientStop> =>
  servers
    .each(({ name, client }) => client.stops.pipe(map((stop) => ({ name, stop }))))
    .pipe(
      scan(
        (stops, { name, stop }) => new Map(stops).set(name, stop),
        new Map<string, ClientStop>() as ReadonlyMap<string, ClientStop>,
      ),
      map((stops) => {
        const known = [...servers.all.keys()].map((name) => stops.get(name) ?? none);
        return known.find(({ _tag }) => _tag === 'none') ?? known[0] ?? none;
      }),
      startWith(none),
      distinctUntilChanged(),
    );

const none: ClientStop = { _tag: 'none' };
