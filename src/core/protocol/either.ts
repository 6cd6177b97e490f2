import type { Either, Left, Right } from 'fp-ts/lib/Either.js';

export type { Either };

/*
 * The values have fp-ts's own shape, `{ _tag, left }` or `{ _tag, right }`, so a program can compose them with fp-ts. These
 * five functions are all that the library needs, so only programs that use fp-ts load it.
 */

/** A failure. */
export const left = <E>(left: E): Either<E, never> => ({ _tag: 'Left', left });

/** A success. */
export const right = <A>(right: A): Either<never, A> => ({ _tag: 'Right', right });

export const isLeft = <E>(either: Either<E, unknown>): either is Left<E> => either._tag === 'Left';

export const isRight = <A>(either: Either<unknown, A>): either is Right<A> => either._tag === 'Right';

/** What is Right; throws what is Left. */
export const getOrThrow = <A>(either: Either<unknown, A>): A => {
  if (isLeft(either)) throw either.left;
  return either.right;
};
