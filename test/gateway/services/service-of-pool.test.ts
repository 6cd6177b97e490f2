import * as TE from 'fp-ts/lib/TaskEither.js';
import { describe, expect, it } from 'vitest';
import type { FiledJob } from '../../../src/server/gateway/services/gateway-service.js';
import { fromAbortSignal, serviceError } from '../../../src/index.js';
import { firstValueFrom, of } from 'rxjs';
import type { GatewayPool } from '../../../src/server/gateway/services/gateway-pool.js';
import { serviceOfPool } from '../../../src/server/gateway/services/service-of-pool.js';

/** A pool of two servers that give their name as each file; `find` says which one knows a job. */
const reading = (
  find: (signal: AbortSignal) => Promise<string | undefined> = () => Promise.resolve('two'),
) => {
  const searched: string[] = [];
  const pool = {
    servers: of([{ name: 'one' }, { name: 'two' }]),
    client: (name: string) => ({ rest: { view: () => TE.right(name) } }),
    serverOf:
      (promptId: string, { signal }: { readonly signal: AbortSignal }) =>
      async () => {
        searched.push(promptId);
        const name = await find(signal);
        return (name === undefined ? TE.left(serviceError('NotFound', {})) : TE.right(name))();
      },
  } as unknown as GatewayPool;
  const read = (job: { readonly place?: string; readonly promptId?: string }, signal?: AbortSignal) => {
    const { place, promptId = 'p' } = job;
    const filed = {
      record: place === undefined ? {} : { place: { server: place } },
      state: { promptId },
    } as unknown as FiledJob;
    const file = { filename: 'a.png', subfolder: '', type: 'output' } as const;
    return serviceOfPool(pool).viewOutput(file, { signal }, filed)();
  };
  return { read, searched };
};

describe('a file of a job on one server of a pool', () => {
  it('is read where the record says that the job ran', async () => {
    const { read, searched } = reading();
    expect(await read({ place: 'one' })).toMatchObject({ right: 'one' });
    expect(searched).toEqual([]);
  });

  it('is read on the server that knows the job where the record names none, or one that was removed', async () => {
    const { read, searched } = reading();
    expect(await read({})).toMatchObject({ right: 'two' });
    expect(await read({ place: 'removed' })).toMatchObject({ right: 'two' });
    expect(searched).toEqual(['p', 'p']);
  });

  it('is nowhere where none knows the job, and where the job was never submitted', async () => {
    const { read, searched } = reading(() => Promise.resolve(undefined));
    const nowhere = { left: { _tag: 'DownloadFailed', reason: 'no server of the pool has its job' } };
    expect(await read({ promptId: '' })).toMatchObject(nowhere);
    expect(searched).toEqual([]);
    expect(await read({})).toMatchObject(nowhere);
  });

  it('is searched no longer than its reader waits', async () => {
    const { read } = reading((signal) =>
      firstValueFrom(fromAbortSignal(signal), { defaultValue: undefined }).then(() => undefined),
    );
    const reader = new AbortController();
    const answer = read({}, reader.signal);
    reader.abort();
    expect(await answer).toMatchObject({ left: { _tag: 'DownloadFailed' } });
  });
});
