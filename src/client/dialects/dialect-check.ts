import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { AskServer, DialectStrategy } from './dialect.js';
import { dialects } from './dialects.js';
import * as E from '../../core/protocol/either.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { HttpConnection } from '../../core/http/connection.js';
import { request } from '../../core/http/request.js';
import type { JobRest } from '../../core/http/rest.js';

/** The calls of a client, which notice a server of another dialect. */
export interface DialectCheck {
  readonly rest: JobRest;
  /** Asks which other dialect the server speaks, if it speaks another one; for a hint that came by other means than a call. */
  readonly detectMismatch: () => Promise<DialectStrategy | undefined>;
}

/**
 * Notices that a server speaks another dialect: by the first answer that no server of this one gives.
 *
 * The check then asks the server for what distinguishes the dialects. Where the server speaks another one, this call and all
 * later ones about jobs are `InvalidConfig`. The client asks once, and never where no such route is missing.
 */
export const dialectCheck = (
  dialect: DialectStrategy,
  connection: HttpConnection,
  rest: JobRest,
): DialectCheck => {
  const { name, recognition } = dialect;
  let answer: Promise<DialectStrategy | undefined> | undefined;
  let other: DialectStrategy | undefined;
  /** An answer of this dialect has come: a route that is missing now is missing for a while. */
  let isProven = false;

  const ask: AskServer = async (endpoint) => {
    const result = await request(connection)(endpoint)();
    // A failure that may pass proves nothing: the next hint asks again.
    if (E.isLeft(result) && result.left.retry !== 'never') answer = undefined;
    return result;
  };
  const detect = async () => (other = await otherDialect(dialect, ask));
  const detectMismatch = (): Promise<DialectStrategy | undefined> => (answer ??= detect());

  const wrongDialect = (found: DialectStrategy, promptId: string | undefined): ServiceError =>
    serviceError('InvalidConfig', {
      option: 'dialect',
      promptId,
      message: `This is ${found.recognition.server}, and the client was made with dialect: '${name}'.`,
      hint: `Create the client with dialect: '${found.name}' (the command: --dialect ${found.name}). A job that was submitted goes on, and can be followed then.`,
    });
  const checked =
    <A>(call: TaskEither<ServiceError, A>, promptId?: string): TaskEither<ServiceError, A> =>
    async () => {
      if (other !== undefined) return E.left(wrongDialect(other, promptId));
      const result = await call();
      if (E.isRight(result) && recognition.routesAreOwn) isProven = true;
      const isHint = !isProven && E.isLeft(result) && recognition.isRouteMissing(result.left);
      const found = isHint ? await detectMismatch() : undefined;
      return found === undefined ? result : E.left(wrongDialect(found, promptId));
    };
  return {
    detectMismatch,
    rest: {
      ...rest,
      submit: (...args) => checked(rest.submit(...args)),
      jobStatus: (promptId, options) => checked(rest.jobStatus(promptId, options), promptId),
      history: (promptId, options) => checked(rest.history(promptId, options), promptId),
      ...(recognition.hasAccount && { user: (options) => checked(rest.user(options)) }),
    },
  };
};

/** The dialect that the server speaks in place of this one; undefined if it may speak this one, or none that is known. */
const otherDialect = async (own: DialectStrategy, ask: AskServer): Promise<DialectStrategy | undefined> => {
  if ((await own.recognition.isSpokenBy(ask)) !== false) return undefined;
  for (const other of Object.values(dialects))
    if (other.name !== own.name && (await other.recognition.isSpokenBy(ask)) === true) return other;
  return undefined;
};
