import * as E from 'fp-ts/lib/Either.js';
import { createRest } from '../../src/core/http/rest.js';
import type { Rest } from '../../src/core/http/rest.js';
import { type FakeAnswer, fakePlatform } from './fake-platform.js';
import { httpConnection } from './http-connection.js';

type Call = () => Promise<E.Either<unknown, unknown>>;

/** A call of each endpoint; the compiler asks for the one of a new endpoint. */
const calls = {
  objectInfo: (rest) => rest.objectInfo(),
  submit: (rest) => rest.submit({ 1: { class_type: 'X', inputs: {} } }),
  jobStatus: (rest) => rest.jobStatus('job'),
  jobDetail: (rest) => rest.jobDetail('job'),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
  job: (rest) => rest.job('job'),
  history: (rest) => rest.history('job'),
  queue: (rest) => rest.queue(),
  recentJobs: (rest) => rest.recentJobs(),
  cancel: (rest) => rest.cancel(['job']),
  interrupt: (rest) => rest.interrupt(),
  user: (rest) => rest.user(),
  features: (rest) => rest.features(),
  nodeReplacements: (rest) => rest.nodeReplacements(),
  systemStats: (rest) => rest.systemStats(),
  jobAssets: (rest) => rest.jobAssets('job'),
  jobLogs: (rest) => rest.jobLogs('job'),
  signedUrl: (rest) => rest.signedUrl({ filename: 'a.png', asset: { id: 'a' } }),
  models: (rest) => rest.models('checkpoints'),
  embeddings: (rest) => rest.embeddings(),
  extensions: (rest) => rest.extensions(),
  free: (rest) => rest.free(),
  historyList: (rest) => rest.historyList(),
  engineLogs: (rest) => rest.engineLogs(),
  listUserdata: (rest) => rest.listUserdata('workflows'),
  readUserdata: (rest) => rest.readUserdata('workflows/a.json'),
  writeUserdata: (rest) => rest.writeUserdata('workflows/a.json', '{}'),
  deleteUserdata: (rest) => rest.deleteUserdata('workflows/a.json'),
  view: (rest) => rest.view({ filename: 'a.png' }),
  uploadImage: (rest) => rest.uploadImage({ content: new Uint8Array(1), filename: 'a.png' }),
  uploadMask: (rest) =>
    rest.uploadMask({ content: new Uint8Array(1), filename: 'mask.png' }, { filename: 'a.png' }),
} satisfies Readonly<Record<keyof Rest, (rest: Rest) => Call>>;

/** One call of every endpoint. */
export const everyCall = (rest: Rest): readonly Call[] => Object.values(calls).map((call) => call(rest));

/** Every error that a service's answer leads to. */
export const errorsOf = async (answer: FakeAnswer): Promise<readonly unknown[]> => {
  const platform = fakePlatform(() => answer);
  const running = everyCall(createRest(httpConnection(platform))).map((call) => call());
  await platform.clock.advance(600_000);
  return (await Promise.all(running)).filter(E.isLeft).map(({ left }) => left);
};

/** What refuses. */
export const refusingStatuses: readonly number[] = [
  302, 400, 401, 402, 403, 404, 413, 418, 422, 429, 500, 503,
];
