import { defer, fromEvent, map, type Observable, of } from 'rxjs';

/** Emits once the signal is aborted, at once if it is already. */
export const aborted = (signal: AbortSignal): Observable<void> =>
  defer(() => (signal.aborted ? of(undefined) : fromEvent(signal, 'abort').pipe(map(() => undefined))));
