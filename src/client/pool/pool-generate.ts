import { definitionsOf } from '../../generate/class-definitions.js';
import * as E from '../../core/protocol/either.js';
import type { Files } from '../../core/platform/platform.js';
import type { Generate } from '../../generate/generate-context.js';
import { generator } from '../../generate/generate.js';
import { openableFiles } from '../generate.js';
import type { OpenWork } from '../jobs/job-context.js';
import type { Pool } from './pool-types.js';
import type { PoolTags } from './start-options.js';
import type { PooledServer } from './pool-server.js';
import type { PoolServers } from './pool-servers.js';
import type { RunOptions } from '../jobs/run.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { type AskedOfSubmission, readySubmission } from '../jobs/ready-submission.js';
import type { UploadedFile } from '../../core/protocol/file-ref.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Makes `pool.generate`: a file goes to every server that is up, since each of them may get the job. */
export const poolGenerate = (
  servers: Pick<PoolServers, 'all' | 'get'>,
  { run, download, refusal }: Pick<Pool, 'run' | 'download'> & Pick<OpenWork, 'refusal'>,
  { files, uuid }: { readonly files: Files | undefined; readonly uuid: () => string },
): Generate<RunOptions & PoolTags> =>
  generator<RunOptions & PoolTags>({
    files,
    definitions: async (classes) => {
      const [first] = present(servers);
      return definitionsOf((first ?? noServer()).client.rest)(classes);
    },
    upload: async (content, filename) => {
      const first = await uploadToAll(present(servers), content, filename);
      // Some server has another file of that name.
      return first ?? (await uploadToAll(present(servers), content, `${uuid()}-${filename}`)) ?? noServer();
    },
    refuse: (workflow, options) => {
      const reason = refusal() ?? refusalOfAll(servers, workflow, options);
      return reason === undefined ? Promise.resolve() : Promise.reject(reason);
    },
    run,
    filesOf: (state) => {
      const { server } = state as { readonly server?: string };
      return Promise.resolve(
        server === undefined ? [] : openableFiles(servers.get(server).client.rest, state),
      );
    },
    ...(files !== undefined && { save: download }),
  });

/** The servers that are not known to be unreachable. */
const present = ({ all }: Pick<PoolServers, 'all'>): readonly PooledServer[] =>
  [...all.values()].filter(({ state }) => state().health !== 'down');

/** Why no server of the pool has a place for the submission; undefined if one has. */
const refusalOfAll = (
  { all }: Pick<PoolServers, 'all'>,
  workflow: Workflow,
  asked: AskedOfSubmission,
): ServiceError | undefined => {
  const ready = [...all.values()].map(({ dialect }) => readySubmission(dialect, workflow, asked));
  return ready.some(E.isRight) ? undefined : ready.find(E.isLeft)?.left;
};

/** What all servers that took the file call it; undefined if they differ. Throws where none took it. */
const uploadToAll = async (
  servers: readonly PooledServer[],
  content: Blob,
  filename: string,
): Promise<UploadedFile | undefined> => {
  const answers = await Promise.all(
    servers.map(({ client }) => client.rest.uploadImage({ content, filename })()),
  );
  const taken = answers.filter(E.isRight).map(({ right }) => right);
  const refused = answers.find(E.isLeft);
  const [first] = taken;
  if (first === undefined) throw refused === undefined ? noServer() : (refused.left as unknown);
  return taken.every(({ name, subfolder }) => name === first.name && subfolder === first.subfolder)
    ? first
    : undefined;
};

const noServer = (): never => {
  const error: ServiceError = serviceError('Network', {
    code: 'EAWAY',
    sent: false,
    message: 'Every server of the pool is away.',
    hint: 'Start one of them, and try again. Nothing was uploaded or submitted.',
  });
  throw error;
};
