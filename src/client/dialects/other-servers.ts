import { isEnvelope } from './envelope.js';
import type { AskServer, OtherServer } from './dialect.js';
import * as E from '../../core/protocol/either.js';
import { historyEndpoint } from '../../core/endpoints/history.js';
import { noJobEndpoint } from '../../core/endpoints/v2/job.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { userEndpoint } from '../../core/endpoints/user.js';

/** Recognises a cloud service: it has the account route. */
export const detectCloud = async (ask: AskServer): Promise<OtherServer | undefined> =>
  E.isRight(await ask(userEndpoint())) ? { dialect: 'cloud', server: 'a cloud service' } : undefined;

/** Recognises a local server: its history answers `{}` for an unknown job. */
export const detectLocal = async (ask: AskServer): Promise<OtherServer | undefined> => {
  const record = await ask(historyEndpoint('none', 'history'));
  return E.isLeft(record) && isEmptyRecord(record.left)
    ? { dialect: 'local', server: 'a local server' }
    : undefined;
};

/** Recognises a service of API v2: its 404 for an unknown job has the envelope of API v2. */
export const detectV2 = async (ask: AskServer): Promise<OtherServer | undefined> => {
  const job = await ask(noJobEndpoint());
  return E.isLeft(job) && isEnvelope(job.left) ? { dialect: 'v2', server: 'a service of API v2' } : undefined;
};

/** Whether this is the answer `{}` with which a local server's history says that it does not know the job. */
export const isEmptyRecord = ({ _tag, sample }: ServiceError): boolean =>
  _tag === 'NotFound' && sample === '{}';
