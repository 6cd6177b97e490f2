import { readStream } from './read-stream.js';

/** What many readers of jobs saw, each to the end of its job. */
export interface ManyReaders {
  readonly readers: number;
  /** Readers that saw the terminal state of their job. */
  readonly ended: number;
  readonly problems: readonly string[];
}

/** A process with many readers, each on a connection of its own: of one job in either vocabulary, or of all jobs. Writes what they saw. */
const [address = '', ids = '', count = '0'] = process.argv.slice(2);
const jobs = ids.split(',');

const read = async (nth: number): Promise<string | undefined> => {
  const job = jobs[nth % jobs.length]!;
  const view = ['native', 'v2', 'all', 'lines'][nth % 4]!;
  const path = {
    native: `/jobs/${job}/events`,
    v2: `/api/v2/jobs/${job}/events`,
    all: '/events',
    lines: `/jobs/${job}/events`,
  }[view]!;
  const format = view === 'lines' ? 'ndjson' : 'sse';
  const response = await fetch(`${address}${path}`, {
    headers: format === 'ndjson' ? { accept: 'application/x-ndjson' } : {},
  });
  if (response.status !== 200) return `${view} was answered ${response.status}`;
  const reading = readStream(response.body!, format, 100_000);
  for (;;) {
    const event = await reading.next();
    if (typeof event === 'string') return `${view}: ${event} before the end of its job`;
    if (hasEnded(event.event, event.data, job)) break;
  }
  await reading.cut();
  return undefined;
};

/** Whether an event tells that the job has completed, in any of the vocabularies. */
const hasEnded = (event: string, data: Record<string, unknown>, job: string): boolean => {
  if (event === 'snapshot') {
    const listed = data['jobs'] as readonly {
      readonly id: string;
      readonly state: { readonly phase: string };
    }[];
    return listed.some(({ id, state }) => id === job && state.phase === 'completed');
  }
  if (event !== 'status') return false;
  const { phase } = (data['status'] ?? {}) as { readonly phase?: string };
  return data['status'] === 'succeeded' || (data['job'] === job && phase === 'completed');
};

const outcomes = await Promise.all(
  Array.from({ length: Number(count) }, (_, nth) => read(nth).catch((error: unknown) => String(error))),
);
const problems = outcomes.filter((outcome) => outcome !== undefined);
const answer: ManyReaders = {
  readers: outcomes.length,
  ended: outcomes.length - problems.length,
  problems: [...new Set(problems)].slice(0, 5),
};
process.stdout.write(JSON.stringify(answer));
