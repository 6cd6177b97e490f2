import { answers, type Operations } from './operation.js';
import { server, servers, serversEvent } from '../contract/servers.js';
import * as t from 'io-ts';

const refusals = [403, 501];
const changed = answers('The server, which may still run jobs.', server);

/** The operations on the servers behind the gateway. */
export const serverOperations: Operations = {
  'GET /servers': {
    ...{ id: 'listServers', tag: 'Servers', summary: 'List the servers behind the gateway' },
    answers: { 200: answers('All of them, as they are now.', servers) },
    refusals,
  },
  'GET /servers/events': {
    ...{ id: 'streamServers', tag: 'Servers', summary: 'Follow the servers behind the gateway' },
    answers: {
      200: {
        description:
          'All servers, now and after each change, until the reader leaves; of several quick changes the last one counts.',
        content: { 'text/event-stream': t.string, 'application/x-ndjson': serversEvent },
      },
    },
    refusals,
  },
  'POST /servers/:name/pause': {
    ...{ id: 'pauseServer', tag: 'Servers', summary: 'Give a server no new jobs' },
    answers: { 200: changed },
    refusals: [...refusals, 404],
  },
  'POST /servers/:name/resume': {
    ...{ id: 'resumeServer', tag: 'Servers', summary: 'Give a server jobs again' },
    answers: { 200: changed },
    refusals: [...refusals, 404],
  },
  'POST /servers/:name/drain': {
    ...{
      id: 'drainServer',
      tag: 'Servers',
      summary: 'Give a server no new jobs, as it is to be taken away once it is idle',
    },
    answers: { 200: changed },
    refusals: [...refusals, 404],
  },
};
