import { chooseFile } from './choose-file.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { largeJson } from '../http/large-json.js';
import { namedFiles } from '../native/named-files.js';
import { nativeJob } from '../native/native-job.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import type { Route, RouteCall } from '../http/route.js';
import { takesAll, wantedBytes } from './accept.js';

/** How calls that waited for a job are answered. */
export interface AnswerOptions {
  /** Reads the bytes of a file of a job. */
  readonly output: Route['handle'];
  /** How long the call was to wait, in milliseconds. */
  readonly waitMs: number;
  readonly replayed: boolean;
}

/** When a caller may ask for a job again that goes on. */
const retryAfterS = '2';

/**
 * Answers a call that waited for a job: 202 where it goes on; 200 with the bytes of one of its files where the caller wants some, and else with
 * the job. A job that failed has no bytes, and its refusal no status that makes programs try again.
 */
export const answerCall = async (
  call: RouteCall,
  job: GatewayJob,
  { output, waitMs, replayed }: AnswerOptions,
): Promise<Response | Refusal> => {
  const { base, request, url } = call;
  const headers = {
    location: `${base}/jobs/${job.record.id}`,
    'preference-applied': `wait=${Math.floor(waitMs / 1000)}`,
    ...(replayed && { 'idempotency-replayed': 'true' }),
  };
  if (!isTerminal(job.state.phase)) {
    return largeJson(call, nativeJob(job, base), 202, { ...headers, 'retry-after': retryAfterS });
  }
  const files = namedFiles(job, base);
  const whole = (): Promise<Response> =>
    largeJson(call, { ...nativeJob(job, base), outputs: files }, 200, headers);
  const wanted = wantedBytes(request.headers.get('accept'));
  if (wanted === undefined) return whole();
  const details = { job: job.record.id, outputs: Object.keys(files) };
  if (job.state.phase !== 'completed') {
    const reason = job.state.failure?.exceptionMessage ?? 'it has no result';
    return refusal(422, 'job_failed', `The job ended as ${job.state.phase}: ${reason}`, { headers, details });
  }
  const name = url.searchParams.get('output') ?? undefined;
  const chosen = chooseFile(files, wanted, name);
  if (chosen === undefined) {
    if (takesAll(wanted) && name === undefined) return whole();
    return refusal(406, 'output_not_found', 'The job has no output of this name and type.', {
      headers,
      details,
    });
  }
  const answer = await output({ ...call, params: { id: job.record.id, output: chosen.id } });
  if (answer instanceof Response)
    for (const [field, value] of Object.entries(headers)) answer.headers.set(field, value);
  return answer;
};
