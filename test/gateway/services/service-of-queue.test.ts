import { describe, expect, it } from 'vitest';
import * as E from '../../../src/core/protocol/either.js';
import type {
  FiledJob,
  GatewayService,
  SentFile,
} from '../../../src/server/gateway/services/gateway-service.js';
import type { GatewayQueue } from '../../../src/server/gateway/services/gateway-queue.js';
import { readableContent } from '../../../src/core/http/view.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { serviceOfQueue } from '../../../src/server/gateway/services/service-of-queue.js';

const text = (content: string, type = ''): Blob => new Blob([content], { type });
const refusal = serviceError('ServerError', {});

/** A queue that keeps files, over servers unless said, beside a pool; each step of either is noted, and one of them may be refused. */
const queued = ({
  over = 'servers',
  refused = '',
  refusedBy = refusal,
}: { readonly over?: string; readonly refused?: string; readonly refusedBy?: ServiceError | Error } = {}) => {
  const steps: string[] = [];
  const step = (...words: readonly unknown[]): boolean => {
    steps.push(words.join(' '));
    return words[0] === refused;
  };
  const queue = {
    over: () => (step('over') ? Promise.reject(refusedBy) : Promise.resolve(over)),
    upload: async ({ content, filename }: SentFile) => {
      if (step('keep', filename, await content.text())) throw refusedBy;
      return { name: `kept ${filename}`, subfolder: '', type: 'input' };
    },
    viewUpload: (name: string) =>
      step('kept', name) ? Promise.reject(refusedBy) : Promise.resolve(text(`bytes of ${name}`)),
    serverOf: (id: string) => (step('server', id) ? Promise.reject(refusedBy) : Promise.resolve('attic')),
  };
  const answer =
    <A>(result: A, ...words: readonly unknown[]) =>
    (): Promise<E.Either<ServiceError, A>> =>
      Promise.resolve(step(...words) ? E.left(refusal) : E.right(result));
  const content = (of: string) =>
    readableContent({
      mediaType: 'image/png',
      body: (async function* () {
        if (refused === 'read') throw refusedBy;
        yield await Promise.resolve(new TextEncoder().encode(of));
      })(),
      discard: () => undefined,
    });
  const service = {
    upload: ({ filename }: SentFile) =>
      answer({ name: `sent ${filename}`, subfolder: 's', type: 'input' }, 'upload', filename),
    uploadMask: (
      _: SentFile,
      { filename, subfolder, type }: Parameters<GatewayService['uploadMask']>[1],
      server?: string,
    ) =>
      answer({ name: 'masked.png', subfolder: 'm', type: 'temp' }, 'mask', filename, subfolder, type, server),
    viewUpload: ({ filename, subfolder, type }: Parameters<GatewayService['viewUpload']>[0]) =>
      answer(content(filename), 'view', filename, subfolder, type),
    viewOutput: (
      { filename }: Parameters<GatewayService['viewOutput']>[0],
      _: unknown,
      { server }: FiledJob,
    ) => answer(content(filename), 'output', filename, server),
  } as unknown as GatewayService;
  const both = serviceOfQueue(queue as unknown as GatewayQueue, service);
  return { steps, queue, service, both };
};

const sent = { content: text('new'), filename: 'a.png' };
const file = { filename: 'a.png', subfolder: 's', type: 'input' };
const job = { record: { submissionId: 'id' }, state: { promptId: 'p' } } as unknown as FiledJob;

