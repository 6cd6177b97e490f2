import { type HttpClient, mayHelp, type ReadAnswer, type RemoteRequest } from './http-client.js';
import { defer, type Observable } from 'rxjs';
import { noGateway, readBy } from './read-answer.js';
import { readLines } from './read-lines.js';
import { readStreamEvent, type StreamEvent } from './stream-event.js';
import type { RemoteConnection } from './connection.js';
import type { PageWorld } from '../../core/platform/page.js';
import { callError } from '../../core/errors/call-error.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { Tokens } from './tokens.js';

/** A gateway gives a sign of life every 15 seconds. */
const silenceMs = 45_000;

/** Where a stream begins, and who else gets its events. */
export interface StreamPlace {
  /** The id of the last event that is known; default none, and the stream begins with a snapshot. */
  readonly after?: string | undefined;
  /** Gets each event as it came. */
  readonly came?: ((event: unknown) => void) | undefined;
}

/**
 * The events of all jobs of the caller by one connection, from a snapshot on, without a hole and without an end: it reconnects by
 * itself, goes on after the last event, and errors only where the gateway refuses it.
 */
export const eventStream = (
  { request, delayOf }: HttpClient,
  { clock }: PageWorld,
  tokens: Tokens,
  report: (connection: RemoteConnection) => void,
  { after: start, came }: StreamPlace = {},
): Observable<StreamEvent> =>
  defer(() => {
    let failures = 0;
    let after = start;
    let empty = 0;
    const place = (): RemoteRequest => {
      report({ _tag: 'connecting' });
      const resume: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
      return { path: '/events', headers: { accept: 'application/x-ndjson', ...resume } };
    };
    const read: ReadAnswer<StreamEvent> = async ({ body, headers }, next) => {
      // Another server than a gateway may answer with anything, also with nothing, for ever.
      if (!isStream(headers)) {
        await body?.cancel();
        throw noGateway('its answer is no stream of events');
      }
      const token = await tokens.get();
      report({ _tag: 'open' });
      const line = (text: string): void => {
        let raw: unknown;
        const event = readBy((value) => readStreamEvent((raw = value)), text);
        if (event.type === 'revoked') tokens.drop(token);
        after = event.id;
        failures = 0;
        empty = 0;
        came?.(raw);
        next(event);
      };
      empty += 1;
      await readLines(body, { clock, silenceMs, line });
      if (empty >= maxEmpty) throw noGateway('its stream of events is empty');
      throw callError('Network', { code: 'ENDED', sent: true, message: 'The stream of events ended.' });
    };
    const retryDelay = (error: ServiceError): number | undefined => {
      if (!mayHelp(error)) {
        report({ _tag: 'failed', reason: error.message });
        return undefined;
      }
      const delayMs = delayOf(error, failures);
      failures += 1;
      report({ _tag: 'waiting', delayMs, reason: error.message });
      return delayMs;
    };
    return request(place, read, { retryDelay });
  });

const isStream = (headers: Headers): boolean =>
  /^application\/x-ndjson(?:;|$)|^$/iu.test(headers.get('content-type') ?? '');

/** How many streams without an event prove that the server is not a gateway, which begins each one with an event. */
const maxEmpty = 4;
