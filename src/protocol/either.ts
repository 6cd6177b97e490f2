import type { Either, Left, Right } from 'fp-ts/lib/Either.js';

export type { Either };

/*
 * Either values are fp-ts's own, by their shape: `{ _tag, left }` or `{ _tag, right }`. Making and telling them apart takes
 * no more than this, so fp-ts is loaded by those who compose with it, and by nobody else.
 */

/** A failure. */
export const left = <E>(left: E): Either<E, never> => ({ _tag: 'Left', left });

/** A success. */
export const right = <A>(right: A): Either<never, A> => ({ _tag: 'Right', right });

export const isLeft = <E>(either: Either<E, unknown>): either is Left<E> => either._tag === 'Left';

export const isRight = <A>(either: Either<unknown, A>): either is Right<A> => either._tag === 'Right';
