import type { Client } from '../client-types.js';
import type { Clock } from '../../core/platform/platform.js';
import { defer, EMPTY, expand, from, map, type Observable, race, switchMap, take } from 'rxjs';
import * as E from '../../core/protocol/either.js';
import type { DeviceStats, SystemStats } from '../../core/endpoints/system-stats.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { timerOn } from '../../core/platform/timer.js';

/** What an attempt to reach a server has shown. */
export type Probe =
  | { readonly isUp: true; readonly memory?: { readonly total: number; readonly free: number } }
  | { readonly isUp: false; readonly reason: string };

/** How often a server that answers is asked, while there is work. */
const everyMs = 10_000;
const firstAgainMs = 1_000;
const longestMs = 30_000;
/** How long it may take to answer. */
const withinMs = 5_000;

/**
 * Probes a server for as long as `active` says: at once, then every ten seconds; while it is down after one second, two, four and so on up
 * to 30. `hint` asks at once.
 *
 * Whatever a server answers, it is up; only one that can't be reached, stays silent or answers with a status from 500 is down.
 */
export const probes = (
  client: Pick<Client, 'rest'>,
  clock: Pick<Clock, 'after'>,
  active: Observable<boolean>,
  hint: Observable<unknown>,
): Observable<Probe> => {
  const ask = probe(client);
  const wait = (misses: number): Observable<unknown> =>
    timerOn(clock, misses === 0 ? everyMs : Math.min(longestMs, firstAgainMs * 2 ** (misses - 1)));
  const asked = ask.pipe(
    map((answer) => ({ answer, misses: answer.isUp ? 0 : 1 })),
    expand(({ misses }) =>
      race(wait(misses), hint).pipe(
        take(1),
        switchMap(() => ask),
        map((answer) => ({ answer, misses: answer.isUp ? 0 : misses + 1 })),
      ),
    ),
    map(({ answer }) => answer),
  );
  return active.pipe(switchMap((isActive) => (isActive ? asked : EMPTY)));
};

/** Asks a server once whether it is there; cold. */
export const probe = ({ rest }: Pick<Client, 'rest'>): Observable<Probe> =>
  defer(() => from(rest.systemStats({ timeoutMs: withinMs })())).pipe(map(probeOf));

const probeOf = (answer: E.Either<ServiceError, SystemStats>): Probe => {
  if (E.isRight(answer)) return { isUp: true, ...memoryOf(answer.right) };
  const { _tag, message, status = 0 } = answer.left;
  return _tag === 'Network' || _tag === 'Timeout' || status >= 500
    ? { isUp: false, reason: message }
    : { isUp: true };
};

/** The memory of all its devices; absent if it tells none. */
const memoryOf = ({ devices }: SystemStats): Pick<Probe & { readonly isUp: true }, 'memory'> => {
  const sum = (member: 'vram_total' | 'vram_free'): number =>
    devices.reduce((all, device: DeviceStats) => all + (Number(device[member]) || 0), 0);
  return sum('vram_total') === 0 ? {} : { memory: { total: sum('vram_total'), free: sum('vram_free') } };
};
