import { concatMap, EMPTY, from, merge, Observable, scan } from 'rxjs';

/** Something that the gateway told of a job, as it came. */
export interface JobEvent {
  /** `submitted`, `status`, `output`, `progress`, `preview` or a newer name. */
  readonly name: string;
  /** By the clock of the gateway where it says so, else of the page, in milliseconds since 1970. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The most events that are kept. */
export const maxEvents = 5_000;

/** Reads what the gateway tells of a job, one JSON object a line, from its first event on, with its pictures among it; completes with the job. */
export const jobEvents = (
  open: (signal: AbortSignal) => Promise<Response>,
  now: () => number,
  pictures: Observable<JobEvent> = EMPTY,
): Observable<readonly JobEvent[]> =>
  merge(eventsOf(open, now), pictures).pipe(
    scan<JobEvent, readonly JobEvent[]>((all, event) => [...all, event].slice(-maxEvents), []),
  );

const eventsOf = (
  open: (signal: AbortSignal) => Promise<Response>,
  now: () => number,
): Observable<JobEvent> =>
  new Observable<string>((subscriber) => {
    const gone = new AbortController();
    subscriber.add(() => gone.abort());
    readLines(open, gone.signal, (line) => subscriber.next(line)).then(
      () => subscriber.complete(),
      (error: unknown) => {
        if (!gone.signal.aborted) subscriber.error(error);
      },
    );
  }).pipe(concatMap((line) => from(readEvent(line, now()))));

const readLines = async (
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  take: (line: string) => void,
): Promise<void> => {
  const answer = await open(signal);
  if (!answer.ok || answer.body === null) throw new Error(`The gateway answered ${answer.status}.`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
};

/** An event of a line; none of an empty one, by which the gateway says that it is there. */
const readEvent = (line: string, now: number): readonly JobEvent[] => {
  if (line.trim() === '') return [];
  const { event, data } = JSON.parse(line) as { readonly event?: unknown; readonly data?: JobEvent['data'] };
  if (typeof event !== 'string' || data === undefined) return [];
  const at = data['at'];
  return [{ name: event, at: typeof at === 'number' ? at : now, data }];
};
