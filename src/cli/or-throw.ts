import type { Either } from 'fp-ts/lib/Either.js';
import type { ServiceError } from '../node.js';

/** Gives the value of a result and throws its error, which `perform` turns into the command's end. */
export const orThrow = <A>(result: Either<ServiceError, A>): A => {
  if (result._tag === 'Left') throw result.left;
  return result.right;
};
