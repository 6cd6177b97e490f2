import * as E from '../protocol/either.js';
import { serviceError } from '../errors/service-error.js';
import type { ServiceErrorOf } from '../errors/errors.js';

/**
 * Checks that a key can be sent in a header: not empty, printable, no blanks inside; blanks around it are trimmed.
 *
 * Keys have no other known form (docs/protocol.md, chapter 1). The error never quotes the key.
 */
export const readApiKey = (
  key: unknown,
  option = 'apiKey',
): E.Either<ServiceErrorOf<'InvalidConfig'>, string> => {
  if (typeof key !== 'string') return refuse(option, 'takes a string.');
  const trimmed = key.trim();
  if (trimmed === '') return refuse(option, 'is empty.');
  return /^[\u0021-\u007e]+$/u.test(trimmed)
    ? E.right(trimmed)
    : refuse(
        option,
        'has characters that a key cannot have: blanks, line breaks or other than printable ASCII.',
      );
};

const refuse = (option: string, what: string): E.Either<ServiceErrorOf<'InvalidConfig'>, never> =>
  E.left(
    serviceError('InvalidConfig', {
      option,
      message: `${option} ${what}`,
      hint: 'Copy the key again, whole and on one line; it is shown once on the platform site.',
    }),
  );
