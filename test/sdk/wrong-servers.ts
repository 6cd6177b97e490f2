import type { RelayChanges, RelayedAnswer } from './relay.js';

/** A server that does one thing otherwise, and the scenarios that have to notice. */
export interface WrongServer {
  readonly wrong: string;
  readonly changes: RelayChanges;
  readonly noticedBy: readonly number[];
}

type Doc = Record<string, unknown>;

/** Changes the answers of the calls that match. */
const answers = (
  call: RegExp,
  change: (answer: RelayedAnswer) => Partial<RelayedAnswer>,
): Pick<RelayChanges, 'answer'> => ({
  answer: (asked, answer) => (call.test(asked) ? { ...answer, ...change(answer) } : answer),
});

/** Changes the JSON of the answers of the calls that match. */
const documents = (call: RegExp, change: (doc: Doc) => unknown): Pick<RelayChanges, 'answer'> =>
  answers(call, ({ body }) => ({
    body: Buffer.from(JSON.stringify(change(JSON.parse(body.toString()) as Doc))),
  }));

const aJob = /^(POST \/jobs|GET \/jobs\/[^/]+|POST \/jobs\/[^/]+\/cancel)$/u;
const aCancel = /^POST \/jobs\/[^/]+\/cancel$/u;

const without = (doc: Doc, name: string): Doc =>
  Object.fromEntries(Object.entries(doc).filter(([key]) => key !== name));

/** Mistakes that a server of API v2 may well make. */
export const wrongServers: readonly WrongServer[] = [
  {
    wrong: 'answers a submission with 200',
    changes: answers(/^POST \/jobs$/u, ({ status }) => (status === 201 ? { status: 200 } : {})),
    noticedBy: [1, 2],
  },
  {
    wrong: 'writes times with +00:00',
    changes: documents(aJob, (doc) => ({ ...doc, created_at: '2026-08-01T12:00:00+00:00' })),
    noticedBy: [2],
  },
  { wrong: 'takes a key twice', changes: { withoutHeader: 'idempotency-key' }, noticedBy: [3] },
  {
    wrong: 'names no nodes in a refusal',
    changes: answers(/^POST \/jobs$/u, ({ status, body }) =>
      status === 422
        ? { body: Buffer.from('{"error":{"code":"invalid_workflow","message":"no","details":{}}}') }
        : { body },
    ),
    noticedBy: [4, 5],
  },
  {
    wrong: 'gives addresses of outputs without an origin',
    changes: documents(aJob, (doc) =>
      Array.isArray(doc['outputs'])
        ? { ...doc, outputs: (doc['outputs'] as Doc[]).map((output) => ({ ...output, url: '/api/v2/x' })) }
        : doc,
    ),
    noticedBy: [15],
  },
  {
    wrong: 'sends the traceback as a list',
    changes: documents(aJob, (doc) =>
      doc['error'] === null ? doc : { ...doc, error: { ...(doc['error'] as Doc), traceback: ['line'] } },
    ),
    noticedBy: [16],
  },
  {
    wrong: 'says not_found of jobs',
    changes: answers(/^GET \/jobs\//u, ({ status, body }) => ({
      body: status === 404 ? Buffer.from('{"error":{"code":"not_found","message":"no"}}') : body,
    })),
    noticedBy: [17],
  },
  {
    wrong: 'leaves error out where there is none',
    changes: documents(aJob, (doc) => (doc['error'] === null ? without(doc, 'error') : doc)),
    noticedBy: [18],
  },
  {
    wrong: 'begins streams with progress',
    changes: {
      events: (text) =>
        text.replace(
          /^event: status/u,
          'event: progress\ndata: {"value":0,"nodes_done":0,"nodes_total":1}\n\n$&',
        ),
    },
    noticedBy: [19],
  },
  {
    wrong: 'ends streams without the final status',
    changes: {
      events: (text) => text.replaceAll(/event: status\ndata: [^\n]*"(?:succeeded|failed)".*\n\n/gu, ''),
    },
    noticedBy: [22, 23],
  },
  {
    wrong: 'sends previews of another type than it says',
    changes: { events: (text) => text.replaceAll(/"image\/(?:jpeg|png)"/gu, '"image/webp"') },
    noticedBy: [27],
  },
  {
    wrong: 'calls cancelled jobs expired',
    changes: documents(aJob, (doc) => (doc['status'] === 'canceled' ? { ...doc, status: 'expired' } : doc)),
    noticedBy: [31, 32],
  },
  {
    wrong: 'answers a cancel with 202',
    changes: answers(aCancel, ({ status }) => (status === 200 ? { status: 202 } : {})),
    noticedBy: [33],
  },
  {
    wrong: 'leaves the outputs out of the answer to a cancel',
    changes: documents(aCancel, (doc) => ({ ...doc, outputs: [] })),
    noticedBy: [33],
  },
  {
    wrong: 'knows every hash',
    changes: answers(/^HEAD \/assets\/by-hash\//u, () => ({ status: 200 })),
    noticedBy: [35, 37],
  },
  {
    wrong: 'knows no hash',
    changes: answers(/^HEAD \/assets\/by-hash\//u, () => ({ status: 404 })),
    noticedBy: [36],
  },
  {
    wrong: 'answers a deletion with 200',
    changes: answers(/^DELETE /u, ({ status }) => (status === 204 ? { status: 200 } : {})),
    noticedBy: [41],
  },
  {
    wrong: 'sends other bytes than it announced',
    changes: answers(/^GET \/assets\/[^/]+\/content$/u, ({ status, body }) =>
      status === 200 ? { body: body.subarray(1) } : {},
    ),
    noticedBy: [44],
  },
  {
    wrong: 'answers 403 to a missing key',
    changes: answers(/./u, ({ status }) => (status === 401 ? { status: 403 } : {})),
    noticedBy: [48],
  },
  {
    wrong: 'adds a node to workflows',
    changes: documents(/^GET \/jobs\/[^/]+\/workflow$/u, (doc) => ({
      ...doc,
      workflow: { ...(doc['workflow'] as Doc), extra: {} },
    })),
    noticedBy: [49],
  },
  {
    wrong: 'has a page for paths that are not there',
    changes: answers(/^GET \/nothing/u, () => ({
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html>404</html>'),
    })),
    noticedBy: [52],
  },
  {
    wrong: 'answers requests for logs with an empty 200',
    changes: answers(/\/logs$/u, () => ({ status: 200 })),
    noticedBy: [50],
  },
];
