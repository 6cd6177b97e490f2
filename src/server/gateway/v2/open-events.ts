import type { RouteContext } from './context.js';
import { jobNotFound, refusal } from './refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import type { StreamForm } from '../model/gateway-jobs.js';

/**
 * Opens the events of the job that the path names, or of all of the caller's jobs where it names none: as Server-Sent Events, or as
 * NDJSON where `Accept` asks for that.
 */
export const openEvents =
  ({ jobs }: Pick<RouteContext, 'jobs'>, view: StreamForm['view']) =>
  async (call: RouteCall): Promise<Response | Refusal> => {
    const { request, url, caller, params } = call;
    const from = url.searchParams.get('from') ?? undefined;
    if (from !== undefined && from !== 'start' && from !== 'latest') {
      return refusal(400, 'invalid_request', '`from` takes `start` or `latest`.');
    }
    const after = request.headers.get('last-event-id') ?? url.searchParams.get('after') ?? undefined;
    const format = /\bapplication\/x-ndjson\b/iu.test(request.headers.get('accept') ?? '') ? 'ndjson' : 'sse';
    const events = await jobs.stream(
      { owner: caller.name, jobId: params['id'] },
      { view, format, base: call.base, previewTicket: call.previewTicket },
      { after: after === '' ? undefined : after, from },
      { aborted: request.signal, revoked: call.revoked, ended: call.ended, hold: call.hold },
    );
    if (events === undefined) return jobNotFound;
    // An `EventSource` comes back after each end, unless it is told that there is nothing more.
    if (events === 'over') {
      call.ended();
      return new Response(null, { status: 204 });
    }
    return new Response(events as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers: {
        'content-type': format === 'sse' ? 'text/event-stream' : 'application/x-ndjson',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  };
