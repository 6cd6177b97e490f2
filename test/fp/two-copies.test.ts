import * as Own from 'fp-ts-oldest/lib/TaskEither.js';
import { pipe } from 'fp-ts-oldest/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect, it } from 'vitest';
import { serviceError } from '../../src/index.js';

it('a program with a copy of fp-ts of its own composes values of both', async () => {
  const ours = TE.right(1);
  const both = pipe(
    ours,
    Own.chain((count) => TE.right(count + 1)),
    TE.chain((count) => (count === 2 ? Own.left(serviceError('Empty', {})) : Own.right(count))),
    Own.orElseW(({ _tag }) => TE.right(_tag)),
  );
  expect(await both()).toEqual({ _tag: 'Right', right: 'Empty' });
});
