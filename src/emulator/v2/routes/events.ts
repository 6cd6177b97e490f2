import { envelope } from '../envelope.js';
import { missing, tooMany } from '../refusals.js';
import { openEventStream } from '../event-stream.js';
import { sseHeaders } from '../server-sent-events.js';
import type { V2Handler } from '../v2-service.js';

/** `GET /jobs/{id}/events`: a snapshot of the job, then its events up to the terminal status. */
export const getEvents: V2Handler = ({ service, account, params, origin }) => {
  const { settings, faults } = service.base;
  const { switches, clock } = settings;
  const plan = faults.planStream();
  if (plan.refusal) return plan.refusal;
  const status = service.refusesStreams();
  if (status !== undefined) return envelope(status, 'upstream_error', 'No event stream is accepted now.');
  if (switches.streamLimit === 0) {
    return envelope(501, 'not_implemented', 'This server has no event streams; poll the job.');
  }
  const feed = account.jobs.get(params[0] ?? '');
  if (!feed) return missing(service, 'job');
  if (service.streams.countOf(account) >= switches.streamLimit) {
    return tooMany(service, 'too_many_streams', `${switches.streamLimit} event streams are open.`);
  }
  return {
    status: 200,
    headers: { ...sseHeaders, ...plan.headers },
    stream: (body) => {
      const sink = plan.sink(body);
      const entry = service.streams.add(account, feed.job.id);
      sink.onClose(entry.onClose);
      const { keepAliveMs } = switches;
      entry.attach(openEventStream({ feed, sink, clock, keepAliveMs, origin, onSent: entry.onSent }));
    },
  };
};
