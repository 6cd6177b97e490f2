import { describe, expect, it } from 'vitest';
import { left, right } from '../../../src/core/protocol/either.js';
import { gatewayFiles } from '../../../src/server/gateway/v2/gateway-files.js';
import type { GatewayService } from '../../../src/server/gateway/services/gateway-service.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const answer =
  (name: string) =>
  (...given: readonly unknown[]) =>
  () =>
    Promise.resolve(right([name, ...given]));
const ofOneServer = {
  ...{ upload: answer('upload'), uploadMask: answer('mask'), viewUpload: answer('view') },
} as unknown as GatewayService;
const service = { ...ofOneServer, bring: answer('bring') } as unknown as GatewayService;
const refusal = serviceError('QueueFull', {});
const full = { ...service, upload: () => () => Promise.resolve(left(refusal)) };
const files = gatewayFiles({ one: service, plain: ofOneServer, full }, ({ name }) => name);

const source = { content: new Blob(['a']), filename: 'a.png' };
const file = { filename: 'a.png' };
const job = {} as never;
const gone = (name: string) => ({
  left: {
    _tag: 'NotSupported',
    message: `This gateway has no client ${name}, so it has none of its files.`,
  },
});

describe('the files of the services behind a gateway', () => {
  it('are sent to the service that takes those of the caller, and read where they are', async () => {
    expect(await files.upload({ name: 'one' }, source)()).toEqual(
      right({ client: 'one', file: ['upload', source] }),
    );
    expect(await files.upload({ name: 'full' }, source)()).toEqual(left(refusal));
    expect(await files.uploadMask('one', source, file, 'attic')()).toEqual(
      right(['mask', source, file, 'attic']),
    );
    expect(await files.view('one', file, { res: 64 })()).toEqual(right(['view', file, { res: 64 }]));
    expect(await files.bring('one', file, job)()).toEqual(right(['bring', file, job]));
  });

  it('need not be brought where one server has all of them', async () => {
    for (const name of ['plain', 'gone', 'toString'])
      expect(await files.bring(name, file, job)()).toEqual(right(undefined));
  });

  it.each(['gone', 'toString'])('are none of the service %s, which is not there', async (name) => {
    expect(await files.upload({ name }, source)()).toMatchObject(gone(name));
    expect(await files.uploadMask(name, source, file)()).toMatchObject(gone(name));
    expect(await files.view(name, file)()).toMatchObject(gone(name));
  });
});
