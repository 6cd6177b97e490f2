import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client-types.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { type ClientReader, withClient } from '../../src/fp.js';
import { createClient } from '../../src/node.js';

/** Makes clients that say when they are closed. */
const clients = (close: () => Promise<void> = () => Promise.resolve()) => {
  const seen: string[] = [];
  const make = (): Client => {
    seen.push('made');
    return {
      close: () => {
        seen.push('closed');
        return close();
      },
    } as Client;
  };
  return { seen, make };
};

const failing: ClientReader<never> = RTE.left(serviceError('NotFound', {}));
const throwing: ClientReader<number> = pipe(
  RTE.of<Client, never, number>(1),
  RTE.map(() => {
    throw new RangeError('boom');
  }),
);

describe('withClient', () => {
  it('makes a client for each run, and closes it once the program is over', async () => {
    const { seen, make } = clients();
    const program: ClientReader<number> = () => async () => {
      await Promise.resolve();
      seen.push('used');
      return E.right(1);
    };
    const task = withClient(make)(program);
    expect(seen).toEqual([]);
    expect([await task(), await task()]).toEqual([E.right(1), E.right(1)]);
    expect(seen).toEqual(['made', 'used', 'closed', 'made', 'used', 'closed']);
  });

  it('closes it where the program fails', async () => {
    const { seen, make } = clients();
    expect(await withClient(make)(failing)()).toMatchObject({ _tag: 'Left', left: { _tag: 'NotFound' } });
    expect(seen).toEqual(['made', 'closed']);
  });

  it.each<readonly [string, ClientReader<number>]>([
    ['while it runs', throwing],
    [
      'before it runs',
      () => {
        throw new RangeError('boom');
      },
    ],
  ])('closes it where a function of the program throws %s, and gives Defect', async (_, program) => {
    const { seen, make } = clients();
    expect(await withClient(make)(program)()).toMatchObject({
      _tag: 'Left',
      left: { _tag: 'Defect', cause: new RangeError('boom') },
    });
    expect(seen).toEqual(['made', 'closed']);
  });

  it('gives what createClient refuses as a Left', async () => {
    const task = withClient(() => createClient({ baseUrl: 'nonsense' }))(() => TE.right(1));
    expect(await task()).toMatchObject({ _tag: 'Left', left: { _tag: 'InvalidConfig', option: 'baseUrl' } });
  });

  it('gives an error of close as a Left', async () => {
    const { make } = clients(() => Promise.reject(new Error('boom')));
    expect(await withClient(make)(() => TE.right(1))()).toMatchObject({
      _tag: 'Left',
      left: { _tag: 'Defect' },
    });
  });
});
