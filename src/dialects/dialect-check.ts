import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { DialectStrategy } from './dialect.js';
import * as E from '../protocol/either.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { HttpConnection } from '../http/connection.js';
import { request } from '../http/request.js';
import type { JobRest } from '../http/rest.js';

/** The calls of a client, which notice a server of the other dialect. */
export interface DialectCheck {
  readonly rest: JobRest;
  /** Asks whether the server speaks the other dialect; for a hint that came by other means than a call. */
  readonly suspect: () => Promise<boolean>;
}

/**
 * Notices that a server speaks the other dialect: by the first 404 of a route that each server of this one has.
 *
 * The check then asks the server for what distinguishes the dialects. Where the server speaks the other one, this call and all
 * later ones about jobs are `InvalidConfig`. The client asks once, and never where no such route is missing.
 */
export const dialectCheck = (
  { name, mismatch }: Pick<DialectStrategy, 'name' | 'mismatch'>,
  connection: HttpConnection,
  rest: JobRest,
): DialectCheck => {
  let answer: Promise<boolean> | undefined;
  let isOther = false;

  const detect = async (): Promise<boolean> => {
    isOther = await mismatch.detect(async (endpoint) => {
      const result = await request(connection)(endpoint)();
      // A failure that may pass proves nothing: the next hint asks again.
      if (E.isLeft(result) && result.left.retry !== 'never') answer = undefined;
      return result;
    });
    return isOther;
  };
  const suspect = (): Promise<boolean> => (answer ??= detect());

  const wrongDialect = (promptId: string | undefined): ServiceError =>
    serviceError('InvalidConfig', {
      option: 'dialect',
      promptId,
      message: `This is ${mismatch.otherServer}, and the client was made with dialect: '${name}'.`,
      hint: `Create the client with dialect: '${mismatch.other}' (the command: --dialect ${mismatch.other}). A job that was submitted goes on, and can be followed then.`,
    });
  const checked =
    <A>(call: TaskEither<ServiceError, A>, promptId?: string): TaskEither<ServiceError, A> =>
    async () => {
      if (isOther) return E.left(wrongDialect(promptId));
      const result = await call();
      return E.isLeft(result) && mismatch.isRouteMissing(result.left) && (await suspect())
        ? E.left(wrongDialect(promptId))
        : result;
    };
  return {
    suspect,
    rest: {
      ...rest,
      submit: (...args) => checked(rest.submit(...args)),
      jobStatus: (promptId, options) => checked(rest.jobStatus(promptId, options), promptId),
      history: (promptId, options) => checked(rest.history(promptId, options), promptId),
      ...(mismatch.hasAccount && { user: (options) => checked(rest.user(options)) }),
    },
  };
};

/** Whether this is the answer `{}` with which a local server's history says that it does not know the job. */
export const isEmptyRecord = ({ _tag, sample }: ServiceError): boolean =>
  _tag === 'NotFound' && sample === '{}';
