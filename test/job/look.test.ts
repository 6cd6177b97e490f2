import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { describe, expect, it } from 'vitest';
import { look } from '../../src/job/look.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';
import { fakeRest } from '../helpers/fake-rest.js';

const status = { promptId: 'p', status: 'in_progress', phase: 'in_progress' } as const;
const record = {
  promptId: 'p',
  outputs: { 9: { images: [] } },
  phase: 'completed',
  isFinal: true,
  record: {},
} as const;

describe('look', () => {
  it('reads the status', async () => {
    const rest = fakeRest({ jobStatus: () => TE.right(status) });
    expect(await look(rest, 'p')()).toEqual(
      E.right({ _tag: 'StatusRead', promptId: 'p', phase: 'in_progress', failure: undefined }),
    );
  });

  it('reads history where no status is known', async () => {
    const rest = fakeRest({ history: () => TE.right(record) });
    expect(await look(rest, 'p')()).toMatchObject(
      E.right({ _tag: 'HistoryRead', promptId: 'p', phase: 'completed', outputs: record.outputs }),
    );
  });

  it('says Missing only when both do not know the job', async () => {
    expect(await look(fakeRest(), 'p')()).toEqual(E.right({ _tag: 'Missing' }));
  });

  it.each(['jobStatus', 'history'] as const)('passes on a failed %s as what it is', async (call) => {
    const rest = fakeRest({ [call]: () => TE.left(serviceError('ServerError', { status: 500 })) });
    expect(await look(rest, 'p')()).toMatchObject(E.left({ _tag: 'ServerError' }));
  });
});
