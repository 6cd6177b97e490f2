import {
  absoluteLinks,
  ended,
  envelope,
  foreignLinks,
  job,
  jobError,
  jpegBase64,
  output,
  progress,
  running,
} from './documents.js';
import type { Frame, Story } from './story.js';

/** How a job of a story ends for a client that follows it. */
export interface EndedStory extends Story {
  /** Whether every document is as the published description has it. */
  readonly isOfContract?: true;
  readonly phase: 'completed' | 'failed' | 'cancelled';
  /** The names of its files. */
  readonly files?: readonly string[];
  /** What the failure says, where the service says it. */
  readonly failure?: { readonly type?: string; readonly message?: string; readonly nodeId?: string };
}

const queued: Frame = ['status', { status: 'queued', queue_position: 1 }];
const runs: Frame = ['status', { status: 'running', queue_position: null }];
const succeeded: Frame = ['status', { status: 'succeeded' }];
const halfway: Frame = ['progress', progress(0.4)];
const preview: Frame = ['preview', { node_id: '3', content_type: 'image/jpeg', data_base64: jpegBase64 }];
const picture: Frame = ['output', output()];
const good = ended({ status: 'succeeded', outputs: [output()] });
const failed = ended({ status: 'failed', error: jobError() });

/** A run as the description has it: a snapshot, updates, the final status, the end of the stream. */
const wholeRun: readonly Frame[] = [queued, runs, halfway, preview, ': keepalive\n\n', picture, succeeded];

const completes = { phase: 'completed', files: ['lighthouse_00001_.png'] } as const;

