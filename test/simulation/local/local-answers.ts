import type { HttpRequest } from '../../../src/core/platform/platform.js';
import type { LoggedRequest } from '../ledger.js';
import type { Answer } from '../sim-rest.js';
import type { LocalAsk } from './local-job.js';
import { bodyOf } from './local-route-of.js';
import type { LocalServer } from './local-server.js';
import { pythonJson } from './python-json.js';

/** What the answers depend on. */
export interface LocalAnswersOptions {
  readonly server: LocalServer;
  /** Accepts the submission of a plan and returns its id. */
  readonly submit: (correlation: number, ask: LocalAsk) => string;
}

/** The true answers of the local server: no keys, no status of a job, and no body where it only obeys. */
export const localAnswers =
  ({ server, submit }: LocalAnswersOptions) =>
  ({ route, promptId = '', correlation = -1 }: LoggedRequest, { json, method }: HttpRequest): Answer => {
    switch (route) {
      case 'submit': {
        const { prompt_id: asked, client_id: clientId } = bodyOf(json);
        const ask = {
          clientId: typeof clientId === 'string' ? clientId : undefined,
          ...(typeof asked === 'string' ? { promptId: asked } : {}),
        };
        const accepted = submit(correlation, ask);
        const { number } = server.jobs.byId.get(accepted)!;
        return answer({ prompt_id: accepted, number, node_errors: {} });
      }
      case 'queue':
        return { status: 200, headers: jsonText, body: queueOf(server) };
      case 'history': {
        const record = server.history.get(promptId);
        return answer(record === undefined ? {} : { [promptId]: record });
      }
      case 'cancel': {
        const { delete: ids, clear } = bodyOf(json);
        if (clear === true) server.remove(() => true);
        if (Array.isArray(ids)) server.remove((job) => ids.includes(job.promptId));
        return done;
      }
      case 'interrupt':
        server.interrupt(promptId === '' ? undefined : promptId);
        return done;
      default:
        return method === 'GET' ? notFound : { ...notFound, status: 405, body: '405: Method Not Allowed' };
    }
  };

const jsonText = { 'content-type': 'application/json; charset=utf-8' };
const octets = { 'content-type': 'application/octet-stream' };

const answer = (body: unknown): Answer => ({ status: 200, headers: jsonText, body: pythonJson(body) });

const done: Answer = { status: 200, headers: octets, body: '' };

const notFound: Answer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '404: Not Found',
};

const queueOf = (server: LocalServer): string => {
  const running = server.running();
  const pending = server.pending().map(({ listed }) => listed);
  return `{"queue_running": [${running?.listed ?? ''}], "queue_pending": [${pending.join(', ')}]}`;
};
