import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { causeOf } from './helpers/cause-of.js';
import type { Client } from '../src/client/client-types.js';
import { createClientOn } from '../src/client/client.js';
import { fakePlatform } from './helpers/fake-platform.js';
import { fromTaskEither } from '../src/core/interop/from-task-either.js';
import type { ServiceError } from '../src/core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { EngineRest } from '../src/core/http/engine-rest.js';
import type { Rest } from '../src/core/http/rest.js';
import type { V2Rest } from '../src/core/http/v2-rest.js';
import { toPromise } from '../src/core/interop/to-promise.js';

const workflow = { 9: { class_type: 'SaveImage', inputs: {} } };
const file = { filename: 'a.png' };
const source = { content: new Blob(['x']), filename: 'a.png' };

/** Every call that sends a request in both dialects: some calls are of API v2 alone, and some of an engine. */
const restCalls: {
  readonly [Name in Exclude<keyof Rest, keyof (EngineRest & V2Rest)>]: (rest: Rest) => ReturnType<Rest[Name]>;
} = {
  objectInfo: (rest) => rest.objectInfo(),
  uploadImage: (rest) => rest.uploadImage(source),
  uploadMask: (rest) => rest.uploadMask(source, file),
  submit: (rest) => rest.submit(workflow),
  jobStatus: (rest) => rest.jobStatus('p'),
  jobDetail: (rest) => rest.jobDetail('p'),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
  job: (rest) => rest.job('p'),
  history: (rest) => rest.history('p'),
  view: (rest) => rest.view(file),
  queue: (rest) => rest.queue(),
  recentJobs: (rest) => rest.recentJobs(),
  cancel: (rest) => rest.cancel(['p']),
  interrupt: (rest) => rest.interrupt(),
  user: (rest) => rest.user(),
  features: (rest) => rest.features(),
  nodeReplacements: (rest) => rest.nodeReplacements(),
  jobAssets: (rest) => rest.jobAssets('p'),
  systemStats: (rest) => rest.systemStats(),
};

const uses: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ...Object.entries(restCalls).map(
    ([name, call]) =>
      [
        `rest.${name}`,
        ({ rest }: Client) => lastValueFrom(fromTaskEither(call(rest) as TaskEither<ServiceError, unknown>)),
      ] as const,
  ),
  ['submit', (client) => toPromise(client.submit(workflow))],
  ['run', (client) => lastValueFrom(client.run(workflow))],
  ['follow', (client) => lastValueFrom(client.follow('p'))],
  ['job', (client) => toPromise(client.job('p').outputs)],
  ['cancel', (client) => toPromise(client.cancel('p'))],
];

/** Every route is missing, as its path begins with `/api/api`. */
const missing = () => ({ status: 404, body: '404: Not Found' });

describe.each(['cloud', 'local'] as const)('a base URL that ends in /api, with dialect %s', (dialect) => {
  it.each(uses)('is named as the cause by the error of %s', async (_, use) => {
    const platform = fakePlatform(missing);
    const client = createClientOn(platform, { baseUrl: 'https://service.example/api', dialect });
    const error = causeOf(use(client));
    await platform.clock.advance(600_000);
    expect(await error).toMatchObject({ hint: expect.stringContaining('leave it out of baseUrl') as string });
    await client.close();
  });
});