describe('the service of a queue over servers', () => {
  it('keeps what callers send, and reads it again, without a server', async () => {
    const { steps, both } = queued();
    expect(await both.upload(sent)()).toEqual(E.right({ name: 'kept a.png', subfolder: '', type: 'input' }));
    const kept = await both.viewUpload(file)();
    if (E.isLeft(kept)) throw kept.left;
    expect([kept.right.mediaType, kept.right.size]).toEqual(['application/octet-stream', 14]);
    expect(await (await kept.right.blob()).text()).toBe('bytes of a.png');
    kept.right.discard();
    expect(steps).toEqual(['over', 'keep a.png new', 'over', 'kept a.png']);
  });

  it('tells the media type of a kept file where the queue knows it', async () => {
    const { queue, service } = queued();
    const typed = { ...queue, viewUpload: () => Promise.resolve(text('x', 'image/webp')) };
    const kept = await serviceOfQueue(typed as unknown as GatewayQueue, service).viewUpload(file)();
    expect(kept).toMatchObject({ right: { mediaType: 'image/webp', size: 1 } });
  });

  it('has a server put a mask on a kept picture, and keeps what that makes', async () => {
    const { steps, both } = queued();
    expect(await both.uploadMask(sent, file, 'any')()).toMatchObject({ right: { name: 'kept masked.png' } });
    expect(steps).toEqual([
      ...['over', 'kept a.png', 'upload a.png', 'mask sent a.png s input ', 'view masked.png m temp'],
      'keep masked.png masked.png',
    ]);
  });

  it('reads an output on the server that the queue gave the job, and keeps a copy for further jobs', async () => {
    const { steps, both } = queued();
    expect(await both.viewOutput(file, undefined, job)()).toMatchObject({ _tag: 'Right' });
    expect(await both.bring?.(file, job)()).toMatchObject({ right: { name: 'kept a.png' } });
    expect(steps).toEqual([
      ...['server id', 'output a.png attic', 'over', 'server id', 'output a.png attic', 'keep a.png a.png'],
    ]);
  });

  it('reads an output where the pool finds it, where the queue can’t say who made it', async () => {
    const failing = queued({ refused: 'server' });
    expect(await failing.both.viewOutput(file, undefined, job)()).toMatchObject({ _tag: 'Right' });
    expect(failing.steps).toEqual(['server id', 'output a.png ']);
    const { steps, queue, service } = queued();
    const silent = serviceOfQueue({ ...queue, serverOf: undefined } as unknown as GatewayQueue, service);
    expect(await silent.viewOutput(file, undefined, job)()).toMatchObject({ _tag: 'Right' });
    expect(steps).toEqual(['output a.png ']);
  });

  it.each(['over', 'kept', 'upload', 'mask', 'view', 'keep'])(
    'passes on what is refused on the way to a mask: %s',
    async (refused) => {
      const { steps, both } = queued({ refused });
      expect(await both.uploadMask(sent, file)()).toEqual(E.left(refusal));
      expect(steps.at(-1)?.split(' ')[0]).toBe(refused);
    },
  );

  it.each([
    ['over', 'upload'],
    ['keep', 'upload'],
    ['over', 'viewUpload'],
    ['kept', 'viewUpload'],
    ['over', 'bring'],
    ['output', 'bring'],
    ['keep', 'bring'],
  ] as const)('passes on what is refused: %s of %s', async (refused, name) => {
    const play = ({ both }: ReturnType<typeof queued>) =>
      ({ upload: both.upload(sent), viewUpload: both.viewUpload(file), bring: both.bring!(file, job) })[
        name
      ]();
    expect(await play(queued({ refused }))).toEqual(E.left(refusal));
    if (refused === 'output') return;
    // What is no refusal of the queue is a bug, and thrown.
    await expect(play(queued({ refused, refusedBy: new Error('a bug') }))).rejects.toThrow('a bug');
  });

  it('says which output could not be read for the queue', async () => {
    const cause = new Error('cut off');
    expect(await queued({ refused: 'read', refusedBy: cause }).both.bring!(file, job)()).toMatchObject({
      left: {
        _tag: 'DownloadFailed',
        filename: 'a.png',
        reason: 'it could not be read for the queue',
        cause,
      },
    });
  });
});

describe('the service of a queue over an account', () => {
  it('is that of the account’s client', async () => {
    const { steps, both } = queued({ over: 'account' });
    expect(await both.upload(sent)()).toMatchObject({ right: { name: 'sent a.png' } });
    expect(await both.uploadMask(sent, file, 'one')()).toMatchObject({ right: { name: 'masked.png' } });
    await both.viewUpload(file)();
    expect(await both.bring!(file, job)()).toEqual(E.right(undefined));
    expect(steps).toEqual([
      ...['over', 'upload a.png', 'over', 'mask a.png s input one', 'over', 'view a.png s input', 'over'],
    ]);
  });

  it.each(['over', 'upload', 'viewUpload'])('is so without %s of the queue', (name) => {
    const { queue, service } = queued();
    expect(serviceOfQueue({ ...queue, [name]: undefined } as unknown as GatewayQueue, service)).toBe(service);
  });
});
