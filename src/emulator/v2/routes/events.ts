import { envelope } from '../envelope.js';
import { missing, tooMany } from '../refusals.js';
import { openEventStream } from '../event-stream.js';
import { sseHeaders } from '../server-sent-events.js';
import type { V2Handler } from '../v2-service.js';

/** `GET /jobs/{id}/events`: a snapshot of the job, then its events up to the terminal status. */
export const getEvents: V2Handler = ({ service, account, params, origin }) => {
  const { switches, clock } = service.base.settings;
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
    headers: sseHeaders,
    stream: (sink) => {
      const entry = service.streams.add(account, feed.job.id);
      sink.onClose(entry.onClose);
      const { keepAliveMs } = switches;
      entry.attach(openEventStream({ feed, sink, clock, keepAliveMs, origin, onSent: entry.onSent }));
    },
  };
};
