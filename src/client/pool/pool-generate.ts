import { definitionsOf } from '../../generate/class-definitions.js';
import * as E from '../../core/protocol/either.js';
import type { Files } from '../../core/platform/platform.js';
import type { Generate } from '../../generate/generate-context.js';
import { generator } from '../../generate/generate.js';
import { openableFiles } from '../generate.js';
import type { OpenWork } from '../jobs/job-context.js';
import type { Pool } from './pool-types.js';
import type { PoolFiles } from './pool-files.js';
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
  {
    run,
    download,
    refusal,
    note,
  }: Pick<Pool, 'run' | 'download'> & Pick<OpenWork, 'refusal'> & Pick<PoolFiles, 'note'>,
  { files, uuid }: { readonly files: Files | undefined; readonly uuid: () => string },
): Generate<RunOptions & PoolTags> =>
  generator<RunOptions & PoolTags>({
    files,
    definitions: async (classes) => {
      const [first] = present(servers);
      return definitionsOf((first ?? noServer()).client.rest)(classes);
    },
    upload: async (content, filename) => {
      const upload = (name: string): ReturnType<typeof uploadToAll> =>
        uploadToAll(present(servers), note, { content, filename: name });
      // Some server has another file of that name.
      return (await upload(filename)) ?? (await upload(`${uuid()}-${filename}`)) ?? noServer();
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

/** What all servers that took the file call it, which is noted; undefined if they differ. Throws where none took it. */
const uploadToAll = async (
  servers: readonly PooledServer[],
  note: PoolFiles['note'],
  source: { readonly content: Blob; readonly filename: string },
): Promise<UploadedFile | undefined> => {
  const answers = await Promise.all(
    servers.map(async (server) => ({ server, answer: await server.client.rest.uploadImage(source)() })),
  );
  const taken = answers.flatMap(({ server, answer }) =>
    E.isRight(answer) ? [{ server, file: answer.right }] : [],
  );
  const refused = answers.map(({ answer }) => answer).find(E.isLeft);
  const [first] = taken;
  if (first === undefined) throw refused === undefined ? noServer() : (refused.left as unknown);
  const { name, subfolder } = first.file;
  if (taken.some(({ file }) => file.name !== name || file.subfolder !== subfolder)) return undefined;
  // A server that was away gets it with its first job that names it.
  for (const { server, file } of taken) note(file, server);
  return first.file;
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
