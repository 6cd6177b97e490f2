import type { AfterKill } from './kill-gateway.js';
import type { Dialect } from '../../../src/node.js';
import type { Seen } from './read-stream.js';

/** Says what a gateway got wrong that was killed and started again. */
export const judgeKill = (played: AfterKill, dialect: Dialect): readonly string[] => [
  ...(played.ledger.every(({ mark }) => typeof mark === 'string')
    ? []
    : ['a job of the service without a mark']),
  ...played.sent.flatMap((sent) => judgeJob(played, sent.mark, dialect)),
  ...(played.ledgerAfterwards.length === played.ledger.length
    ? []
    : ['a key that was used before the kill made another job']),
  ...played.shown.map((path) => `another caller was shown ${path}`),
  ...(played.second.code !== 0 && played.second.stderr.includes('has the folder')
    ? []
    : [`a second process on the folder ended with ${String(played.second.code)}`]),
  ...played.readers.flatMap(judgeReader),
  ...played.replays.flatMap(judgeReplay),
];

const judgeJob = (
  { sent, ledger, listed, repeated }: AfterKill,
  mark: string,
  dialect: Dialect,
): readonly string[] => {
  const wrong = (problem: string): readonly string[] => [`${mark}: ${problem}`];
  const own = sent.find((one) => one.mark === mark);
  const entries = ledger.filter((entry) => entry.mark === mark);
  const jobs = listed.filter((job) => job.mark === mark);
  const [entry] = entries;
  const [job] = jobs;
  if (own?.status !== undefined && own.status !== 201) return wrong(`it was answered ${own.status}`);
  if (entries.length > 1) return wrong(`${entries.length} jobs of the service`);
  if (jobs.length > 1) return wrong(`${jobs.length} jobs in the list`);
  if (own?.id !== undefined && job?.id !== own.id) return wrong('an answered job is not known');
  if (job === undefined)
    return entry === undefined ? [] : wrong('the service runs a job that no caller knows');
  const again = repeated.get(mark);
  if (again?.status !== 201 || again.id !== job.id) {
    return wrong(`its key used again was answered ${again?.status} and ${again?.id}`);
  }
  // A service that gives jobs their ids can't prove that a submission never came.
  if (job.phase === 'unknown' && dialect !== 'local' && entry === undefined) return [];
  const truth = entry === undefined ? 'failed' : entry.state;
  return job.phase === truth ? [] : wrong(`${job.phase} in place of ${truth}`);
};

const judgeReader = ({ id, before, after }: AfterKill['readers'][number]): readonly string[] => {
  const hadEnd = before.some(isEnd);
  // Snapshots and progress are states, which a resumed reader gets anew.
  const events = [...before, ...after].filter(
    ({ event }) => !['snapshot', 'progress', 'preview'].includes(event),
  );
  const ids = events.map((event) => event.id);
  return [
    ...(after.some(({ event }) => event === 'gap') ? [`a gap in ${id}, though nothing is lost`] : []),
    ...(new Set(ids).size < ids.length ? [`an event twice in ${id}`] : []),
    ...(hadEnd || after.some(isEnd) ? [] : [`a reader of ${id} never got the end`]),
  ];
};

const judgeReplay = ({ whole, tails }: AfterKill['replays'][number]): readonly string[] => {
  const text = (events: readonly Seen[]): string =>
    JSON.stringify(events.filter(({ event }) => event !== 'progress').map(({ id, data }) => [id, data]));
  const wrong = tails.filter((tail, at) => text(tail) !== text(whole.slice(at + 1)));
  return [
    ...(whole.some(isEnd) ? [] : ['a stream of a job that has ended does not replay to its end']),
    ...(wrong.length === 0 ? [] : [`${wrong.length} resumed streams of a job that has ended differ`]),
  ];
};

const isEnd = ({ data }: Seen): boolean =>
  /"phase":"(?:completed|failed|cancelled|untraceable|unknown)"/u.test(JSON.stringify(data));