/** Stories that end; what the description leaves open comes in each of its readings. */
export const endedStories: readonly EndedStory[] = [
  {
    ...completes,
    title: 'a run as published, with links that begin with a slash',
    isOfContract: true,
    polls: [job(), running({ progress: progress(0.4) }), good],
    streams: [{ frames: wholeRun, end: 'closed' }],
  },
  {
    ...completes,
    title: 'absolute links',
    isOfContract: true,
    polls: [
      job({ urls: absoluteLinks }),
      ended({ status: 'succeeded', outputs: [output()], urls: absoluteLinks }),
    ],
    streams: [{ frames: wholeRun, end: 'closed' }],
  },
  {
    ...completes,
    title: 'the API mounted below a path, which the links contain',
    isOfContract: true,
    mount: '/deployment/d-17',
    polls: [job(), good],
    streams: [{ frames: wholeRun, end: 'closed' }],
  },
  {
    ...completes,
    title: 'links without texts, which a client makes from the id',
    polls: [job({ urls: { self: '', events: '', cancel: '' } }), { ...good, urls: {} }],
    streams: [{ frames: wholeRun, end: 'closed' }],
  },
  {
    ...completes,
    title: 'a server without streams',
    isOfContract: true,
    polls: [job(), running(), good],
  },
  {
    ...completes,
    title: 'no progress at all while the job runs',
    isOfContract: true,
    polls: [job(), running({ progress: null }), running({ progress: null }), good],
    streams: [{ frames: [runs, succeeded], end: 'closed' }],
  },
  {
    ...completes,
    title: 'the proxy: other times, no hash and no size, nodes 0 of 0, an output behind the final status',
    polls: [
      job({ created_at: '2026-08-01T12:00:00.123456+00:00', expires_at: '2026-08-02T12:00:00.123456+00:00' }),
      ended({
        status: 'succeeded',
        completed_at: '2026-08-01T12:00:09+00:00',
        outputs: [output('lighthouse_00001_.png', { size_bytes: 0, hash: null, url_expires_at: null })],
        metrics: undefined,
        error: undefined,
      }),
    ],
    streams: [
      {
        frames: [runs, ['progress', progress(0.5, { nodes_done: 0, nodes_total: 0 })], succeeded, picture],
        end: 'closed',
      },
    ],
  },
  {
    ...completes,
    title: 'members, events and states of a later version',
    polls: [
      job({ priority: 3, labels: [{ a: 1 }], urls: { ...(job().urls as object), retry: '/r', logs: '/l' } }),
      running({ status: 'provisioning' }),
      running({ progress: { ...progress(0.5), eta_ms: 12 } }),
      ended({ status: 'succeeded', outputs: [output('lighthouse_00001_.png', { rating: { score: 1 } })] }),
    ],
    streams: [
      {
        frames: [
          'id: 17\nretry: 1\nevent: status\ndata: {"status":"provisioning","region":"x"}\n\n',
          ['metric', { watts: 300 }],
          'data: {"status":"no name"}\n\n',
          ['log', { level: 'info', message: 'hello' }],
          runs,
          halfway,
          succeeded,
        ],
        end: 'closed',
      },
    ],
  },
  {
    ...completes,
    title:
      'frames in every legal spelling: CRLF, CR, a byte order mark, several data lines, cuts inside characters',
    polls: [job(), running(), good],
    streams: [
      {
        frames: [
          '\uFEFFevent: status\r\ndata: {"status":"running"}\r\n\r\n',
          'event:progress\rdata:{"value":0.5,"nodes_done":1,\rdata:"nodes_total":2,"message":"gr',
          Buffer.from('ün').subarray(0, 1),
          Buffer.from('ün').subarray(1, 2),
          Buffer.from('ün').subarray(2),
          '"}\r\r:\n\n',
          'event: status\ndata: {"status":"succeeded"}\n\n',
        ],
        end: 'closed',
      },
    ],
  },
  {
    ...completes,
    title: 'frames whose data is no JSON or no object',
    polls: [job(), running(), good],
    streams: [
      {
        frames: [
          'event: status\ndata: {"status"\n\n',
          'event: progress\ndata: 7\n\n',
          'event: preview\ndata: null\n\n',
          'event: output\ndata: []\n\n',
          ['preview', { node_id: null, content_type: null, data_base64: '%%%' }],
          ['progress', { value: 'half' }],
          succeeded,
        ],
        end: 'closed',
      },
    ],
  },
  {
    ...completes,
    title: 'a stream that ends in order without a final status, again and again',
    polls: [job(), running(), running(), running(), good],
    streams: [{ frames: [runs, halfway], end: 'closed' }],
  },
  {
    ...completes,
    title: 'a stream that is cut inside a frame, and starts over with less progress',
    polls: [job(), running(), running(), good],
    streams: [
      { frames: [runs, halfway, ['progress', progress(0.8)]], end: 'cut' },
      { frames: [runs, ['progress', progress(0.3)], succeeded], end: 'closed' },
    ],
  },
  {
    ...completes,
    title: 'a final status without its empty line',
    polls: [job(), running(), good],
    streams: [{ frames: [runs, 'event: status\ndata: {"status":"succeeded"}\n'], end: 'closed' }],
  },
  {
    ...completes,
    title: 'a stream that stays open and says nothing of the end',
    polls: [job(), running(), good],
    streams: [{ frames: [runs], end: 'open' }],
  },
  {
    ...completes,
    title: 'too many streams, and Retry-After 0',
    polls: [job(), running(), running(), good],
    streams: [{ status: 429, body: envelope('too_many_streams'), headers: { 'retry-after': '0' } }],
  },
  {
    ...completes,
    title: 'streams that a gateway answers with 204 and a page',
    polls: [job(), running(), running(), good],
    streams: [
      { status: 204 },
      { status: 200, body: '<html>sign in</html>' },
      { status: 404, body: envelope('not_found') },
    ],
  },
  {
    ...completes,
    title: 'polls that fail for a while: 500, 429, a page, a 404 just after the 201',
    polls: [
      { status: 404, body: envelope('job_not_found') },
      { status: 500, body: envelope('upstream_error') },
      { status: 429, body: envelope('rate_limited'), headers: { 'retry-after': '1' } },
      { status: 502, body: '<html>bad gateway</html>' },
      running(),
      good,
    ],
    submissions: [{ status: 201, body: job() }],
  },
  {
    phase: 'completed',
    title: 'outputs of every kind, of a kind of its own, and 3D',
    files: ['a.png', 'b.mp4', 'c.flac', 'd.txt', 'e.glb', 'f.latent', 'g.bin', 'h.usdz'],
    polls: [
      job(),
      ended({
        status: 'succeeded',
        outputs: [
          output('a.png'),
          output('b.mp4', { type: 'video', content_type: 'video/mp4' }),
          output('c.flac', { type: 'audio', content_type: 'audio/flac', node_id: '10' }),
          output('d.txt', { type: 'text', content_type: 'text/plain' }),
          output('e.glb', { type: '3d', content_type: 'model/gltf-binary' }),
          output('f.latent', { type: 'latent', content_type: 'application/octet-stream' }),
          output('g.bin', { type: 'file', content_type: 'application/octet-stream' }),
          output('h.usdz', { type: 'hologram', content_type: 'model/vnd.usdz+zip' }),
        ],
      }),
    ],
  },
  {
    phase: 'completed',
    title: 'no outputs at all',
    files: [],
    isOfContract: true,
    polls: [job(), ended({ status: 'succeeded' })],
    streams: [{ frames: [runs, succeeded], end: 'closed' }],
  },
  {
    title: 'a node that fails',
    phase: 'failed',
    isOfContract: true,
    failure: { message: 'Allocation on device', nodeId: '3' },
    polls: [job(), running(), failed],
    streams: [{ frames: [runs, halfway, ['status', { status: 'failed' }]], end: 'closed' }],
  },
  {
    title: 'a failure that nothing explains',
    phase: 'failed',
    polls: [job(), ended({ status: 'failed', error: null })],
    streams: [{ frames: [['status', { status: 'failed' }]], end: 'closed' }],
  },
  {
    title: 'a job that the service gave up, without an error',
    phase: 'failed',
    isOfContract: true,
    failure: { type: 'Expired' },
    polls: [job(), running(), ended({ status: 'expired' })],
    streams: [{ frames: [runs, ['status', { status: 'expired' }]], end: 'closed' }],
  },
  {
    title: 'a job that the service gave up, with an error',
    phase: 'failed',
    isOfContract: true,
    failure: { type: 'Expired', message: 'maximum runtime' },
    polls: [
      job(),
      running(),
      ended({ status: 'expired', error: { code: 'timeout', message: 'maximum runtime' } }),
    ],
  },
  {
    title: 'a job that another program cancels',
    phase: 'cancelled',
    isOfContract: true,
    polls: [job(), running({ status: 'canceling' }), ended({ status: 'canceled' })],
    streams: [
      {
        frames: [runs, ['status', { status: 'canceling' }], ['status', { status: 'canceled' }]],
        end: 'closed',
      },
    ],
  },
  {
    ...completes,
    title: 'a job whose own end is faster than its cancel',
    isOfContract: true,
    polls: [job(), running({ status: 'canceling' }), good],
    streams: [{ frames: [['status', { status: 'canceling' }], succeeded], end: 'closed' }],
  },
  {
    ...completes,
    title: 'links to another name of the server, where the key must not go',
    polls: [
      job({ urls: foreignLinks }),
      ended({ status: 'succeeded', outputs: [output()], urls: foreignLinks }),
    ],
  },
];
