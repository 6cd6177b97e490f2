import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import * as E from '../protocol/either.js';
import type { Dialect } from '../dialects/dialect.js';
import { historyEndpoint } from '../endpoints/history.js';
import { userEndpoint } from '../endpoints/user.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { HttpConnection } from './connection.js';
import { request } from './request.js';
import type { Rest } from './rest.js';

/** The calls of a client, which notice a service of the other dialect. */
export interface DialectCheck {
  readonly rest: Rest;
  /** Asks whether the service speaks the other dialect, as something hints at it. */
  readonly suspect: () => Promise<boolean>;
}

/**
 * Notices that a service speaks the other dialect: by the first 404 of a route that each service of this one has.
 *
 * The account, which a local server has not, and the history of a local server are asked for then. Where they say so, this call
 * and all later ones about jobs are `InvalidConfig`. The client asks once, and never where no such route is missing.
 */
export const dialectCheck = (connection: HttpConnection, rest: Rest): DialectCheck => {
  const { dialect } = connection;
  const ask = request(connection);
  let answer: Promise<boolean> | undefined;
  let isOther = false;

  const forgetIfPassing = (result: E.Either<ServiceError, unknown>): void => {
    if (E.isLeft(result) && result.left.retry !== 'never') answer = undefined;
  };
  const asked = async (): Promise<boolean> => {
    const user = await ask(userEndpoint())();
    forgetIfPassing(user);
    if (dialect === 'local') return (isOther = E.isRight(user));
    if (E.isRight(user) || !isRouteMissing(dialect, user.left)) return false;
    const record = await ask(historyEndpoint('none', 'local'))();
    forgetIfPassing(record);
    return (isOther = E.isLeft(record) && isEmptyRecord(record.left));
  };
  const suspect = (): Promise<boolean> => (answer ??= asked());

  const checked =
    <A>(call: TaskEither<ServiceError, A>, promptId?: string): TaskEither<ServiceError, A> =>
    async () => {
      if (isOther) return E.left(otherDialect(dialect, promptId));
      const result = await call();
      return E.isLeft(result) && isRouteMissing(dialect, result.left) && (await suspect())
        ? E.left(otherDialect(dialect, promptId))
        : result;
    };
  return {
    suspect,
    rest: {
      ...rest,
      submit: (...args) => checked(rest.submit(...args)),
      jobStatus: (promptId, options) => checked(rest.jobStatus(promptId, options), promptId),
      history: (promptId, options) => checked(rest.history(promptId, options), promptId),
      ...(dialect === 'cloud' && { user: (options) => checked(rest.user(options)) }),
    },
  };
};

/** A local server answers so of jobs that it does not know. */
const isEmptyRecord = ({ _tag, sample }: ServiceError): boolean => _tag === 'NotFound' && sample === '{}';

/** A service that has the route of a job says in JSON that it does not know this one. */
const isRouteMissing = (dialect: Dialect, error: ServiceError): boolean =>
  error._tag === 'NotFound' &&
  (dialect === 'local' ? !isEmptyRecord(error) : error.sample?.startsWith('{') !== true);

const otherDialect = (dialect: Dialect, promptId: string | undefined): ServiceError => {
  const [actual, other] = dialect === 'local' ? ['a cloud service', 'cloud'] : ['a local server', 'local'];
  return serviceError('InvalidConfig', {
    option: 'dialect',
    promptId,
    message: `This is ${actual}, and the client was made with dialect: '${dialect}'.`,
    hint: `Create the client with dialect: '${other}' (the command: --dialect ${other}). A job that was submitted goes on, and can be followed then.`,
  });
};
