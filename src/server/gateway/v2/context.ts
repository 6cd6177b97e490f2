import type { Refusal } from '../http/refusal.js';
import { assetNotFound, jobNotFound, refusal, refusalOf } from './refusal.js';
import type { Assets } from './assets.js';
import { type FoundAsset, serviceFileOf } from './found-asset.js';
import { contentResponse, resumeFor } from './content.js';
import type { FileTurns } from './file-turns.js';
import type { GatewayFiles } from './gateway-files.js';
import type { GatewayJob, GatewayJobs } from '../model/gateway-jobs.js';
import { isLeft } from '../../../core/protocol/either.js';
import type { Route, RouteCall } from '../http/route.js';
import type { SizeFinder } from './output-sizes.js';
import type { ViewOptions } from '../../../core/http/rest-options.js';

/** The jobs, assets and files behind the routes. */
export interface RouteContext {
  readonly jobs: GatewayJobs;
  readonly assets: Assets;
  readonly files: GatewayFiles;
  readonly sizes: SizeFinder;
  /** The turns in which callers read files. */
  readonly turns: FileTurns;
}

/** Runs an operation on the job that the path names, or refuses one that the caller does not have. */
export const withJob =
  (
    { jobs }: Pick<RouteContext, 'jobs'>,
    operation: (call: RouteCall, job: GatewayJob) => ReturnType<Route['handle']> | Response,
  ): Route['handle'] =>
  async (call) => {
    const job = await jobs.get(call.caller, call.params['id'] ?? '');
    return job === undefined ? jobNotFound : operation(call, job);
  };

/** Answers with the bytes of an asset; the gateway reads them, so that no secret of the service gets to the caller. */
export const serveAsset = (
  context: RouteContext,
  call: Pick<RouteCall, 'caller' | 'request'>,
  asset: FoundAsset | undefined,
): Promise<Response | Refusal> =>
  asset === undefined
    ? Promise.resolve(assetNotFound)
    : context.turns.run(call.caller.name, () => readAsset(context, call, asset));

const readAsset = async (
  { jobs, files, sizes }: RouteContext,
  { request }: Pick<RouteCall, 'request'>,
  asset: FoundAsset,
): Promise<Response | Refusal> => {
  const { signal } = request;
  const view = (resume: ViewOptions['resume']) =>
    asset._tag === 'output'
      ? jobs.view(asset.job, asset.output.file, { signal, resume })()
      : files.view(asset.record.client, serviceFileOf(asset), { signal, resume })();
  const id = asset._tag === 'output' ? asset.output.id : asset.record.id;
  const resume = resumeFor(request, sizes.known(id));
  let content = await view(resume);
  // The range may begin behind the end of another file than the one that is known: the whole file tells.
  if (isLeft(content) && content.left._tag === 'DownloadFailed' && resume !== undefined) {
    content = await view(undefined);
  }
  if (isLeft(content)) return refusalOfContent(content.left);
  sizes.learn(id, content.right);
  const names =
    asset._tag === 'output'
      ? asset.output
      : {
          name: (asset.record.filePath ?? asset.record.stored.name).split(/[/\\]/u).at(-1) ?? '',
          contentType: asset.record.contentType,
        };
  const answer = contentResponse(request, content.right, names);
  return answer instanceof Response
    ? answer
    : refusal(416, 'range_not_satisfiable', 'The range begins behind the end.', {
        headers: { 'content-range': `bytes */${answer.size}` },
      });
};

const refusalOfContent = (error: Parameters<typeof refusalOf>[0]): Refusal =>
  (error._tag === 'DownloadFailed' && error.retry !== 'after') ||
  error._tag === 'NotFound' ||
  error.status === 404
    ? refusal(404, 'output_unavailable', 'The service does not have this file any more.')
    : refusalOf(error);
